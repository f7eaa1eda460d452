"""kill_runs.py: some interruptions, in all settings."""

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
        ROOT / "scripts/checks/campaigns/kill_runs.py",
        "--kills",
        "25",
        "--program",
        os.environ["STARHIST_PROGRAM"],
    ]
)
sys.exit(run.returncode)
