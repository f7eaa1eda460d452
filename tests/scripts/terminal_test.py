#!/usr/bin/env python3
"""Tests of what people see on terminals of 40 and of 200 columns: pseudo terminals, and what a program writes to them.

STARHIST_PROGRAM names starhist; CTest runs each class on its own.
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
WATER = ROOT / "tests/data/water.h5"
NARROW, WIDE = 40, 200
SCRIPTS = {"plot", "peaks", "compare", "report", "compare-schedulers"}


def set_columns(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


class Terminal:
    """A starhist whose standard output and error are a terminal of so many columns."""

    def __init__(self, columns, *words, **environment):
        self.ours, theirs = pty.openpty()
        set_columns(theirs, columns)
        # Lines are read unchanged: "\\n" only, and no echo.
        settings = termios.tcgetattr(theirs)
        settings[1] &= ~termios.OPOST
        termios.tcsetattr(theirs, termios.TCSANOW, settings)
        self.text = ""
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "STARPU_WORKERS_NOBIND": "1", **environment},
        )
        os.close(theirs)

    def read_until(self, found, seconds=120):
        """Reads until found(text), or to the end of the program if that is None."""
        limit = time.monotonic() + seconds
        while found is None or not found(self.text):
            if not select.select([self.ours], [], [], max(0, limit - time.monotonic()))[0]:
                self.process.kill()
                raise AssertionError(f"nothing more after {seconds} s: {self.text[-500:]!r}")
            try:
                more = os.read(self.ours, 65536)
            except OSError:  # the other end is closed
                more = b""
            if not more:
                if found is None:
                    return self.text
                raise AssertionError(f"it ended: {self.text[-500:]!r}")
            self.text += more.decode()
        return self.text

    def end(self):
        """All that it wrote."""
        self.read_until(None)
        os.close(self.ours)
        self.code = self.process.wait()
        return self.text


def drawn(text):
    """The progress lines: what is between the beginning of a line and the order to clear its rest."""
    return re.findall(r"\r([^\r\n\x1b]+)\x1b\[K", text)


class Progress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-terminal-")
        self.addCleanup(folder.cleanup)
        self.output = pathlib.Path(folder.name) / "rdf.h5"

    def run_on(self, columns, files=1):
        """A run of 51 frames for each of the files, on one slow worker."""
        return Terminal(
            columns,
            "rdf",
            *[WATER] * files,
            "--repeated",
            "keep",
            "-o",
            self.output,
            "--r-max",
            "1.4",
            "--bins",
            "280",
            STARPU_NCPU="1",
            STARPU_NCUDA="0",
            STARHIST_CPU_VARIANT="baseline",
            STARPU_HOME=str(self.output.parent),
        )

    def test_a_line_never_reaches_the_last_column(self):
        for columns, shape in (
            (NARROW, r"\[[#.]{8,}\] +\d+\.\d %  +[\d:-]+ left"),
            (WIDE, r"\[[#.]{30}\] +\d+\.\d %  \d\.\d\de\+\d\d pairs/s  [\d:-]+ left"),
        ):
            with self.subTest(columns):
                run = self.run_on(columns)
                lines = drawn(run.end())
                self.assertEqual(run.code, 0, run.text)
                self.assertGreater(len(lines), 0)
                for line in lines:
                    self.assertLess(len(line), columns)
                    self.assertRegex(line, f"^{shape}$")
                self.assertIn("100.0 %", lines[-1])
                # The summary takes the place of the line, which is cleared.
                self.assertIn("\r\x1b[K" + str(self.output), run.text)
                os.remove(self.output)

    def test_a_terminal_that_gets_narrower_has_shorter_lines_from_then_on(self):
        run = self.run_on(WIDE, files=400)
        run.read_until(lambda text: len(drawn(text)) >= 2)
        set_columns(run.ours, NARROW)
        begun = len(drawn(run.text))
        # One line may have been drawn for the width before.
        lines = drawn(run.read_until(lambda text: len(drawn(text)) >= begun + 3))
        run.process.terminate()
        run.end()
        self.assertGreater(len(lines[0]), NARROW)
        for line in lines[begun + 1 :]:
            self.assertLess(len(line), NARROW)


class Help(unittest.TestCase):
    def test_tables_of_options_are_as_wide_as_the_terminal(self):
        for columns in (NARROW, 80, WIDE):
            for command in ("rdf", "info", "analyze"):
                with self.subTest(command=command, columns=columns):
                    text = Terminal(columns, command, "--help").end()
                    table = text[re.search(r"^(input|computation):$", text, re.M).start() :]
                    table = table[: re.search(r"^(selections|examples|quantities)", table, re.M).start()]
                    longest = max(map(len, table.split("\n")))
                    self.assertLessEqual(longest, min(columns, 100))
                    self.assertGreater(longest, 0.8 * min(columns, 100))

    def test_no_line_of_help_is_wider_than_eighty_columns(self):
        """But indented lines of the scripts, which stay as they are written."""
        listed = Terminal(80, "help").end()
        commands = [line.split()[0] for line in listed.split("\ncommands:\n")[1].split("\n\n")[0].split("\n")]
        for command in ["help", *commands]:
            with self.subTest(command):
                text = listed if command == "help" else Terminal(80, command, "--help", COLUMNS="80").end()
                self.assertEqual(
                    [
                        line
                        for line in text.split("\n")
                        if len(line) > 80 and not (command in SCRIPTS and line.startswith("  "))
                    ],
                    [],
                )


if __name__ == "__main__":
    unittest.main(verbosity=2)
