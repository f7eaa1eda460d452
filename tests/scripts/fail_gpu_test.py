"""fail_gpu.py: some refusals of launches and of memory."""

import os
import pathlib
import subprocess
import sys

try:
    import h5py  # noqa: F401
except ImportError:
    print("SKIPPED: h5py is missing")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
run = subprocess.run(
    [
        sys.executable,
        ROOT / "scripts/checks/campaigns/fail_gpu.py",
        "--most",
        "3",
        "--tiles",
        "on",
        "--program",
        os.environ["STARHIST_PROGRAM"],
    ]
)
sys.exit(run.returncode)
