#!/usr/bin/env python3
"""Tests of scripts/user/compare_schedulers.py and its plots, with starhist itself and with a fake of
another machine. STARHIST_PROGRAM names starhist; CTest runs each class on its own."""

import contextlib
import csv
import importlib.util
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAKE = ROOT / "tests/scripts/fake_starhist.py"
WATER = ROOT / "tests/data/water.h5"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
sys.path.insert(0, str(ROOT / "scripts/user"))

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "matplotlib")):
    print("SKIPPED: h5py, numpy or matplotlib is missing")
    sys.exit(77)


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Comparison(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="starhist-schedulers-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.output = self.folder / "out"

    def compare(self, *options, program=PROGRAM, trajectory=WATER, output=None, **environment):
        """Exit code, stdout and stderr of a comparison."""
        command = [
            sys.executable,
            ROOT / "scripts/user/compare_schedulers.py",
            trajectory,
            "--program",
            program,
            "--r-max",
            "1.4",
            "--bins",
            "280",
            "-o",
            output or self.output,
            *options,
        ]
        kept = {key: value for key, value in os.environ.items() if not key.startswith("STARPU_")}
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            env={**kept, "STARPU_WORKERS_NOBIND": "1", **environment},
        )
        return done.returncode, done.stdout, done.stderr

    def wrapper(self, body, program=f"'{PROGRAM}'"):
        """A program that does `body` of a shell script, then is starhist."""
        path = self.folder / "wrapper.sh"
        path.write_text(f'#!/bin/bash\n{body}\nexec {program} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
        return path

    def fake(self):
        return self.wrapper("", f"'{sys.executable}' '{FAKE}'")

    def assert_images(self, *names):
        for name in names:
            for suffix, start in ((".svg", b"<?xml"), (".png", b"\x89PNG")):
                content = (self.output / (name + suffix)).read_bytes()
                self.assertGreater(len(content), 3000, name + suffix)
                self.assertTrue(content.startswith(start), name + suffix)

    def assert_page(self, markdown, figures):
        """The page has every cell of the tables of summary.md, and the figures."""
        page = (self.output / "summary.html").read_text(encoding="utf-8")
        tree = xml.etree.ElementTree.fromstring(page)
        found = ["".join(cell.itertext()) for cell in tree.iter("td")]
        expected = [
            cell.strip().replace("\\|", "|").strip("*")
            for line in markdown.splitlines()
            if line.startswith("| ") and not line.startswith(("| | |", "| scheduler |"))
            for cell in re.split(r"(?<!\\)\|", line)[1:-1]
        ]
        self.assertEqual(found, expected)
        self.assertEqual(page.count("<img "), figures)
        self.assertNotIn('src="http', page)


class Page(unittest.TestCase):
    def test_names_are_text_and_tables_have_labels(self):
        from schedulers.page import page

        markdown = "# Title\n\n| | |\n|---|---|\n| command | a \\| b <i> *.h5 |\n\n## set\n\nBound.\n\n"
        markdown += "| scheduler | runs |\n|---|---:|\n| <b>x</b> | 3 |\n\n## Failed\n\n* one: **bad**\n* two\n"
        with tempfile.TemporaryDirectory() as folder:
            made = page(markdown, pathlib.Path(folder))
        self.assertIn("<td>a | b &lt;i&gt; *.h5</td>", made)
        self.assertIn('<td data-column="runs"><span>3</span></td>', made)
        self.assertIn("&lt;b&gt;x&lt;/b&gt;", made)
        self.assertIn("<li>one: <strong>bad</strong></li><li>two</li>", made)
        self.assertNotIn("<img ", made)


class Water(Comparison):
    """The whole way with starhist itself."""

    def test_two_schedulers_on_two_worker_sets(self):
        code, text, messages = self.compare(
            "--schedulers",
            "eager,dmda",
            "--workers",
            "NCPU=1",
            "--workers",
            "NCPU=2",
            "--repeat",
            "2",
            "--",
            "--last",
            "9",
            "--task-pairs",
            "500000",
        )
        self.assertEqual(code, 0, messages)
        runs = rows_of(self.output / "runs.csv")
        self.assertEqual(len(runs), 2 * 2 * 2)
        self.assertEqual(
            {(row["scheduler"], row["workers"], row["repetition"]) for row in runs},
            {(a, b, c) for a in ("eager", "dmda") for b in ("NCPU=1", "NCPU=2") for c in "12"},
        )
        self.assertNotEqual([row["scheduler"] for row in runs], ["eager"] * 4 + ["dmda"] * 4)
        for row in runs:
            self.assertEqual((row["exit_code"], row["error"], row["frames"]), ("0", "", "10"))
            self.assertEqual(int(row["pairs"]), 10 * (2652 * 2651 // 2))
            self.assertGreater(float(row["pairs_per_second"]), 0)
            self.assertIn(f"STARPU_{row['workers']}", row["environment"])
            self.assertIn("STARPU_CALIBRATE=0", row["environment"])
            self.assertTrue(row["version"] and row["host"] and row["cpu_model"])
        workers = rows_of(self.output / "workers.csv")
        self.assertEqual(len(workers), 2 * 2 * (1 + 2))
        record = json.loads((self.output / "runs.json").read_text(encoding="utf-8"))
        traced = self.output.joinpath("trace.csv").exists()
        self.assertEqual(len(record["runs"]), 4 + 8 + traced)
        self.assertIn(f"the same in all {12 + traced} runs", text)
        self.assertEqual(text.strip(), (self.output / "summary.md").read_text(encoding="utf-8").strip())
        self.assert_images("throughput", "workers")
        self.assert_page(text, 3 if traced else 2)
        if traced:
            self.assert_images("gantt")
        else:
            self.assertIn("no option --trace", messages)
        self.assertFalse((self.output / "results").exists())
        for name in ("NCPU=1", "NCPU=2"):
            self.assertTrue(list(self.output.glob(f"models/{name}/codelets/*/count_pairs*")))
        self.reuse_models()

    def reuse_models(self):
        """--models skips calibration and leaves the models as they are."""

        def content():
            return {path: path.read_bytes() for path in (self.output / "models").rglob("*") if path.is_file()}

        before, again = content(), self.folder / "again"
        code, _, messages = self.compare(
            "--schedulers",
            "dmda",
            "--workers",
            "NCPU=2",
            "--repeat",
            "1",
            "--keep",
            "--models",
            str(self.output / "models"),
            output=again,
        )
        self.assertEqual(code, 0, messages)
        self.assertNotIn("calibrate", messages)
        self.assertNotIn("has no times", messages)
        self.assertEqual(content(), before)
        self.assertEqual(len(list(again.glob("results/*measure*.h5"))), 1)


class Differences(Comparison):
    """Counts that are not those of the other runs."""

    OPTIONS = ("--schedulers", "eager,lws", "--workers", "NCPU=1", "--repeat", "1")

    def assert_found(self, outcome, what):
        code, text, messages = outcome
        self.assertEqual(code, 2, messages)
        for place in (text, messages):
            self.assertIn("'lws on NCPU=1, run 1' against 'eager on NCPU=1, calibrate'", place)
            self.assertIn(what, place)
        kept = sorted(path.name for path in (self.output / "results").glob("*.h5"))
        self.assertIn("eager.NCPU=1.calibrate0.h5", kept)
        self.assertIn("lws.NCPU=1.measure1.h5", kept)

    def test_other_bins(self):
        program = self.wrapper('[[ $STARPU_SCHED == lws ]] && set -- "${@/280/140}"')
        self.assert_found(
            self.compare(*self.OPTIONS, "--", "--last", "1", program=program),
            "value has shape (1, 3, 140), not (1, 3, 280)",
        )

    def test_one_bin_of_many(self):
        self.assert_found(
            self.compare(*self.OPTIONS, program=self.fake(), FAKE_WRONG_BIN="lws"),
            "value differs in 1 numbers of block 1, the first at [1, 2, 0]: 1401, not 1400",
        )

    def test_overflow_alone(self):
        self.assert_found(
            self.compare(*self.OPTIONS, program=self.fake(), FAKE_WRONG_OVERFLOW="lws"),
            "overflow differs in 3 numbers of block 0, the first at [0, 0]: 1, not 0",
        )


class Failures(Comparison):
    def test_unknown_scheduler_is_left_out(self):
        code, text, messages = self.compare(
            "--schedulers", "nosuch,eager", "--workers", "NCPU=1", "--repeat", "1", "--", "--last", "1"
        )
        self.assertEqual(code, 0, messages)
        self.assertIn("STARPU_SCHED 'nosuch' is not a scheduler", messages)
        self.assertIn("* nosuch on NCPU=1, calibrate: exit code 1, ", text)
        failed, done = rows_of(self.output / "runs.csv")
        self.assertEqual((failed["scheduler"], failed["exit_code"]), ("nosuch", "1"))
        self.assertEqual((done["scheduler"], done["exit_code"]), ("eager", "0"))
        self.assertEqual(text.count("| nosuch |"), 0)

    def test_nothing_succeeds(self):
        code, _, messages = self.compare("--schedulers", "nosuch", "--workers", "NCPU=1")
        self.assertEqual(code, 1)
        self.assertIn("'nosuch' is not a scheduler", messages)
        self.assertEqual(len(rows_of(self.output / "runs.csv")), 1)
        self.assertFalse((self.output / "throughput.svg").exists())
        self.assertFalse((self.output / "results").exists())

    def test_hanging_run(self):
        program = self.wrapper("[[ $STARPU_SCHED == lws ]] && exec sleep 60")
        code, text, _ = self.compare("--schedulers", "lws", "--workers", "NCPU=1", "--timeout", "0.5", program=program)
        self.assertEqual(code, 1)
        self.assertIn("did not end within 0.5 s", text)

    def test_bad_usage(self):
        import compare_schedulers  # here, not in processes: these are many

        self.output.mkdir()
        (self.output / "mine").write_text("mine", encoding="utf-8")
        for options, message in (
            ((), "is not empty"),
            (("--workers", "cpus"), "'cpus' is neither one of cpu, gpu, all"),
            (("--workers", "NCPU=1,all"), "'all' is not VARIABLE=VALUE"),
            (("--gantt", "lws:gpu", "--workers", "cpu"), "--gantt lws:gpu is not one of"),
            (("--models", "/nosuch"), "there is no such folder"),
            (("--program", "/nosuch"), "/nosuch cannot be run"),
            (("--repeat", "0"), "--repeat below 1"),
            (("--repat", "1"), "--repat"),
            (("nothere.h5",), "nothere.h5: does not exist"),
        ):
            messages = io.StringIO()
            command = [
                "compare_schedulers.py",
                str(WATER),
                "--program",
                PROGRAM,
                "--r-max",
                "1",
                "--bins",
                "2",
                "-o",
                str(self.output),
                *options,
            ]
            with unittest.mock.patch.object(sys, "argv", command), contextlib.redirect_stderr(messages):
                try:
                    code = compare_schedulers.main()
                except SystemExit as end:
                    code = end.code
            self.assertEqual(code, 1, message)
            self.assertIn(message, messages.getvalue())


class GpuNode(Comparison):
    """A fake of 19 cores and a GPU whose starhist reports all that there is to report."""

    def test_all_columns_and_the_chart(self):
        code, text, messages = self.compare(
            "--schedulers",
            "lws,random",
            "--workers",
            "cpu,gpu,all",
            "--workers",
            "NCPU=3,NCUDA=2",
            "--repeat",
            "1",
            "--calibration-runs",
            "0",
            "--gantt",
            "random:all",
            program=self.fake(),
        )
        self.assertEqual(code, 0, messages)
        self.assertIn("has no times measured", messages)
        self.assertIn("random on all, trace", messages)
        self.assertIn(" GPUs: Some GPU.", text)
        self.check_first_table(text)
        self.assertIn("## all: 19 CPU + 1 CUDA", text)
        self.assertIn("## NCPU=3,NCUDA=2: 3 CPU + 2 CUDA", text)
        for row in rows_of(self.output / "runs.csv"):
            self.assertEqual(row["bytes_moved"], str(123 * 2**20))
            self.assertEqual(row["mean_absolute_relative_error"], "0.034")
            self.assertEqual(row["absolute_error_of_time"], "0.021")
            self.assertAlmostEqual(float(row["seconds"]), float(row["count_seconds"]) + 1)
            self.assertAlmostEqual(float(row["pairs_per_second"]) * float(row["count_seconds"]), 600 * 20e6, delta=1)
        self.assert_images("throughput", "workers", "gantt")
        chart = (self.output / "gantt.svg").read_text(encoding="utf-8")
        self.assertLess(chart.index("<!-- CUDA 0.0 -->"), chart.index("<!-- CPU 0 -->"))
        self.check_area_bound()

    def check_first_table(self, text):
        """Title, empty line, table of two columns, empty line; the version is one line."""
        table = text.split("\n\n")[1].splitlines()
        self.assertEqual(table[:2], ["| | |", "|---|---|"])
        for line in table:
            self.assertEqual(line[0] + line[-1], "||", line)
            self.assertEqual(line.replace("\\|", "").count("|"), 3, line)
        self.assertIn("| program | starhist 0 (fake) |", table)
        self.assertTrue(any(line.startswith("| counts |") for line in table))

    def check_area_bound(self):
        """Two runs: the median is the mean."""
        rates = {}
        for row in rows_of(self.output / "workers.csv"):
            if row["workers"] == "all":
                rates.setdefault(row["worker"], []).append(float(row["pairs_per_busy_second"]))
        record = json.loads((self.output / "runs.json").read_text(encoding="utf-8"))
        bound = record["area_bounds_pairs_per_second"]["all"]
        self.assertEqual(len(rates), 20)
        self.assertAlmostEqual(bound, sum(sum(pair) / 2 for pair in rates.values()), delta=1e-9 * bound)
        for row in rows_of(self.output / "runs.csv"):
            if row["workers"] == "all":
                self.assertLess(float(row["pairs_per_second"]), 1.02 * bound)


class Functions(unittest.TestCase):
    def test_interval_of_the_median(self):
        from schedulers.scheduler_report import interval, interval_name

        self.assertEqual(interval([3]), (3, 3))
        self.assertEqual(interval([5, 1, 3, 2, 4]), (1, 5))
        self.assertEqual(interval(range(6)), (0, 5))  # 96.9 %
        self.assertEqual(interval(range(9)), (1, 7))  # 96.1 %
        self.assertEqual(interval(range(20)), (5, 14))  # 95.9 %: 6th and 15th
        self.assertEqual([interval_name(n) for n in (5, 6)], ["min..max", "95 %"])

    def test_busy_time_of_overlapping_tasks(self):
        import numpy as np

        from plot_gantt import covered

        start, end = np.array([2.0, 0.0, 0.5, 5.0]), np.array([3.0, 2.5, 1.0, 6.0])
        self.assertEqual(covered(start, end), 4.0)

    def test_cells_of_tables(self):
        from schedulers.scheduler_report import cell

        self.assertEqual(cell("a | b\n\nc"), "a \\| b c")
        self.assertEqual(cell(3), "3")

    def test_worker_sets(self):
        from schedulers.runs import parse_worker_sets

        sets = parse_worker_sets(["cpu,all", "NCPU=2,STARPU_NCUDA=1", "cpu"])
        self.assertEqual(
            [(s.name, s.variables) for s in sets],
            [
                ("cpu", {"STARPU_NCUDA": "0"}),
                ("all", {}),
                ("NCPU=2,STARPU_NCUDA=1", {"STARPU_NCPU": "2", "STARPU_NCUDA": "1"}),
            ],
        )


if __name__ == "__main__":
    unittest.main()
