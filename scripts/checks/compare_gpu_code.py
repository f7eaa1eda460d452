#!/usr/bin/env python3
"""Compares the GPU machine code of two builds, so that a change which must not touch the kernels
can be shown not to. Names do not count: functions and types may be renamed or move to other
namespaces.

    scripts/checks/compare_gpu_code.py OLD_BUILD NEW_BUILD     exit status 0 equal, 1 not, 77 no cuobjdump

Per architecture the multisets of the functions' instructions are compared. Lines that differ in
position only (addresses, encodings of symbols) are compared as cuobjdump -sass prints them.
"""

import collections
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys


def functions_of(text):
    """(architecture, name, instructions) of each function in the output of cuobjdump -sass."""
    architecture, name, lines = None, None, []
    for line in text.splitlines():
        begins_file, begins_function = line.startswith("arch = "), "Function : " in line
        if (begins_file or begins_function) and name is not None:
            yield architecture, name, "\n".join(lines)
        if begins_file:
            architecture, name, lines = line[7:], None, []
        elif begins_function:
            name, lines = line.split("Function : ")[1], []
        elif name is not None and re.match(r"\s*(/\*|\.)", line):
            lines.append(re.sub(r"_ZN\w+|_Z\w+", "SYMBOL", line.strip()))
    if name is not None:
        yield architecture, name, "\n".join(lines)


def functions(build):
    """Counter of (architecture, hash of the instructions), and their names."""
    found, names = collections.Counter(), {}
    objects = sorted(pathlib.Path(build).rglob("starhist_cuda_kernels.dir/**/*.cu.o"))
    if not objects:
        sys.exit(f"compare_gpu_code.py: no CUDA objects below {build} (build it for GPUs first)")
    for path in objects:
        text = subprocess.run(["cuobjdump", "-sass", path], check=True, capture_output=True, text=True).stdout
        for architecture, name, body in functions_of(text):
            key = architecture, hashlib.sha256(body.encode()).hexdigest()
            found[key] += 1
            names.setdefault(key, name)
    return found, names


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not shutil.which("cuobjdump"):
        print("SKIPPED: cuobjdump is not in PATH (it comes with the CUDA Toolkit)")
        return 77
    (old, old_names), (new, new_names) = functions(sys.argv[1]), functions(sys.argv[2])
    for title, missing, names in (
        ("only in the old build", old - new, old_names),
        ("only in the new build", new - old, new_names),
    ):
        for key in missing:
            print(f"{title}: {key[0]} {names[key]}")
    print(f"{sum(old.values())} and {sum(new.values())} functions, {sum((old & new).values())} with equal machine code")
    return 0 if old == new else 1


if __name__ == "__main__":
    sys.exit(main())
