#!/usr/bin/env python3
"""Checks that the includes point downwards and that third parties stay in their layers.

    scripts/check_layers.py [ROOT]        prints offending lines, exit status 1 if any
    scripts/check_layers.py --selftest    plants violations and expects to find them

        driver/
        /     \\
    tasks/    io/             HDF5 and lzf only in io/, libgromacs only in io/gromacs/, Boost.Program_options only in driver/
      |        |
  codelets/    |              StarPU only in codelets/*, perfmodels/, tasks/
    /   \\      |
perfmodels/  codelets/kernels/          OpenMP only in codelets/kernels/cpu/ and tasks/
     \\     |      /
      codelets/core/
"""
import pathlib
import re
import sys
import tempfile

# Longest prefix first: the layer of a file is the first entry that its path starts with.
LAYERS = ["codelets/core/", "codelets/kernels/", "codelets/", "perfmodels/", "tasks/",
          "io/", "driver/", "tests/"]
BELOW = {
    "codelets/core/": [],
    "codelets/kernels/": ["codelets/core/"],
    "perfmodels/": ["codelets/core/"],
    "codelets/": ["codelets/kernels/", "perfmodels/", "codelets/core/"],
    "tasks/": ["codelets/", "codelets/kernels/", "perfmodels/", "codelets/core/"],
    "io/": ["codelets/core/"],
    "driver/": ["tasks/", "io/", "codelets/", "codelets/kernels/", "perfmodels/",
                "codelets/core/"],
    "tests/": LAYERS,
}
OPENMP_PLACES = ["codelets/kernels/cpu/", "tasks/", "tests/"]
# Who it is, the headers by which it is known, where they may appear.
THIRD_PARTIES = [
    ("HDF5", r"(hdf5|hdf5_hl|H5\w*)\.h$", ["io/", "tests/"]),
    ("zlib", r"zlib\.h$", ["io/", "tests/"]),
    ("lzf", r"lzf\.h$", ["io/", "tests/"]),
    ("Boost.Sort", r"boost/sort/", ["codelets/kernels/tiles/"]),
    ("Boost", r"boost/(?!sort/)", ["driver/"]),
    ("StarPU", r"starpu\w*\.h$", ["codelets/", "perfmodels/", "tasks/", "tests/"]),
    ("OpenMP", r"omp\.h$", OPENMP_PLACES),
    ("GROMACS", r"gromacs/", ["io/gromacs/"]),
    ("Catch2", r"catch2/", ["tests/"]),
]
SOURCE_SUFFIXES = {".hh", ".cc", ".cu", ".cuh", ".h", ".hpp", ".cpp"}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
OPENMP_PRAGMA = re.compile(r'\s*#\s*pragma\s+omp\b|.*\b_Pragma\s*\(\s*"\s*omp\b')


def layer_of(path):
    return next((layer for layer in LAYERS if path.startswith(layer)), None)


def third_party_problem(path, name, allowed):
    """`allowed` entries are layers, or folders within one ("codelets/kernels/cpu/")."""
    if layer_of(path) in allowed or any(
            path.startswith(folder) for folder in allowed if folder not in LAYERS):
        return None
    return f"{name} belongs in {', '.join(allowed)} only"


def include_problem(root, path, quote, target):
    if layer_of(target):
        if quote == "<":
            return "our own headers are included with quotes"
        if not (root / target).is_file():
            return "there is no such file"
        if layer_of(target) not in (layer_of(path), *BELOW[layer_of(path)]):
            return f"{layer_of(path)} may not include {layer_of(target)}"
        return None
    if quote == '"':
        return "includes are written from the root, third-party headers in <>"
    for name, pattern, allowed in THIRD_PARTIES:
        if re.match(pattern, target):
            return third_party_problem(path, name, allowed)
    return None


def line_problem(root, path, line):
    include = INCLUDE.match(line)
    if include:
        return include_problem(root, path, *include.groups())
    if OPENMP_PRAGMA.match(line):
        return third_party_problem(path, "OpenMP", OPENMP_PLACES)
    return None


def check(root):
    """Offending lines as (path, line number, line, problem); and how many files there are."""
    offences, files = [], 0
    for folder in sorted({layer.split("/")[0] for layer in LAYERS}):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SOURCE_SUFFIXES:
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text().splitlines(), 1):
                problem = line_problem(root, path, line)
                if problem:
                    offences.append((path, number, line.strip(), problem))
    return offences, files


