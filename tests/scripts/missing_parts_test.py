"""missing_parts.sh: the parts that scripts/test.sh could not test."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/setup/missing_parts.sh"

EVERYTHING = "STARHIST_CUDA:BOOL=ON\nnanobind_DIR:PATH=/usr/lib/nanobind\nMPI_C_LIB_NAMES:STRING=mpi\n"
LITTLE = "STARHIST_CUDA:BOOL=OFF\nnanobind_DIR:PATH=nanobind_DIR-NOTFOUND\nMPI_C_LIB_NAMES:STRING=\n"


class MissingParts(unittest.TestCase):
    def listed(self, cache, log="", *options, simulate=False, gpu=False):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for part in ("build", "build-simgrid", "bin"):
                (folder / part).mkdir()
            (folder / "build/CMakeCache.txt").write_text(cache)
            (folder / "log").write_text(log)
            if simulate:
                (folder / "build-simgrid/starhist-simulate").touch(0o755)
            (folder / "bin/nvidia-smi").write_text(f"#!/bin/sh\nexit {0 if gpu else 1}\n")
            (folder / "bin/nvidia-smi").chmod(0o755)
            run = subprocess.run(
                [SCRIPT, folder / "build", folder / "log", *options],
                env={"PATH": f"{folder}/bin:/usr/bin:/bin"},
                capture_output=True,
                text=True,
                check=True,
            )
            return run.stdout

    def test_each_missing_part_has_the_command_that_adds_it(self):
        text = self.listed(LITTLE)
        for words in ("GPUs", "Python module", "MPI", "simulations"):
            self.assertIn(words, text)
        for command in ("CUDA Toolkit", "build_python.sh", "openmpi-bin", "build.sh simgrid", "scripts/test.sh"):
            self.assertIn(command, text)

    def test_a_complete_build_on_a_machine_with_a_gpu_lists_no_part(self):
        self.assertEqual(self.listed(EVERYTHING, simulate=True, gpu=True), "")

    def test_slow_tests_are_listed_if_they_were_left_out(self):
        text = self.listed(EVERYTHING, "", "-LE slow", simulate=True, gpu=True)
        self.assertIn("scripts/test.sh -L slow", text)
        self.assertEqual(self.listed(EVERYTHING, "", "-L core", simulate=True, gpu=True), "")

    def test_a_build_for_gpus_on_a_machine_without_one(self):
        text = self.listed(EVERYTHING, simulate=True)
        self.assertIn("GPUs", text)
        self.assertIn("with an NVIDIA GPU", text)
        self.assertEqual(text.count("\n"), 2)

    def test_skipped_tests_are_counted(self):
        log = "1/2 Test #1: cuda: a ...***Skipped 0.1 sec\n2/2 Test #2: b ... Passed\n"
        self.assertIn("1 of the tests", self.listed(EVERYTHING, log, simulate=True, gpu=True))


if __name__ == "__main__":
    unittest.main()
