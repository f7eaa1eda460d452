#!/usr/bin/env python3
"""Tests of scripts/checks/check_layers.py: violations that are planted in a small tree, and what is allowed there."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/checks"))
from check_layers import KERNELS, MOST_FILES, check, full_folders, repeated_names, rooms_of

# One line per file; those marked True must be reported, the others must not.
FILES = [
    ("codelets/core/geometry/box.hh", "#include <vector>", False),
    ("codelets/core/geometry/up.hh", '#include "codelets/kernels/count.hh"', True),
    ("codelets/core/geometry/relative.hh", '#include "box.hh"', True),
    ("codelets/core/geometry/parent.hh", '#include "../core/box.hh"', True),
    ("codelets/core/geometry/absent.hh", '#include "codelets/core/geometry/absent_header.hh"', True),
    ("codelets/core/geometry/brackets.hh", "#include <codelets/core/geometry/box.hh>", True),
    ("codelets/core/geometry/model.hh", '#include "perfmodels/model.hh"', True),
    ("codelets/core/geometry/hdf5.hh", "#include <hdf5.h>", True),
    ("codelets/core/geometry/parallel.cc", "#pragma omp parallel for", True),
    ("codelets/kernels/count.hh", '#include "codelets/core/geometry/box.hh"', False),
    ("codelets/kernels/up.hh", '#include "codelets/count_codelet.hh"', True),
    ("codelets/kernels/runtime.cc", "#include <starpu.h>", True),
    ("codelets/kernels/cuda/count.cu", "#include <starpu_cuda.h>", True),
    ("codelets/kernels/cpu/count.cc", "  #pragma omp simd", False),
    ("codelets/kernels/cpu/threads.cc", "#include <omp.h>", False),
    ("codelets/kernels/reference/count.cc", '  _Pragma("omp simd")', True),
    ("codelets/count_codelet.hh", "#include <starpu.h>", False),
    ("codelets/count_codelet.cc", '#include "perfmodels/model.hh"', False),
    ("codelets/up.cc", '#include "tasks/submission/submit.hh"', True),
    ("codelets/team.cc", "#pragma omp parallel", True),
    ("perfmodels/model.hh", '#include "codelets/core/geometry/box.hh"', False),
    ("perfmodels/kernel.hh", '#include "codelets/kernels/count.hh"', True),
    ("perfmodels/up.hh", '#include "codelets/count_codelet.hh"', True),
    ("tasks/submission/submit.hh", '#include "codelets/count_codelet.hh"', False),
    ("tasks/submission/reader.cc", '#include "io/reader/reader.hh"', True),
    ("tasks/submission/quoted.cc", '#include "starpu.h"', True),
    ("io/reader/reader.hh", '#include "codelets/core/geometry/box.hh"', False),
    ("io/reader/reader.cc", "#include <H5Fpublic.h>", False),
    ("io/formats/gromacs/process/frames.cc", "#include <gromacs/fileio/trxio.h>", False),
    ("io/reader/xtc.cc", "#include <gromacs/fileio/trxio.h>", True),
    ("io/reader/kernel.cc", '#include "codelets/kernels/count.hh"', True),
    ("io/reader/tasks.cc", '#include "tasks/submission/submit.hh"', True),
    ("io/reader/options.cc", "#include <boost/program_options.hpp>", True),
    ("driver/options/parser.cc", "#include <boost/program_options.hpp>", False),
    ("driver/options/yaml.cc", "#include <yaml-cpp/yaml.h>", False),
    ("io/reader/yaml.cc", "#include <yaml-cpp/yaml.h>", True),
    ("driver/run/options.cc", "#include <boost/program_options.hpp>", True),
    ("driver/capi/calls.cc", '#include "tasks/submission/submit.hh"', False),
    ("driver/capi/reader.cc", '#include "io/reader/reader.hh"', True),
    ("driver/capi/file/save.cc", '#include "io/result/result.hh"', False),
    ("io/result/result.hh", "#include <vector>", False),
    ("driver/capi/file/count.cc", '#include "tasks/submission/submit.hh"', True),
    ("driver/capi/run.cc", '#include "driver/run/parsed.hh"', True),
    ("driver/capi/print.cc", '  std::puts("hello");', True),
    ("driver/capi/examples/print.cc", '  std::puts("hello");', False),
    ("driver/run/json.cc", "#include <nlohmann/json.hpp>", True),
    ("driver/report/json.cc", "#include <nlohmann/json.hpp>", False),
    ("tasks/json.cc", "#include <nlohmann/json.hpp>", True),
    ("driver/run/run.cc", '#include "io/reader/reader.hh"', False),
    ("driver/run/runtime.cc", "# include <starpu.h>", True),
    ("driver/run/file.cc", "#include <lzf.h>", True),
    ("driver/run/tests.cc", '#include "tests/support/oracle.hh"', True),
    ("driver/run/catch.cc", "#include <catch2/catch.hpp>", True),
    ("tests/support/oracle.hh", "#include <hdf5.h>", False),
    ("tests/io/reader.test.cc", '#include "io/reader/reader.hh"', False),
    ("tests/io/near.test.cc", '#include "oracle.hh"', True),
    # Rooms of one layer.
    ("codelets/core/geometry/frame.hh", '#include "codelets/core/counting/bins.hh"', True),
    ("codelets/core/counting/bins.hh", '#include "codelets/core/geometry/box.hh"', False),
    ("codelets/core/analysis/rdf.hh", '#include "codelets/core/counting/bins.hh"', False),
    ("codelets/kernels/cpu/rdf.cc", '#include "codelets/core/analysis/rdf.hh"', True),
    ("codelets/kernels/cpu/cuda.cc", '#include "codelets/kernels/cuda/launch.hh"', True),
    ("codelets/kernels/cuda/launch.hh", '#include "codelets/kernels/count.hh"', False),
    ("tasks/planning/plan.hh", '#include "tasks/submission/submit.hh"', True),
    ("tasks/planning/runtime.hh", '#include "tasks/runtime/environment.cc"', True),
    ("tasks/runtime/plan.hh", '#include "tasks/planning/plan.hh"', False),
    # StarPU is out of the reach of planning.
    ("tasks/planning/direct.cc", "#include <starpu.h>", True),
    ("tasks/planning/far.cc", '#include "codelets/between.hh"', True),
    ("codelets/between.hh", '#include "codelets/count_codelet.hh"', False),
    ("tasks/planning/free.cc", '#include "perfmodels/model.hh"', False),
    ("io/formats/xyz/xyz.hh", '#include "io/reader/reader.hh"', False),
    ("io/formats/xyz/other.hh", '#include "io/formats/lammps/dump.hh"', True),
    ("io/formats/lammps/dump.hh", "#include <vector>", False),
    ("io/formats/records.hh", '#include "io/reader/reader.hh"', False),
    ("io/formats/new/record.cc", '#include "io/formats/records.hh"', False),
    ("io/formats/new/list.cc", '#include "io/trajectory/formats.hh"', True),
    ("io/formats/new/part/record.cc", '#include "io/formats/records.hh"', True),
    ("io/trajectory/formats.hh", "#include <vector>", False),
    ("io/trajectory/formats.cc", '#include "io/formats/records.hh"', False),
    ("driver/run/parsed.hh", '#include "driver/options/parser.hh"', True),
    ("driver/options/parser.hh", "#include <string>", False),
    # The process belongs to the program.
    ("driver/run/stream.cc", "#include <iostream>", True),
    ("driver/run/stream.hh", "#include <ostream>", False),
    ("driver/run/print.cc", '  std::cerr << "hello";', True),
    ("driver/run/format.cc", "  std::snprintf(text, sizeof(text), x);", False),
    ("io/reader/print.cc", '  std::fprintf(stderr, "hello");', True),
    ("io/reader/comment.cc", "  int x = 0;  // a terminal has stderr", False),
    ("io/reader/text.cc", '  throw InputError("call exit() or stderr");', False),
    ("tasks/runtime/environment.cc", '  setenv("STARPU_SCHED", "lws", 1);', True),
    ("tasks/runtime/read.cc", '  std::getenv("STARPU_SCHED");', False),
    ("tasks/runtime/end.cc", "  std::exit(1);", True),
    ("tasks/runtime/member.cc", "  signal_.exit(1); status->abort();", False),
    ("codelets/signal.cc", "  std::signal(SIGINT, handler);", True),
    ("codelets/action.cc", "  sigaction(SIGINT, &action, nullptr);", True),
    ("io/formats/gromacs/process/main.cc", '  ::setenv("A", "B", 1);', False),
    ("driver/commands/defaults.cc", '  setenv("A", "B", 0);', False),
    ("driver/report/bar.cc", "#include <iostream>", False),
    ("codelets/core/homeless.hh", '#include "codelets/core/geometry/box.hh"', True),
]


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-layers-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, text=""):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def test_planted_violations_are_found_and_nothing_else(self):
        for path, line, _ in FILES:
            self.write(path, f"#pragma once\n{line}\n")
        offences, files = check(self.root)
        found = {path for path, number, _, _ in offences if number == 2}
        self.assertEqual(found, {path for path, _, planted in FILES if planted})
        self.assertEqual(files, len(FILES))

    def test_full_folders_are_found_outside_tests(self):
        for folder, files in (
            ("driver/full", MOST_FILES + 1),
            ("io/allowed", MOST_FILES),
            ("tests/many", MOST_FILES + 1),
        ):
            for number in range(files):
                self.write(f"{folder}/{number}.cc")
            self.write(f"{folder}/README.md")
        self.assertEqual(full_folders(self.root), [("driver/full/", MOST_FILES + 1)])

    def test_repeated_names_are_found_outside_tests(self):
        for path in ("driver/a/main.cc", "driver/a/twice.hh", "io/b/main.cc", "io/b/twice.hh", "tests/c/twice.hh"):
            self.write(path)
        self.assertEqual(repeated_names(self.root), [("twice.hh", ["driver/a/twice.hh", "io/b/twice.hh"])])

    def test_rooms_of_a_page(self):
        page = "| *two* | `io/text`, `tasks/*` |\n| `.../cpu` | x | *two*, `.../cuda` |\n| `io` | y | \u2013 |\n"
        self.assertEqual(rooms_of(page), {KERNELS + "cpu/": ["io/text/", "tasks/*", KERNELS + "cuda/"], "io/": []})


if __name__ == "__main__":
    unittest.main()
