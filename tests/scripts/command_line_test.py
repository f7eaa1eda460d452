#!/usr/bin/env python3
"""Tests of the command line beside the program: completion in bash, manual pages, commands that are scripts.

STARHIST_PROGRAM names starhist; CTest runs each class on its own.
"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("STARHIST_PROGRAM", ROOT / "build/starhist"))
COMPLETION = ROOT / "scripts/completion/starhist.bash"
MAN_PAGES = PROGRAM.parent / "man/man1"
WATER = ROOT / "tests/data/water.h5"


def starhist(*words, **environment):
    return subprocess.run(
        [PROGRAM, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "STARPU_WORKERS_NOBIND": "1", **environment},
    )


def commands():
    """The names in the list of `starhist help`."""
    listed = starhist("help").stdout.split("\ncommands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.split("\n")]


def options_in_help(command):
    """All spellings in the table of options, "-o" and "--output"."""
    found = set()
    for line in starhist("help", command, COLUMNS="200").stdout.split("\n"):
        if line.startswith("  -"):
            found |= set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", re.split(r" {2,}", line.strip())[0]))
    return found


class Completion(unittest.TestCase):
    def complete(self, *words, folder=ROOT):
        """What bash offers for the last word."""
        script = (
            f". '{COMPLETION}'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _starhist; "
            "printf '%s\\n' \"${COMPREPLY[@]}\""
        )
        run = subprocess.run(
            ["bash", "-c", script, "bash", "starhist", *words], capture_output=True, text=True, check=True, cwd=folder
        )
        self.assertEqual(run.stderr, "")
        return set(filter(None, run.stdout.split("\n")))

    def test_commands_are_those_of_help(self):
        self.assertEqual(self.complete(""), {*commands(), "-h", "--help", "-V", "--version"})
        self.assertEqual(self.complete("help", ""), set(commands()))
        self.assertEqual(self.complete("comp"), {"compare", "compare-schedulers"})

    def test_options_are_those_of_help(self):
        for command in commands():
            with self.subTest(command):
                offered = self.complete(command, "-")
                self.assertIn("--help", offered)
                self.assertEqual(offered, options_in_help(command))

    def test_values_from_a_list_of_words(self):
        described = starhist("help", "analyze").stdout.split("\nquantities:\n")[1].split("\n\n")[0]
        quantities = set(re.findall(r"^  (\S+)  ", described, re.MULTILINE))
        self.assertLessEqual({"sq", "s2", "kirkwood-buff", "fqt-self"}, quantities)
        for words in (("--quantity", ""), ("--quantity", "="), ("rdf.h5", "--errors", "--quantity", "=", "")):
            self.assertEqual(self.complete("analyze", *words), quantities, words)
        self.assertEqual(self.complete("analyze", "--quantity", "k"), {"kirkwood-buff"})
        self.assertEqual(self.complete("export", "--format", "=", "x"), {"xvg"})
        self.assertEqual(self.complete("report", "--normalization", "m"), {"mean-volume"})
        self.assertEqual(self.complete("bench", "--boxes", "open,tri"), {"open,triclinic", "open,triclinic-near"})

    def test_files_folders_and_values_that_nothing_is_known_of(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a folder").mkdir()
            (pathlib.Path(folder) / "a file.h5").touch()
            for words in (("rdf", "a"), ("rdf", "-o", "a"), ("rdf", "x.h5", "--json", "a"), ("plot", "a")):
                self.assertEqual(self.complete(*words, folder=folder), {"a folder", "a file.h5"}, words)
            self.assertEqual(self.complete("compare-schedulers", "-o", "a", folder=folder), {"a folder"})
            self.assertEqual(self.complete("rdf", "--r-max", "", folder=folder), set())

    def test_the_script_is_as_shellcheck_wants_it(self):
        if not shutil.which("shellcheck"):
            self.skipTest("there is no shellcheck")
        run = subprocess.run(["shellcheck", COMPLETION], capture_output=True, text=True, check=False)
        self.assertEqual(run.stdout, "")


class ManPages(unittest.TestCase):
    def text(self, name):
        """The source of a page without roff's escapes."""
        source = (MAN_PAGES / f"{name}.1").read_text(encoding="utf-8")
        return re.sub(r"\\(f[BIRP]|[,/])", "", source).replace("\\-", "-").replace("\\e", "\\")

    def test_every_command_has_a_page_and_the_main_page_lists_them(self):
        names = {f"starhist-{command}" for command in commands()}
        pages = {page.stem for page in MAN_PAGES.iterdir()}
        # starhist-mpi is no command of starhist, and is built where there is an MPI.
        self.assertEqual(pages - {"starhist-mpi"}, names | {"starhist"})
        self.assertEqual("starhist-mpi" in pages, PROGRAM.with_name("starhist-mpi").exists())
        main = self.text("starhist")
        for name in names:
            self.assertIn(f".BR {name} (1)", main)
            self.assertIn(f"\n{name.removeprefix('starhist-')}\n", main)

    def test_options_are_those_of_help(self):
        for command in commands():
            with self.subTest(command):
                text = self.text(f"starhist-{command}")
                tagged = re.findall(r"^\.(?:TP|HP)\n(-.*)$", text, re.M)
                found = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", "\n".join(tagged)))
                self.assertEqual(found, options_in_help(command))

    def test_name_synopsis_and_examples(self):
        text = self.text("starhist-rdf")
        self.assertIn("starhist-rdf - count the pairs of a trajectory", text)
        self.assertIn(".SH SYNOPSIS\n.B starhist\nrdf TRAJ... -o OUT.h5 [options]", text)
        self.assertIn("    starhist rdf water.h5 -o oo.h5 --r-max 1.2 --bin-width 0.005 \\\n      --pairs O-O", text)
        version = starhist("version").stdout.split()[1]
        self.assertIn(f'"starhist {version}"', text.split("\n")[1])

    def test_man_has_nothing_to_remark(self):
        if not shutil.which("groff"):
            self.skipTest("there is no groff")
        for page in sorted(MAN_PAGES.iterdir()):
            run = subprocess.run(
                ["groff", "-man", "-ww", "-Tutf8", "-z", page], capture_output=True, text=True, check=False
            )
            self.assertEqual((run.returncode, run.stderr), (0, ""), page)


