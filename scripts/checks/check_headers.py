#!/usr/bin/env python3
"""Checks that each header compiles without other includes, and can be included twice, with the flags of
compile_commands.json.

    scripts/checks/check_headers.py [--changed | --since COMMIT | --all] [FILE...]

Exit status: 0 passed, 1 failed. CUDA headers are not checked."""

import subprocess
import sys

import source_files


def check(commands, path):
    compiler, flags = commands.of(path)
    done = subprocess.run(
        [compiler, *flags, "-fsyntax-only", "-x", "c++", "-"],
        check=False,
        input=f'#include "{path}"\n' * 2,
        text=True,
        capture_output=True,
        cwd=commands.root,
    )
    return done.stderr + done.stdout if done.returncode else ""


if __name__ == "__main__":
    sys.exit(source_files.check_files(__doc__, {".hh"}, check))
