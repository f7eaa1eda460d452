"""race_outputs.py: a few pairs of runs with one output, in all settings."""

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
        ROOT / "scripts/checks/campaigns/race_outputs.py",
        "--pairs",
        "16",
        "--program",
        os.environ["STARHIST_PROGRAM"],
    ]
)
sys.exit(run.returncode)