# One line per file; those marked True must be reported, the others must not.
SELFTEST = [
    ("codelets/core/box.hh", "#include <vector>", False),
    ("codelets/core/up.hh", '#include "codelets/kernels/count.hh"', True),
    ("codelets/core/relative.hh", '#include "box.hh"', True),
    ("codelets/core/parent.hh", '#include "../core/box.hh"', True),
    ("codelets/core/absent.hh", '#include "codelets/core/absent_header.hh"', True),
    ("codelets/core/brackets.hh", "#include <codelets/core/box.hh>", True),
    ("codelets/core/model.hh", '#include "perfmodels/model.hh"', True),
    ("codelets/core/hdf5.hh", "#include <hdf5.h>", True),
    ("codelets/core/parallel.cc", "#pragma omp parallel for", True),
    ("codelets/kernels/count.hh", '#include "codelets/core/box.hh"', False),
    ("codelets/kernels/up.hh", '#include "codelets/count_codelet.hh"', True),
    ("codelets/kernels/runtime.cc", "#include <starpu.h>", True),
    ("codelets/kernels/cuda/count.cu", "#include <starpu_cuda.h>", True),
    ("codelets/kernels/cpu/count.cc", "  #pragma omp simd", False),
    ("codelets/kernels/cpu/threads.cc", "#include <omp.h>", False),
    ("codelets/kernels/reference/count.cc", '  _Pragma("omp simd")', True),
    ("codelets/count_codelet.hh", "#include <starpu.h>", False),
    ("codelets/count_codelet.cc", '#include "perfmodels/model.hh"', False),
    ("codelets/up.cc", '#include "tasks/submit.hh"', True),
    ("codelets/team.cc", "#pragma omp parallel", True),
    ("perfmodels/model.hh", '#include "codelets/core/box.hh"', False),
    ("perfmodels/kernel.hh", '#include "codelets/kernels/count.hh"', True),
    ("perfmodels/up.hh", '#include "codelets/count_codelet.hh"', True),
    ("tasks/submit.hh", '#include "codelets/count_codelet.hh"', False),
    ("tasks/reader.cc", '#include "io/reader.hh"', True),
    ("tasks/quoted.cc", '#include "starpu.h"', True),
    ("io/reader.hh", '#include "codelets/core/box.hh"', False),
    ("io/reader.cc", "#include <H5Fpublic.h>", False),
    ("io/gromacs/frames.cc", "#include <gromacs/fileio/trxio.h>", False),
    ("io/xtc.cc", "#include <gromacs/fileio/trxio.h>", True),
    ("io/kernel.cc", '#include "codelets/kernels/count.hh"', True),
    ("io/tasks.cc", '#include "tasks/submit.hh"', True),
    ("io/options.cc", "#include <boost/program_options.hpp>", True),
    ("driver/main.cc", "#include <boost/program_options.hpp>", False),
    ("driver/run.cc", '#include "io/reader.hh"', False),
    ("driver/runtime.cc", "# include <starpu.h>", True),
    ("driver/file.cc", "#include <lzf.h>", True),
    ("driver/tests.cc", '#include "tests/support/oracle.hh"', True),
    ("driver/catch.cc", "#include <catch2/catch.hpp>", True),
    ("tests/support/oracle.hh", "#include <hdf5.h>", False),
    ("tests/io/reader.test.cc", '#include "io/reader.hh"', False),
    ("tests/io/near.test.cc", '#include "oracle.hh"', True),
]


def selftest():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, line, _ in SELFTEST:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(f"#pragma once\n{line}\n")
        offences, _ = check(root)
    expected = {path for path, _, planted in SELFTEST if planted}
    found = {path for path, number, _, _ in offences if number == 2}
    for path in sorted(expected - found):
        print(f"{path}: planted violation not found")
    for path in sorted(found - expected):
        print(f"{path}: reported although it is allowed")
    print(f"selftest: {len(found & expected)} of {len(expected)} planted violations found")
    return found == expected


def main(arguments):
    if arguments == ["--selftest"]:
        return 0 if selftest() else 1
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[1])
    offences, files = check(root)
    for path, number, line, problem in offences:
        print(f"{path}:{number}: {line}   <- {problem}")
    print(f"{files} source files, {len(offences)} offending lines")
    return 1 if offences or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
