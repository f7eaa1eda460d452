#!/usr/bin/env python3
"""Tests of scripts/checks/check_mentions.py: what it finds missing on a page, and what not."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/checks"))
import check_mentions

FILES = {
    "io/text/lines.hh": "std::string next_line();\nclass TextLines;\n",
    "io/text/README.md": "",
    "docs/developer/testing.md": "",
    "docs/how-to/read.md": "",
}


class Mentions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-mentions-")
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, check_mentions, "ROOT", check_mentions.ROOT)
        check_mentions.ROOT = pathlib.Path(folder.name)
        for name, text in FILES.items():
            path = check_mentions.ROOT / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def found(self, text, page="docs/developer/testing.md"):
        page = pathlib.PurePath(page)
        (check_mentions.ROOT / page).write_text(text, encoding="utf-8")
        return list(check_mentions.missing(page, check_mentions.Tree()))

    def test_what_exists_is_not_reported(self):
        self.assertEqual(
            self.found(
                "`io/text/lines.hh`, `io/text/`, `lines.hh`, `io/text/*.hh`, `io/{text}/lines.hh`, "
                "`next_line()`, `TextLines`, `std::string`, `--option`, `two words`"
            ),
            [],
        )
        self.assertEqual(self.found("`lines.hh`, `./lines.hh`", "io/text/README.md"), [])

    def test_missing_files_and_names_are_reported_with_their_line(self):
        self.assertEqual(
            self.found("fine\n`io/text/gone.hh`"), ["docs/developer/testing.md:2: there is no io/text/gone.hh"]
        )
        self.assertEqual(
            self.found("`io/text/{lines,gone}.hh`"), ["docs/developer/testing.md:1: there is no io/text/gone.hh"]
        )
        self.assertEqual(
            self.found("`former_line()` and `FormerLines`"),
            [
                "docs/developer/testing.md:1: no source has the name former_line()",
                "docs/developer/testing.md:1: no source has the name FormerLines",
            ],
        )

    def test_pages_for_users_may_name_what_is_not_in_the_sources(self):
        self.assertEqual(self.found("`my_input`, `my/frames.py`", "docs/how-to/read.md"), [])
        self.assertEqual(len(self.found("`io/text/gone.hh`", "docs/how-to/read.md")), 1)

    def test_fenced_blocks_are_left_out_and_lines_still_count(self):
        self.assertEqual(
            self.found("```sh\ncat `io/text/gone.hh`\n```\n`io/text/gone.hh`"),
            ["docs/developer/testing.md:4: there is no io/text/gone.hh"],
        )


class Help(unittest.TestCase):
    def test_checks_of_sources_explain_their_arguments(self):
        for name in ("fortran", "layers", "mentions", "reference", "test_names", "words"):
            command = [sys.executable, pathlib.Path(check_mentions.__file__).with_name(f"check_{name}.py"), "--help"]
            run = subprocess.run(command, text=True, capture_output=True, check=False)
            self.assertEqual((run.returncode, run.stderr), (0, ""), name)
            self.assertIn("usage: check_", run.stdout)


if __name__ == "__main__":
    unittest.main()
