"""fail_calls.py: some calls of small runs fail."""

import mmap
import os
import pathlib
import shutil
import subprocess
import sys


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(77)


try:
    import h5py  # noqa: F401
except ImportError:
    skip("h5py is missing")
if shutil.which(os.environ.get("CC", "cc")) is None:
    skip("there is no C compiler for the library that is preloaded")
PROGRAM = os.environ["STARHIST_PROGRAM"]
with open(PROGRAM, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
    if text.find(b"__asan_init") >= 0:
        skip("the address sanitizer has to be loaded before all other libraries")

ROOT = pathlib.Path(__file__).resolve().parents[2]
for scenes, every in (("hdf5", "50"), ("text,resume", "200")):
    run = subprocess.run(
        [
            sys.executable,
            ROOT / "scripts/checks/campaigns/fail_calls.py",
            "--every",
            every,
            "--scenes",
            scenes,
            "--program",
            PROGRAM,
        ],
        check=False,
    )
    if run.returncode != 0:
        sys.exit(run.returncode)
