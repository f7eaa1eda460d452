#!/usr/bin/env python3
"""Tests of the files that the scripts of scripts/user write, and of names that they show. STARHIST_PROGRAM names
starhist."""

import contextlib
import importlib
import importlib.util
import io
import os
import pathlib
import resource
import stat
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts/user"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("numpy", "matplotlib")):
    print("SKIPPED: numpy or matplotlib is missing")
    sys.exit(77)

sys.path.insert(0, str(SCRIPTS))
import output_files  # noqa: E402
import shown_text  # noqa: E402

COMMANDS = ("plot_rdf", "plot_gantt", "peaks", "compare", "report", "compare_schedulers")
NAMES = ("a,b", "O-O", "O", r"$\frac$", "<b>&amp;", "_A", "n\u00e9", "\u202eSi")


def option_of(action):
    return action.option_strings[-1] if action.option_strings else ""


class Paths(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-outputs-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_each_argument_that_names_a_file_is_an_input_or_an_output(self):
        for name in COMMANDS:
            parser = importlib.import_module(name).make_parser()
            roles = [*parser.reads, *parser.writes]
            self.assertTrue(parser.reads and parser.writes, name)
            for action in parser._actions:
                words = str(action.metavar or action.dest)
                if any(word in words for word in ("FILE", "RESULT", "TRAJ", "DIR", "FOLDER")):
                    self.assertIn(action, roles, f"{name} {words}")

    def test_no_output_overwrites_an_input_by_its_name_or_by_a_link(self):
        combinations = 0
        for name in COMMANDS:
            parser = importlib.import_module(name).make_parser()
            for output in parser.writes:
                for read in parser.reads:
                    path = self.folder / f"input-{combinations}"
                    path.write_text("precious", encoding="utf-8")
                    hard, soft = path.with_suffix(".hard"), path.with_suffix(".soft")
                    os.link(path, hard)
                    soft.symlink_to(path.name)
                    needed = [] if not read.option_strings else ["result.h5"]
                    if name == "compare_schedulers":
                        needed += ["--r-max", "1", "--bins", "5"]
                    for written in (path, hard, soft):
                        words = [option_of(output), written, *filter(None, [option_of(read)]), path, *needed]
                        run = subprocess.run(
                            [sys.executable, SCRIPTS / f"{name}.py", *map(str, words)],
                            text=True,
                            capture_output=True,
                            check=False,
                        )
                        self.assertEqual(run.returncode, 1, run.stderr)
                        self.assertIn("would overwrite", run.stderr)
                        self.assertEqual(path.read_text(encoding="utf-8"), "precious")
                    combinations += 1
        self.assertGreaterEqual(combinations, 8)

    def test_the_summary_that_a_report_shows_is_not_overwritten(self):
        result, summary = self.folder / "r.h5", self.folder / "summary"
        subprocess.run(
            [
                PROGRAM,
                "rdf",
                ROOT / "tests/data/water.h5",
                "-o",
                result,
                "--r-max",
                "1",
                "--bins",
                "5",
                "--last",
                "1",
                "--json",
                summary,
                "-q",
            ],
            check=True,
        )
        before = summary.read_bytes()
        run = subprocess.run([PROGRAM, "report", result, "-o", summary], text=True, capture_output=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("would replace a file that is not an HTML page", run.stderr)
        self.assertEqual(summary.read_bytes(), before)

    def parse(self, name, *words):
        """Returns the message with which a command refuses its options; "" if it accepts them."""
        messages = io.StringIO()
        try:
            with contextlib.redirect_stderr(messages):
                importlib.import_module(name).make_parser().parse_args([*map(str, words)])
        except SystemExit:
            return messages.getvalue()
        return ""

    def test_outputs_are_refused_before_the_work(self):
        result = self.folder / "r.h5"
        result.write_bytes(b"\x89HDF\r\n")
        for name in ("plot_rdf", "peaks", "compare", "report"):
            inputs = [result, result] if name == "compare" else [result]
            kept = self.folder / f"{name}.kept"
            for content in (b"\x89HDF\r\n\x1a\n", b"\0\0\x07\xcb", b"12\nan XYZ file\n", b"# quantity: g\n"):
                plain = self.folder / name
                plain.write_bytes(content)
                with self.subTest(name, content=content):
                    self.assertIn("would replace a file that is not", self.parse(name, *inputs, "-o", plain))
                    self.assertEqual(plain.read_bytes(), content)
            for path, words in (
                (self.folder / "no" / "x", "no does not exist (create it"),
                (self.folder, "is a folder"),
                (self.folder / "x.h5", "the ending .h5 is not one of"),
                (self.folder / "x.xvg", "the ending .xvg is not one of"),
                (self.folder / "x.DOC", "the ending .DOC is not one of"),
            ):
                self.assertIn(words, self.parse(name, *inputs, "-o", path))
            for path in (kept if name in ("peaks", "report") else kept.with_suffix(".svg"), "/dev/null"):
                self.assertEqual(self.parse(name, *inputs, "-o", path), "")
        self.assertIn("choose .html, .htm or .xhtml", self.parse("report", result, "-o", "r.pdf"))

    def test_files_and_options_come_in_any_order(self):
        words = ["a.h5", "-o", self.folder / "f.svg", "b.h5", "--pairs", "O-O", "c.csv"]
        self.assertEqual(self.parse("compare", *words), "")
        options = importlib.import_module("compare").make_parser().parse_args([*map(str, words)])
        self.assertEqual(options.files, ["a.h5", "b.h5", "c.csv"])
        self.assertEqual(self.parse("plot_rdf", "a.h5", "-o", self.folder / "f.svg", "b.h5"), "")
        self.assertIn("unexpected 'b.h5' (one file is read): run the command once", self.parse("peaks", "a.h5", "b.h5"))

    def test_own_outputs_are_replaced(self):
        result = self.folder / "r.h5"
        words = ["--r-max", "0.5", "--bins", "50", "--last", "5", "-q"]
        subprocess.run([PROGRAM, "rdf", ROOT / "tests/data/water.h5", "-o", result, *words], check=True)
        for name, endings in (
            ("plot_rdf", ("", ".svg", ".png", ".pdf", ".eps")),
            ("peaks", ("", ".csv", ".json")),
            ("report", (".html",)),
        ):
            for ending in endings:
                path = self.folder / f"{name}{ending}"
                for _ in range(2):
                    subprocess.run(
                        [sys.executable, SCRIPTS / f"{name}.py", result, "-o", path], check=True, capture_output=True
                    )
                self.assertTrue(path.stat().st_size)

    def test_a_file_is_complete_or_as_it_was(self):
        path = self.folder / "page.html"

        def write_more_than_fits():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
            try:
                output_files.write_whole_file(path, "x" * 5000)
            except OSError:
                os._exit(3)
            os._exit(0)

        for before in (None, "old"):
            if before:
                path.write_text(before, encoding="utf-8")
                path.chmod(0o600)
            child = os.fork()
            if child == 0:
                import signal

                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                write_more_than_fits()
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 3)
            self.assertEqual(path.read_text(encoding="utf-8") if path.exists() else None, before)
            self.assertEqual([each.name for each in self.folder.iterdir()], ["page.html"] if before else [])
        output_files.write_whole_file(path, "new")
        self.assertEqual((path.read_text(encoding="utf-8"), stat.S_IMODE(path.stat().st_mode)), ("new", 0o600))
        output_files.write_whole_file("/dev/null", "nothing")

    def test_a_pipe_without_a_reader_is_refused(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with (
            mock.patch.object(output_files, "TIME_FOR_READER", 0.1),
            self.assertRaisesRegex(OSError, "no program has opened this pipe"),
        ):
            output_files.write_whole_file(pipe, "text")
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
            output_files.write_whole_file(pipe, "text")
            self.assertEqual(reader.stdout.read(), "text")

    def test_outputs_that_cannot_be_written_have_a_remedy(self):
        result, file = self.folder / "r.h5", self.folder / "file"
        file.write_text("", encoding="utf-8")
        count = [PROGRAM, "rdf", ROOT / "tests/data/water.h5", "--r-max", "1", "--bins", "50", "--last", "5"]
        subprocess.run([*count, "-o", result, "-q"], check=True)
        no_space = "make room, or write to another disk"
        for command, ending in (("report", ".html"), ("plot", ".svg"), ("peaks", ".csv"), ("export", ".csv")):
            for output, message in (
                (file / f"x{ending}", "is a file, not a folder"),
                (self.folder / "none" / f"x{ending}", "does not exist (create it, or choose another)"),
                (f"/proc/x{ending}", "choose another name or folder"),
                ("/dev/full", no_space),
            ):
                if command == "export" and output != "/dev/full":
                    message = "choose another name or folder"
                words = [PROGRAM, command, result, "-o", output]
                run = subprocess.run(words, text=True, capture_output=True, check=False)
                with self.subTest(words[1:]):
                    self.assertEqual(run.returncode, 2 if command == "export" and message == no_space else 1)
                    self.assertIn(message, run.stderr)
                    self.assertLessEqual(run.stderr.count("cannot be written"), 1)

    def test_a_pipe_without_a_reader_takes_no_processor_time(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        words = [
            PROGRAM,
            "rdf",
            ROOT / "tests/data/water.h5",
            "-o",
            self.folder / "p.h5",
            "--last",
            "0",
            "--json",
            pipe,
        ]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(words, text=True, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertIn("no program has opened this pipe", run.stderr)
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 3.0)


class Names(unittest.TestCase):
    def test_control_characters_are_shown(self):
        self.assertEqual(shown_text.shown("a\x1b[31m\u202eb\n\u00e9"), "a\\x1b[31m\\u202eb\\x0a\u00e9")
        self.assertEqual(shown_text.in_figure("$\\frac$"), "\\$\\frac\\$")

    def test_any_name_is_shown_by_every_command(self):
        with tempfile.TemporaryDirectory(prefix="starhist-names-") as name:
            folder = pathlib.Path(name)
            # Latin-1's bytes are no UTF-8; one such name is enough, because the time grows with the pairs.
            for source, species, encoding in (("names", NAMES, "utf-8"), ("latin", ("O", "m\u00e9"), "latin-1")):
                atoms = "".join(f"{species[k]} {k} {2 * k % 7} {{0}}\n" for k in range(len(species)))
                frames = "".join(
                    f'{len(species)}\nLattice="9 0 0 0 9 0 0 0 9"\n' + atoms.replace("{0}", str(k)) for k in range(3)
                )
                (folder / f"{source}.xyz").write_bytes(frames.encode(encoding))
                result = folder / f"{source}.h5"
                subprocess.run(
                    [
                        PROGRAM,
                        "rdf",
                        folder / f"{source}.xyz",
                        "-o",
                        result,
                        "--r-max",
                        "4",
                        "--bins",
                        "40",
                        "--block",
                        "1",
                        "-q",
                    ],
                    check=True,
                )
                # A panel for each name; for each pair they would take most of the time.
                panels = (
                    ["--pairs", ",".join(f"(O)-({each})" for each in NAMES if each != "O")] if species == NAMES else []
                )
                for words in (
                    ["plot", "-o", folder / "a.svg"],
                    ["plot", "-o", folder / "b.png", "--panels", *panels],
                    ["peaks", "-o", folder / "a.csv"],
                    ["report", "-o", folder / "a.html"],
                    ["export", "-o", folder / "e.csv"],
                    ["info"],
                ):
                    run = subprocess.run([PROGRAM, words[0], result, *words[1:]], capture_output=True, check=False)
                    with self.subTest(source=source, words=words):
                        self.assertEqual(run.returncode, 0, run.stderr)
                        self.assertNotIn(b"Traceback", run.stderr)
                        self.assertNotIn("\u202e".encode(), run.stdout + run.stderr)
                for path in folder.iterdir():
                    if path.suffix in (".csv", ".html", ".svg"):
                        self.assertNotIn("\u202e".encode(), path.read_bytes(), path)
            # Names with a comma can be chosen.
            run = subprocess.run(
                [PROGRAM, "peaks", folder / "names.h5", "--pairs", "O-O,a,b-O,(O-O)-(O)", "--format", "json"],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertNotIn("there is no species", run.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