class Installed(unittest.TestCase):
    def test_completion_and_manual_pages_are_where_shells_and_man_look(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                ["cmake", "--install", PROGRAM.parent, "--prefix", folder, "--component", "command_line"],
                check=True,
                capture_output=True,
            )
            share = pathlib.Path(folder) / "share"
            self.assertEqual((share / "bash-completion/completions/starhist").read_bytes(), COMPLETION.read_bytes())
            found = {page.name for page in (share / "man/man1").glob("*")}
            self.assertEqual(found, {page.name for page in MAN_PAGES.glob("*.1")})


class Scripts(unittest.TestCase):
    """Commands that are scripts, from the file to the plot."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-command-line-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.result = cls.folder / "water.h5"
        run = starhist(
            "rdf",
            WATER,
            "-o",
            cls.result,
            "--r-max",
            "1.4",
            "--bins",
            "140",
            "--last",
            "1",
            "--quiet",
            STARPU_HOME=folder.name,
        )
        assert run.returncode == 0, run.stderr

    def moved(self, name):
        """A copy of the program in a prefix, with the scripts where they are installed."""
        prefix = self.folder / name
        (prefix / "bin").mkdir(parents=True)
        shutil.copy(PROGRAM, prefix / "bin/starhist")
        shutil.copytree(
            ROOT / "scripts/user", prefix / "share/starhist/scripts", ignore=shutil.ignore_patterns("__pycache__")
        )
        return prefix / "bin/starhist"

    def test_lines_of_help_fit_80_columns_where_there_is_no_terminal(self):
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        commands = re.findall(r"^  ([a-z-]+)  ", starhist("--help").stdout, re.MULTILINE)
        self.assertIn("compare-schedulers", commands)
        for command in ["help", *commands]:
            run = subprocess.run(
                [PROGRAM, command, "--help"],
                capture_output=True,
                text=True,
                check=False,
                stdin=subprocess.DEVNULL,
                env=environment,
            )
            self.assertEqual([line for line in run.stdout.splitlines() if len(line) > 80], [], command)

    def test_plot_draws(self):
        plot = self.folder / "plot.svg"
        run = starhist("plot", self.result, "--pairs", "O-O", "--peaks", "-o", plot)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("O-O: first peak at r = 0.275", run.stdout)
        self.assertTrue(plot.read_bytes().startswith(b"<?xml"))

    def test_plot_says_what_is_wrong_as_the_program_does(self):
        run = starhist("plot", self.folder / "no.h5", "-o", self.folder / "no.svg")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, "^starhist plot: .*no.h5: does not exist")

    def test_report_asks_the_program_that_called_it(self):
        program, page = self.moved("installed"), self.folder / "page.html"
        environment = {**os.environ, "PATH": "/usr/bin:/bin"}
        run = subprocess.run(
            [program, "report", self.result, "-o", page], capture_output=True, text=True, check=False, env=environment
        )
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("first peaks", page.read_text(encoding="utf-8").lower())
        # Fails without it: the program is not in PATH, and no option or variable names it.
        program.rename(program.with_name("other"))
        script = self.folder / "installed/share/starhist/scripts/report.py"
        environment.pop("STARHIST_PROGRAM", None)
        run = subprocess.run(
            [sys.executable, script, self.result, "-o", page],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        self.assertEqual(run.returncode, 1)
        self.assertIn("starhist is neither installed with this script", run.stderr)

    def test_compare_schedulers_runs_the_program_that_called_it(self):
        program, output = self.moved("compared"), self.folder / "comparison"
        run = subprocess.run(
            [
                program,
                "compare-schedulers",
                WATER,
                "--r-max",
                "1.4",
                "--bins",
                "140",
                "--schedulers",
                "eager",
                "--workers",
                "NCPU=1",
                "--repeat",
                "1",
                "-o",
                output,
                "--",
                "--last",
                "1",
            ],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(self.folder)},
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        record = json.loads((output / "runs.json").read_text(encoding="utf-8"))
        self.assertEqual({one["command"][0] for one in record["runs"]}, {str(program)})


if __name__ == "__main__":
    if "Scripts" in sys.argv and any(
        importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "matplotlib")
    ):
        print("SKIPPED: h5py, numpy or matplotlib is missing")
        sys.exit(77)
    if "ManPages" in sys.argv and not MAN_PAGES.is_dir():
        print("SKIPPED: no manual pages were built (help2man makes them)")
        sys.exit(77)
    unittest.main(verbosity=2)
