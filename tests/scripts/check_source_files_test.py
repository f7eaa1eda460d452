#!/usr/bin/env python3
"""Tests of scripts/checks/check_headers.py, check_tidy.py and of what counts as changed, on a
repository of a few files."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CHECKS = pathlib.Path(__file__).resolve().parents[2] / "scripts/checks"
sys.path.insert(0, str(CHECKS))
import check_tidy  # noqa: E402
import source_files  # noqa: E402

COMPILER = shutil.which("c++") or shutil.which("g++")
if COMPILER is None or shutil.which("git") is None:
    print("SKIPPED: git or a C++ compiler is missing")
    sys.exit(77)


class Repository(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-files-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve() / "tree"
        self.root.mkdir()
        self.git("init", "-q", "-b", "main")
        self.commit(
            {
                "io/text/lines.cc": '#include "io/text/lines.hh"\n',
                "io/text/lines.hh": "#pragma once\n#include <string>\nstd::string line();\n",
                "README.md": "read me\n",
            }
        )

    def git(self, *arguments):
        done = subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@b", *arguments],
            cwd=self.root,
            check=True,
            text=True,
            capture_output=True,
        )
        return done.stdout.strip()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def commit(self, files):
        for name, text in files.items():
            self.write(name, text)
        self.git("add", ".")
        self.git("commit", "-qm", "Change")
        return self.git("rev-parse", "HEAD")

    def configure(self):
        """A build folder that compiles lines.cc."""
        command = (
            f"ccache {COMPILER} -DGIVEN=1 -I{self.root} -std=c++20 -Wall -Wextra -Werror "
            f"-include pch.hh -o a.o -c {self.root}/io/text/lines.cc"
        )
        self.write(
            "build/compile_commands.json",
            json.dumps([{"directory": "/", "command": command, "file": f"{self.root}/io/text/lines.cc"}]),
        )

    def check(self, script, *options):
        done = subprocess.run(
            [sys.executable, CHECKS / script, "--root", self.root, *options],
            text=True,
            capture_output=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


class Changes(Repository):
    def changed(self):
        base = source_files.base_of_changes(self.root)
        return base and source_files.source_files(self.root, {".cc", ".hh"}, base)

    def test_on_a_branch_since_it_left_the_main_branch_of_the_origin(self):
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.git("checkout", "-qb", "branch")
        self.commit({"io/new.hh": "", "README.md": "changed"})
        self.commit({"io/newer.cc": ""})
        self.git("rm", "-q", "io/text/lines.cc")
        self.write("io/not_yet_known_to_git.hh", "")
        self.write("io/text/lines.hh", "changed\n")
        self.assertEqual(self.changed(), ["io/new.hh", "io/newer.cc", "io/not_yet_known_to_git.hh", "io/text/lines.hh"])

    def test_on_the_main_branch_in_the_last_commits(self):
        for number in range(source_files.COMMITS + 2):
            self.commit({f"io/{number:02}.cc": ""})
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.changed(), [f"io/{number:02}.cc" for number in range(2, 12)])

    def test_not_further_back_than_the_last_tag(self):
        for number in range(source_files.COMMITS + 2):
            self.commit({f"io/{number:02}.cc": ""})
            if number == 9:
                self.git("tag", "v1")
        self.assertEqual(self.changed(), ["io/10.cc", "io/11.cc"])
        self.git("tag", "v2")  # a release is checked as what came before
        self.assertEqual(self.changed(), ["io/10.cc", "io/11.cc"])

    def test_a_short_history_means_all_files(self):
        self.assertIsNone(self.changed())
        self.configure()
        status, text = self.check("check_headers.py", "--changed")
        self.assertEqual(status, 0, text)
        self.assertIn("all files", text)
        self.assertIn("1 files checked, 0 to fix", text)


class Commands(Repository):
    def test_sources_that_are_compiled_together_have_their_command(self):
        self.write("io/text/words.cc", "")
        joint = "build/io/CMakeFiles/io.dir/Unity/unity_io_text_cxx.cxx"
        sources = ["io/text/lines.cc", "io/text/words.cc"]
        self.write(joint, "".join(f'#include "{self.root / source}"\n' for source in sources))
        entry = {"directory": "/", "command": f"{COMPILER} -DGIVEN=1 -c {joint}", "file": str(self.root / joint)}
        self.write("build/compile_commands.json", json.dumps([entry]))
        commands = source_files.CompileCommands(self.root, self.root / "build").commands
        self.assertEqual(sorted(commands), sources)
        self.assertEqual(commands[sources[0]], commands[sources[1]])
        self.assertIn("-DGIVEN=1", commands[sources[0]][1])


class Headers(Repository):
    def test_each_is_compiled_alone_and_twice(self):
        self.configure()
        self.assertEqual(self.check("check_headers.py")[0], 0)
        for name, text in {
            "io/text/lacks.hh": "#pragma once\nstd::string text();\n",
            "io/text/unguarded.hh": "struct Line {};\n",
            "io/text/given.hh": "#pragma once\n#if GIVEN != 1\n#error\n#endif\n",
            "codelets/kernels/cuda/launch.hh": "no C++",
        }.items():
            self.write(name, text)
        status, text = self.check("check_headers.py")
        self.assertEqual(status, 1)
        self.assertIn("io/text/lacks.hh:\n", text)
        self.assertIn("io/text/unguarded.hh:\n", text)
        self.assertNotIn("given.hh", text)
        self.assertIn("4 files checked, 2 to fix; 1 that this build does not compile", text)
        self.assertEqual(self.check("check_headers.py", "io/text/given.hh")[0], 0)

    def test_in_limited_time_the_latest_first(self):
        self.configure()
        self.commit({"io/text/newer.hh": "#pragma once\n"})
        status, text = self.check("check_headers.py", "--all", "--minutes", "0")
        self.assertEqual(status, 0, text)
        self.assertIn("2 files were left for want of time", text)
        self.assertIn("0 files checked, 0 to fix", text)
        status, text = self.check("check_headers.py", "--all", "--minutes", "5")
        self.assertIn("2 files checked, 0 to fix", text)
        self.write("io/text/newest.hh", "")
        self.assertEqual(
            source_files.latest_first(self.root, ["io/text/lines.hh", "io/text/newest.hh"])[0], "io/text/newest.hh"
        )

    def test_without_a_build_folder(self):
        status, text = self.check("check_headers.py", "--all")
        self.assertEqual(status, 1)
        self.assertIn("configure first", text)
        self.configure()
        status, text = self.check("check_headers.py", "--since", "nothing")
        self.assertEqual(status, 1)
        self.assertIn("git knows no commit 'nothing'", text)

    def test_flags_of_the_nearest_source_file(self):
        files = ("io/a.cc", "io/text/b.cc", "io/text/c.cc", "tasks/d.cc")
        self.write(
            "build/compile_commands.json",
            json.dumps(
                [{"command": f"c++ -DOF={name} -c {self.root}/{name}", "file": f"{self.root}/{name}"} for name in files]
            ),
        )
        commands = source_files.CompileCommands(self.root, self.root / "build")
        for header, source in (
            ("io/text/b.hh", "io/text/b.cc"),
            ("io/text/x.hh", "io/text/c.cc"),
            ("io/other/x.hh", "io/a.cc"),
            ("tasks/x.hh", "tasks/d.cc"),
        ):
            self.assertEqual(commands.of(header), ("c++", [f"-DOF={source}"]), header)
        self.assertIsNone(commands.of("io/no.cc"))


class Tidy(Repository):
    def test_what_clang_tidy_finds_is_reported_once(self):
        if check_tidy.clang_tidy() is None:
            self.skipTest("clang-tidy 14 is missing")
        self.configure()
        shutil.copy(CHECKS.parents[1] / ".clang-tidy", self.root)
        self.assertEqual(self.check("check_tidy.py")[0], 0)
        self.write(
            "io/text/lines.hh",
            "#pragma once\n#include <string>\ninline bool none(const std::string& s) { return s.size() == 0; }\n",
        )
        self.write("io/text/gpu.cc", "not compiled here")
        self.write("tests/io/lines.hh", (self.root / "io/text/lines.hh").read_text("utf-8"))
        status, text = self.check("check_tidy.py")
        self.assertEqual(status, 1)
        self.assertEqual(text.count("[readability-container-size-empty]"), 1)
        self.assertIn("2 files checked, 1 to fix; 1 that this build does not compile", text)


if __name__ == "__main__":
    unittest.main()
