"""verify_faults.py: a few flipped bits of each kind, all found by starhist verify."""

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
        ROOT / "scripts/checks/campaigns/verify_faults.py",
        "--count",
        "24",
        "--seed",
        "2",
        "--program",
        os.environ["STARHIST_PROGRAM"],
    ],
    check=False,
)
sys.exit(run.returncode)
