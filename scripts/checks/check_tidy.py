#!/usr/bin/env python3
"""Checks source files and headers with clang-tidy, with the checks in .clang-tidy and the flags of
compile_commands.json. Each header is checked separately, and so reported once.

    scripts/checks/check_tidy.py [--changed | --since COMMIT | --all] [FILE...]

Tests are skipped: deliberate mistakes and expanded Catch2 macros would be reported. CUDA sources are
skipped, too. Exit status: 0 passed, 1 findings, 77 skipped. Versions of clang-tidy differ in their
checks, so only version 14 (Debian 12) is used."""

import re
import shutil
import subprocess
import sys

import source_files

VERSION = "14"
# What clang says of GCC's flags, what GCC's -Wconversion leaves alone, and that a header is not a
# source file.
CLANG = [
    "-Wno-unknown-warning-option",
    "-Wno-ignored-optimization-argument",
    "-Wno-sign-conversion",
    "-Wno-pragma-once-outside-header",
]


def clang_tidy():
    """clang-tidy of VERSION, or None."""
    for name in (f"clang-tidy-{VERSION}", "clang-tidy"):
        if shutil.which(name):
            version = subprocess.run([name, "--version"], check=True, text=True, capture_output=True).stdout
            if re.search(rf"version {VERSION}\.", version):
                return name
    return None


def check(commands, path):
    command = commands.of(path)
    if command is None:
        return None
    # Definitions in a header are used by its includers.
    language = ["-x", "c++", "-Wno-unused"] if path.endswith(".hh") else []
    done = subprocess.run(
        [clang_tidy(), "--quiet", path, "--", *command[1], *language, *CLANG],
        check=False,
        text=True,
        capture_output=True,
        cwd=commands.root,
    )
    return done.stdout if done.returncode or done.stdout.strip() else ""


if __name__ == "__main__":
    if clang_tidy() is None:
        print(f"SKIPPED: clang-tidy {VERSION} is missing (apt-get install clang-tidy)")
        sys.exit(77)
    product = [folder for folder in source_files.FOLDERS if folder != "tests"]
    sys.exit(source_files.check_files(__doc__, {".hh", ".cc"}, check, product))
