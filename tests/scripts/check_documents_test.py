#!/usr/bin/env python3
"""scripts/checks/check_documents.py on pages of a few lines, with a shell script as starhist."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

try:
    import h5py  # noqa: F401  the script wants both
    import matplotlib
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)
matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "checks" / "check_documents.py"
STARHIST = """#!/bin/sh
case $1 in
  lines) seq "$2";;
  rate) echo "0.$$ s, 1.2$$ 10^9 pairs/s (scheduler lws, kernel avx2)";;
  pairs) echo "51 frames, 17$2 pairs"; echo "a remark" >&2;;
  plot) cp "$2" g.svg;;
  refuse) echo "starhist: no"; exit 1;;
  sleep) exec sleep 5;;
esac
"""


def block(*lines, language="console"):
    return "\n".join([f"```{language}", *lines, "```", ""])


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "build" / "starhist"
        self.program.parent.mkdir()
        self.program.write_text(STARHIST)
        self.program.chmod(0o755)
        self.page = self.folder / "page.md"

    def check(self, text=None, *options):
        """The exit status and output of the script for a page."""
        if text is not None:
            self.page.write_text(text)
        done = subprocess.run(
            [sys.executable, SCRIPT, "--program", self.program.parent, self.page, *options],
            text=True,
            capture_output=True,
            check=False,
        )
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def passes(self, text):
        status, output = self.check(text)
        self.assertEqual(status, 0, output)
        self.assertEqual(output.splitlines()[-1], "1 passed, 0 failed")

    def fails(self, text, *parts):
        status, output = self.check(text)
        self.assertEqual(status, 1, output)
        self.assertEqual(output.splitlines()[-1], "0 passed, 1 failed")
        for part in parts:
            self.assertIn(part, output)

    def test_output_must_be_that_of_the_page(self):
        self.passes(block("$ starhist lines 3", "1", "2", "3"))
        self.passes(block("$ starhist pairs 5", "51 frames, 175 pairs", "a remark"))
        self.fails(block("$ starhist lines 3", "1", "2"), "page.md:2: another output: starhist lines 3", "    +3")
        self.fails(block("$ starhist lines 3", "1", "4", "3"), "    -4", "    +2")
        self.fails(block("$ starhist pairs 5", "51 frames, 176 pairs", "a remark"))
        self.fails(block("$ starhist lines 1"), "    +1")

    def test_three_dots_stand_for_lines(self):
        self.passes(block("$ starhist lines 9", "1", "...", "9"))
        self.passes(block("$ starhist lines 9", "...", "4", "5", "...", "9"))
        self.passes(block("$ starhist lines 9", "..."))
        self.passes(block("$ starhist lines 2", "1", "...", "2"))
        self.fails(block("$ starhist lines 9", "1", "...", "8"))
        self.fails(block("$ starhist lines 9", "2", "..."))
        self.fails(block("$ starhist lines 9", "...", "5", "4", "..."))

    def test_dots_in_brackets_stand_for_text_of_a_line(self):
        self.passes(block("$ starhist pairs 77", "51 frames, [...] pairs", "a [...]"))
        self.fails(block("$ starhist pairs 77", "51 frames, [...] pears", "a remark"))
        self.fails(block("$ starhist pairs 77", "51 [...]remark"))

    def test_measured_numbers_are_not_compared(self):
        self.passes(block("$ starhist rate", "0.18 s, 0.983 10^9 pairs/s (scheduler lws, kernel avx512)"))
        self.fails(block("$ starhist rate", "0.18 s, 0.983 10^9 pairs/s (scheduler dmda, kernel avx512)"))

    def test_commands_share_a_shell_and_a_folder_with_the_samples(self):
        self.passes(
            block(
                "$ mkdir there && cd there && number=4",
                "$ ls ..",
                "nacl.h5",
                "nickel.gr",
                "peptide.gro",
                "peptide.xtc",
                "silica-measured.dat",
                "silica.lammpstrj.gz",
                "spc.tpr",
                "spc.xtc",
                "there",
                "water-214.gro",
                "water-spce.xtc",
                "water-tip3p.xtc",
                "water.h5",
                "$ starhist lines $number",
                "...",
                "4",
            )
        )

    def test_a_command_of_several_lines(self):
        self.passes(block("$ cat <<END", "> two", "> lines", "> END", "two", "lines"))
        self.passes(block("$ starhist \\", ">   lines 1", "1"))

    def test_the_exit_status_must_be_0(self):
        self.fails(block("$ starhist refuse", "starhist: no"), "exit status 1: starhist refuse")
        self.passes(block("$ starhist refuse; echo status $?", "starhist: no", "status 1"))
        self.fails(block("$ exit 0", "$ starhist lines 1", "1"), "no command comes after this one")

    def test_only_console_blocks_and_files_are_executed(self):
        self.passes(block("starhist refuse", language="sh") + block("$ starhist lines 1", "1"))
        self.passes(
            textwrap.dedent("""\
            ```{code-block} python
            :caption: say.py

            print("said")
            ```
            """)
            + block("$ python3 say.py", "said")
        )
        self.fails(block(":caption: ../say.py", "pass", language="{code-block} python"), "not a plain file")

    def test_blocks_in_lists(self):
        self.passes("1. First:\n\n   ```console\n   $ starhist lines 2\n   1\n   2\n   ```\n")

    def test_pages_that_cannot_be_read(self):
        self.fails("```console\n$ starhist lines 1\n1\n", "page.md:1: this block has no end")
        self.fails(block("1", "$ starhist lines 1"), "begins with '$ ' and a command")
        self.page.unlink()
        self.fails(None, "No such file")

    def test_pages_without_commands_are_not_counted(self):
        status, output = self.check("Words.\n")
        self.assertEqual((status, output), (0, "0 passed, 0 failed\n"))

    def test_update_writes_what_the_program_says(self):
        text = (
            "Text.\n\n"
            + block("$ starhist lines 4", "1", "...", "7")
            + block(
                "$ starhist rate",
                "0.18 s, 0.983 10^9 pairs/s (scheduler lws, kernel avx512)",
                "$ starhist pairs 5",
                "51 frames, 3 pairs",
            )
            + "\nThe end.\n"
        )
        status, output = self.check(text, "--update")
        self.assertEqual(status, 0, output)
        right = text.replace("7\n", "4\n").replace("51 frames, 3 pairs", "51 frames, 175 pairs\na remark")
        self.assertEqual(self.page.read_text(), right)
        self.passes(right)
        self.assertEqual(self.page.read_text(), right)

    def test_pictures_are_compared_with_what_the_commands_draw(self):
        def draw(name, height, **size):
            figure, axes = plt.subplots(**size)
            axes.plot([0, 1, 2, 3], [0, height, 1, 1])
            axes.set_ylim(0, 3)
            figure.savefig(self.folder / name)
            plt.close(figure)

        text = block(f"$ starhist plot {self.folder}/made.svg") + "![g(r) of water](pictures/g.svg)\n"
        (self.folder / "pictures").mkdir()
        draw("made.svg", 2.5)
        self.fails(text, "page.md:4: pictures/g.svg: does not exist")
        draw("pictures/g.svg", 2.5, figsize=(4, 3))  # the same curve in another lay-out
        self.passes(text)
        draw("pictures/g.svg", 2.4)
        self.fails(text, "curve 1 of 1 is another one")
        status, output = self.check(text, "--update")
        self.assertEqual(status, 0, output)
        self.passes(text)
        self.fails(text.replace("g.svg", "h.svg"), "no command makes h.svg")


if __name__ == "__main__":
    unittest.main()
