#!/usr/bin/env python3
"""Checks that docs/reference/options.md, the tables in docs/reference/formats.md and scripts/completion/starhist.bash
match the program's tables of options and formats.

    scripts/checks/check_reference.py BUILD_DIR            differences, exit status 1 if there are any
    scripts/checks/check_reference.py BUILD_DIR --write    writes these files

BUILD_DIR holds starhist-reference. `cmake --build BUILD_DIR --target reference` builds it and writes the files.
"""

import argparse
import difflib
import pathlib
import sys

import reference_completion
import reference_page
import reference_tables

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/options.md"
FORMATS = ROOT / "docs/reference/formats.md"
COMPLETION = ROOT / "scripts/completion/starhist.bash"


# Around the tables of formats and of their fields, as MyST's comments.
BEGIN = "% The table is written by scripts/checks/check_reference.py from the formats' records: do not edit.\n"
BEGIN_FIELDS = (
    "% The table of fields is written by scripts/checks/check_reference.py from the formats' records: do not edit.\n"
)
END = "% End of the table.\n"


def with_table(page, table, comment):
    """The page with this table between `comment` and the END after it."""
    begin = page.index(comment) + len(comment)
    end = page.index(END, begin)
    return f"{page[:begin]}\n{table}\n{page[end:]}"


def fresh(build):
    """Path -> text, as the tables have it."""
    commands, table, fields = reference_tables.load(build)
    script = COMPLETION.read_text(encoding="utf-8")
    return {
        PAGE: reference_page.page(commands),
        FORMATS: with_table(with_table(FORMATS.read_text(encoding="utf-8"), table, BEGIN), fields, BEGIN_FIELDS),
        COMPLETION: reference_completion.with_tables(script, commands),
    }


def differences(path, text):
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    name = str(path.relative_to(ROOT))
    return list(
        difflib.unified_diff(old.splitlines(), text.splitlines(), name, "the program's tables", lineterm="", n=1)
    )


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the files")
    parser.add_argument("build_dir")
    options = parser.parse_args(arguments)
    if not (pathlib.Path(options.build_dir) / "starhist-reference").exists():
        parser.error(
            f"{options.build_dir}: lacks starhist-reference (build it: cmake --build {options.build_dir} --target "
            "starhist-reference)"
        )
    problems = 0
    for path, text in fresh(options.build_dir).items():
        lines = differences(path, text)
        if lines and options.write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} is written")
        elif lines:
            problems += 1
            print("\n".join(lines))
    if problems:
        print(
            f"{problems} files do not match the program's tables; to write them: "
            f"cmake --build {options.build_dir} --target reference"
        )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
