"""compare_results.py: equal runs are equal, and every kind of difference is seen."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
except ImportError:
    print("SKIPPED: h5py is missing")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/checks/compare_results.py"
HISTOGRAM = "observables/pair_distance_histogram"


def count(folder, name, *options):
    path = pathlib.Path(folder) / name
    subprocess.run(
        [
            os.environ["STARHIST_PROGRAM"],
            "rdf",
            ROOT / "tests/data/water.h5",
            "--r-max",
            "1",
            "--bins",
            "40",
            "--last",
            "20",
            "--block",
            "7",
            "--quiet",
            "-o",
            path,
            *options,
        ],
        check=True,
        env=dict(os.environ, STARPU_WORKERS_NOBIND="1"),
    )
    return path


def compare(a, b):
    run = subprocess.run([sys.executable, SCRIPT, a, b], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.first = count(self.folder.name, "a.h5")

    def check_difference(self, change, word):
        other = count(self.folder.name, "b.h5", "--force")
        with h5py.File(other, "r+") as file:
            change(file)
        code, text = compare(self.first, other)
        self.assertEqual(code, 1, text)
        self.assertIn(word, text)

    def test_equal_runs(self):
        other = count(self.folder.name, "b.h5")
        self.assertEqual(compare(self.first, other), (0, "equal except for the provenance\n"))

    def test_differences(self):
        def add_one(file):
            file[HISTOGRAM + "/value"][1, 0, 3] += 1

        def other_type(file):
            values = file[HISTOGRAM + "/frames"][:].astype("u8")
            del file[HISTOGRAM + "/frames"]
            file[HISTOGRAM + "/frames"] = values

        def other_attribute(file):
            file[HISTOGRAM].attrs["complete"] = 2

        def further_group(file):
            file.create_group("observables/more")

        for change, word in (
            (add_one, "value: the chunk"),
            (other_type, "frames: different types"),
            (other_attribute, "attribute complete"),
            (further_group, "observables/more is in one file only"),
        ):
            with self.subTest(word):
                self.check_difference(change, word)

    def test_no_result(self):
        self.assertEqual(compare(self.first, self.folder.name + "/missing.h5")[0], 2)


if __name__ == "__main__":
    unittest.main()
