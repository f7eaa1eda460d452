#!/usr/bin/env python3
"""Tests of .ci/steps.sh: what it counts of steps that pass, fail and are skipped."""

import pathlib
import re
import subprocess
import unittest

STEPS = pathlib.Path(__file__).resolve().parents[2] / ".ci/steps.sh"
CTEST = r"""printf '%s\n' '80% tests passed, 1 tests failed out of 5' '  2 - a GPU (Skipped)'; false"""


def run(*steps):
    """Exit status and lines of a list of steps; a step is a line for bash."""
    text = "\n".join(f"step Title bash -c {command!r}" for command in steps)
    done = subprocess.run(
        ["bash", "-c", f"set -euo pipefail\n. {STEPS}\n{text}\nsummary"], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.splitlines()


class Steps(unittest.TestCase):
    def test_a_step_is_one_check_and_a_skipped_one_is_none(self):
        self.assertEqual((run("true", "exit 77")[0], run("true", "exit 77")[1][-1]), (0, "1 passed, 0 failed"))

    def test_all_steps_run_though_one_fails(self):
        status, lines = run("false", "echo later")
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed"))
        self.assertIn("later", lines)

    def test_the_tests_of_a_step_are_counted(self):
        done = subprocess.run(
            ["bash", "-c", f". {STEPS}\ntests() {{ {CTEST}; }}\nstep T tests\nsummary"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, "3 passed, 1 failed"))

    def test_failed_tests_show_their_output_at_the_end(self):
        log = [
            "    Start 1: a",
            "1/3 Test #1: a ....   Passed    0.10 sec",
            "    Start 2: b",
            "2/3 Test #2: b ....***Failed    0.20 sec",
            "1 == 2",
            "    Start 3: c",
            "3/3 Test #3: c ....***Skipped   0.00 sec",
            "no GPU",
            "50% tests passed, 1 tests failed out of 3",
            "  2 - b (Failed)",
        ]
        _, lines = run("printf '%s\\n' " + " ".join(f"'{line}'" for line in log) + "; false")
        end = lines[next(k for k, line in enumerate(lines) if line.startswith("Failed: ")) :]
        self.assertIn("1 == 2", end)
        self.assertNotIn("no GPU", end)

    def test_a_step_says_its_cpu_time(self):
        _, lines = run("for i in {1..3000000}; do :; done", "true")
        seconds = [int(re.search(r"(\d+) s of CPU time", line)[1]) for line in lines if line.startswith("---")]
        self.assertGreater(seconds[0], 0)
        self.assertLess(seconds[1], seconds[0])


if __name__ == "__main__":
    unittest.main()
