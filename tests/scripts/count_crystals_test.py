"""count_crystals.py: a few crystals in all formats."""

import os
import pathlib
import subprocess
import sys

try:
    import h5py  # noqa: F401
    import numpy  # noqa: F401
except ImportError:
    print("SKIPPED: h5py or numpy is missing")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
run = subprocess.run(
    [
        sys.executable,
        ROOT / "scripts/checks/campaigns/count_crystals.py",
        "--crystals",
        "10",
        "--program",
        os.environ["STARHIST_PROGRAM"],
    ]
)
sys.exit(run.returncode)
