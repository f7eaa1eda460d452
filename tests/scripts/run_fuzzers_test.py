"""Tests run_fuzzers.py with programs in the place of the fuzz targets."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

WITHOUT_FINDING = """#!/bin/sh
echo "$@" > arguments
echo "stat::number_of_executed_units: 1234"
"""
WITH_FINDING = """#!/bin/sh
echo "==1==ERROR: AddressSanitizer: heap-use-after-free"
echo "stat::number_of_executed_units: 17"
exit 77
"""
HDF5 = """#!/bin/sh
echo "file 3: does not end"
echo "500 files in 4 s (125 per second), 400 passed the inspection, 2 findings"
exit 1
"""


class RunFuzzers(unittest.TestCase):
    def run_with(self, programs, *options):
        """Exit status and lines of a run over programs of these names."""
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            (build / "fuzz").mkdir()
            for name, text in programs.items():
                path = build / ("fuzz/fuzz_hdf5" if name == "hdf5" else f"fuzz_{name}")
                path.write_text(text, encoding="ascii")
                path.chmod(0o755)
            done = subprocess.run(
                [
                    sys.executable,
                    ROOT / "scripts/checks/campaigns/run_fuzzers.py",
                    "--build",
                    build,
                    "--targets",
                    ",".join(programs),
                    *options,
                ],
                capture_output=True,
                text=True,
                check=False,
            )
            self.arguments = [path.read_text(encoding="ascii") for path in sorted(build.rglob("arguments"))]
            return done.returncode, done.stdout.splitlines()

    def test_executions_are_counted(self):
        status, lines = self.run_with(
            {"xyz": WITHOUT_FINDING, "gro": WITHOUT_FINDING}, "--runs", "5000", "--seconds", "7"
        )
        self.assertEqual(status, 0)
        self.assertEqual(lines[1].split()[:2], ["xyz", "1234"])
        self.assertRegex(lines[-1], r"^2468 executions in \d+ s, 0 findings$")
        self.assertIn("-runs=5000 -max_total_time=7", self.arguments[0])
        self.assertIn(str(ROOT / "tests/fuzz/corpus/gro"), self.arguments[0])

    def test_findings_are_counted(self):
        status, lines = self.run_with({"xyz": WITH_FINDING, "gro": WITHOUT_FINDING, "hdf5": HDF5})
        self.assertEqual(status, 1)
        self.assertEqual([line.split()[-1] for line in lines if line[0] != " "][1:4], ["1", "0", "2"])
        self.assertTrue(any(line.endswith("findings/xyz.log") for line in lines))
        self.assertRegex(lines[-1], r"^1751 executions in \d+ s, 3 findings$")

    def test_a_target_that_runs_nothing_fails(self):
        status, lines = self.run_with({"xyz": "#!/bin/sh\n"})
        self.assertEqual(status, 1)
        self.assertTrue(lines[-1].endswith("0 findings; without executions: xyz"))


if __name__ == "__main__":
    unittest.main()
