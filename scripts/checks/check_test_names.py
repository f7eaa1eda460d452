#!/usr/bin/env python3
"""Names of test cases that cannot be run by CTest or stand twice: a semicolon makes two tests of
one, a leading hyphen an option of Catch2, and neither runs.

    scripts/checks/check_test_names.py [ROOT]     prints such names, exit status 1 if any
"""

import argparse
import pathlib
import re
import sys

TEST_CASE = re.compile(r'TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    root = parser.parse_args().root
    seen, problems, cases = {}, 0, 0
    for path in sorted((root / "tests").rglob("*.test.cc")):
        for match in TEST_CASE.finditer(path.read_text("utf-8")):
            name = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[1]))
            program = path.relative_to(root).parts[1]
            cases += 1
            if ";" in name:
                problems += 1
                print(f"{path}: '{name}' has a semicolon, at which CTest splits names")
            if name.startswith("-"):
                problems += 1
                print(f"{path}: '{name}' begins like an option, and Catch2 takes it for one")
            if (program, name) in seen:
                problems += 1
                print(f"{path}: '{name}' stands in {seen[program, name]} too")
            seen[program, name] = path
    print(f"{cases} test cases, {problems} names to fix")
    return 1 if problems or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
