#!/usr/bin/env python3
"""Damaged results through every reader, in short. STARHIST_PROGRAM names starhist."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/checks/campaigns/mutate_results.py"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

try:
    import h5py
    import matplotlib  # noqa: F401
    import numpy  # noqa: F401
except ImportError:
    print("SKIPPED: h5py, numpy or matplotlib is missing")
    sys.exit(77)

sys.path.insert(0, str(SCRIPT.parent))
import mutate_results  # noqa: E402


class Mutants(unittest.TestCase):
    def test_no_reader_falls_over_a_damaged_result(self):
        run = subprocess.run(
            [sys.executable, SCRIPT, "--count", "12", "--seed", "3", "--program", PROGRAM],
            text=True,
            capture_output=True,
            check=False,
        )
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_a_dataset_of_2_to_the_31_is_refused_and_a_traceback_is_reported(self):
        with tempfile.TemporaryDirectory(prefix="starhist-mutants-") as name:
            folder = pathlib.Path(name)
            undamaged, result = mutate_results.make_results(PROGRAM, folder)[:2]
            with h5py.File(result, "r+") as file:
                for path in (
                    "observables/pair_distance_histogram/value",
                    "observables/pair_distance_histogram/species",
                ):
                    kind, shape = file[path].dtype, file[path].shape
                    del file[path]
                    file.create_dataset(path, (2**31, *shape[1:]), kind, chunks=True)
            self.assertLess(result.stat().st_size, 1_000_000)
            readers = mutate_results.Readers(PROGRAM, folder, undamaged)
            self.assertEqual(readers.problems(str(result)), [])

            def falls_over():
                raise KeyError("damaged")

            readers.scripts["peaks"].main = falls_over
            ((words, problem),) = readers.problems(str(undamaged))
            self.assertEqual(words[0], "peaks")
            self.assertIn("KeyError", problem)


if __name__ == "__main__":
    unittest.main(verbosity=2)
