#!/usr/bin/env python3
"""Simulates the runs of tests/data/simulation/runs.csv with the models that they were measured
with, and compares. STARHIST_PROGRAM names starhist. Skipped without starhist-simulate.

    tests/scripts/simulate_test.py --write     writes the simulated times into runs.csv
"""

import csv
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("STARHIST_PROGRAM", ROOT / "build/starhist")).resolve()
DATA = ROOT / "tests/data/simulation"
RUNS = DATA / "runs.csv"

WORKLOADS = {
    "water": "--frames 160 --particles 6000 --species H=2,O=1 --box 6,6,6 --r-max 2.9 --bins 300",
    "sorted": "--frames 24 --particles 40000 --box 40,40,40 --r-max 6 --bins 600",
    "dodecahedron": "--frames 120 --particles 6000 --species A=1,B=1 --box 10,10,10,60,60,90 --r-max 3 --bins 500",
    "unequal": "--frames 60 --particles 10000 --species A=16,B=3,C=1 --box 9,10,11 --r-max 4.4 --bins 1000",
}
SCHEDULERS = ["eager", "lws", "dmda", "dmdas"]
# Largest errors of simulated times that the documents promise.
MOST_MEDIAN, MOST = 0.05, 0.10


def simulate(*options):
    """Simulations as starhist simulate --json tells them; fails if it does."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "simulated.json"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("STARPU_")}
        run = subprocess.run(
            [PROGRAM, "simulate", *options, "--json", path],
            capture_output=True,
            text=True,
            env=environment,
            timeout=250,
        )
        if run.returncode != 0:
            raise AssertionError(f"exit code {run.returncode}: {run.stderr}")
        return json.loads(path.read_text())["simulations"]


def simulate_workload(workload, workers):
    """Scheduler -> simulated seconds."""
    rows = simulate(
        *WORKLOADS[workload].split(),
        "--machine",
        str(DATA / f"epyc-{workers}.machine"),
        "--scheduler",
        ",".join(SCHEDULERS),
    )
    return {row["scheduler"]: row["seconds"] for row in rows}


def recorded():
    with RUNS.open() as file:
        return list(csv.DictReader(file))


class RecordedRuns(unittest.TestCase):
    def test_repeat_exactly_and_are_near_what_was_measured(self):
        errors = []
        simulated = {}
        for row in recorded():
            key = row["workload"], row["workers"]
            if key not in simulated:
                simulated[key] = simulate_workload(*key)
            seconds = simulated[key][row["scheduler"]]
            with self.subTest(**{name: row[name] for name in ("workload", "workers", "scheduler")}):
                self.assertEqual(f"{seconds:.6f}", row["simulated"])
            errors.append(abs(seconds / float(row["median"]) - 1))
        self.assertEqual(len(errors), len(WORKLOADS) * 2 * len(SCHEDULERS))
        self.assertLessEqual(statistics.median(errors), MOST_MEDIAN)
        self.assertLessEqual(max(errors), MOST)


class Gpus(unittest.TestCase):
    def test_eight_share_the_work_and_wait_for_a_reader(self):
        shape = "--frames 1000 --particles 60000 --box 6,6,6 --r-max 2.9 --bins 1000 --clusters off".split()
        one, eight = simulate(*shape, "--machine", "h100:1,h100:8")
        self.assertEqual([one["gpus"], eight["gpus"]], [1, 8])
        self.assertEqual(one["pairs"], 1000 * 60000 * 59999 // 2)
        self.assertEqual(eight["pairs"], one["pairs"])
        self.assertLess(eight["seconds"], one["seconds"] / 5)
        self.assertGreater(eight["bytes_moved"], 1000 * 60000 * 24 - 1)
        rate = 2000
        (slow,) = simulate(*shape, "--machine", "h100:8", "--read-rate", str(rate))
        self.assertGreaterEqual(slow["seconds"], 999 / rate)
        self.assertLess(slow["seconds"], 1.1 * 1000 / rate)
        # Cores copy small frames more slowly than eight GPUs count them.
        small = "--frames 8000 --particles 20000 --box 6,6,6 --r-max 2.9 --bins 1000 --clusters off".split()
        one, eight, ranks = simulate(*small, "--machine", "h100:1,h100:8,8xh100:1")
        self.assertGreater(eight["seconds"], 8000 * (20000 * 24 / 22e9 + 6e-6))
        self.assertLess(eight["seconds"], one["seconds"] / 4)
        self.assertLess(ranks["seconds"], one["seconds"] / 7)

    def test_ranks_share_the_work(self):
        shape = "--frames 1280 --particles 20000 --box 6,6,6 --r-max 2.9 --bins 1000 --clusters off --block 10".split()
        one, ranks, divided = simulate(*shape, "--machine", "h100:1,2xh100:1,4xh100:2")
        self.assertEqual([(row["ranks"], row["gpus"]) for row in (one, ranks, divided)], [(1, 1), (2, 2), (4, 8)])
        self.assertEqual({row["pairs"] for row in (one, ranks, divided)}, {1280 * 20000 * 19999 // 2})
        counted = [sum(worker["pairs"] for worker in row["workers"]) / row["pairs"] for row in (one, ranks, divided)]
        self.assertEqual(counted[0], 1)
        self.assertTrue(0.5 <= counted[1] < 0.52 and 0.25 <= counted[2] < 0.28, counted)
        self.assertTrue(0.5 < ranks["seconds"] / one["seconds"] < 0.6, (one, ranks))
        self.assertLess(divided["seconds"], ranks["seconds"] / 2)
        rate = 2000  # of each
        (slow,) = simulate(*shape, "--machine", "2xh100:1", "--read-rate", str(rate))
        self.assertGreaterEqual(slow["seconds"], 639 / rate)
        self.assertLess(slow["seconds"], 1.1 * 660 / rate)

    def test_ranks_divide_a_frame(self):
        shape = "--frames 1 --particles 1000000 --box 60,60,60 --r-max 29 --bins 1000 --clusters off".split()
        one, two, eight = simulate(*shape, "--machine", "h100:1,2xh100:1,8xh100:1")
        self.assertEqual({row["pairs"] for row in (one, two, eight)}, {1000000 * 999999 // 2})
        self.assertTrue(0.5 < two["seconds"] / one["seconds"] < 0.65, (one, two))
        self.assertTrue(0.125 < eight["seconds"] / one["seconds"] < 0.2, (one, eight))
        # In spatial order. Each part of the rows makes clusters of all particles.
        shape = "--frames 1 --particles 4000000 --box 6,6,6 --r-max 2.9 --bins 10000".split()
        one, eight = simulate(*shape, "--machine", "h100:1,8xh100:1")
        self.assertTrue(0.125 < eight["seconds"] / one["seconds"] < 0.15, (one, eight))

    def test_count_a_large_frame_while_the_next_one_is_read(self):
        shape = "--particles 4000000 --box 6,6,6 --r-max 2.9 --bins 10000 --machine h100:4".split()
        one, two = (simulate(*shape, "--frames", frames, "--read-rate", "0.1")[0] for frames in ("1", "2"))
        self.assertGreater(one["seconds"], 10.6)  # 10 to read
        self.assertLess(two["seconds"] - one["seconds"], 10.4)

    def test_merging_comes_to_an_end(self):
        # StarPU stops for ever in both, if merging is asynchronous: docs/developer/simulation.md.
        box = "--box 6,6,6 --r-max 2.9 --bins 1000 --particles 20000".split()
        (few,) = simulate(*box, "--frames", "8", "--machine", "h100:8")
        self.assertEqual(few["pairs"], 8 * 20000 * 19999 // 2)
        (blocks,) = simulate(*box, "--frames", "300", "--block", "10", "--machine", "h100:2", "--read-rate", "10000")
        self.assertGreaterEqual(blocks["seconds"], 299 / 10000)

    def test_tasks_take_the_time_of_their_models(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace.csv"
            subprocess.run(
                [
                    PROGRAM,
                    "simulate",
                    "--frames",
                    "100",
                    "--particles",
                    "20000",
                    "--box",
                    "6,6,6",
                    "--r-max",
                    "2.9",
                    "--bins",
                    "1000",
                    "--clusters",
                    "off",
                    "--machine",
                    "h100:1",
                    "--scheduler",
                    "dmdas",
                    "--trace",
                    trace,
                ],
                check=True,
                capture_output=True,
            )
            with trace.open() as file:
                rows = [row for row in csv.DictReader(file) if row["kind"] == "cuda"]
        self.assertGreater(len(rows), 4)
        self.assertEqual(sum(int(row["frames"]) for row in rows), 100)
        for row in rows[1:]:  # the first waits for its data
            took = float(row["end"]) - float(row["start"])
            self.assertLess(abs(took - float(row["predicted"])), 20e-6, row)


THREE = "--particles 20000 --species A=7,B=7,C=6 --bins 10000"
OCTAHEDRON = "6,6,6,70.528779,109.471221,70.528779"
NINE = "A=180000,B=60000,C=20000,D=10000,E=6000,F=2500,G=1200,H=250,I=50"
UNLIKE = ",".join(f"{a}-{b}" for a in "ABCDEFGHI" for b in "ABCDEFGHI" if a < b)
# The cases of tests/bench/whole_runs.py.
WHOLE_RUNS = {
    "many open": f"--frames 2000 {THREE} --box none --r-max 17.3",
    "many cubic": f"--frames 2000 {THREE} --box 6,6,6 --r-max 5.1",
    "many triclinic": f"--frames 400 {THREE} --box {OCTAHEDRON} --r-max 4.0",
    "cadishi open": f"--frames 40 --particles 279950 --species {NINE} --pairs {UNLIKE} --box none --r-max 17.3 "
    "--bins 8000",
    "small cubic": "--frames 40000 --particles 1000 --box 6,6,6 --r-max 3.0 --bins 1000",
    "large cubic": "--frames 200 --particles 100000 --species A=6,B=4 --box 6,6,6 --r-max 5.1 --bins 10000",
    "giant open": "--frames 1 --particles 1000000 --box none --r-max 17.3 --bins 10000",
    "giant cubic": "--frames 1 --particles 1000000 --box 6,6,6 --r-max 5.1 --bins 10000",
}


class WithoutModels(unittest.TestCase):
    def test_an_h100_has_the_plans_of_its_models(self):
        machines = f"h100:1,{DATA / 'h100-without-models.machine'}"
        for name, words in WHOLE_RUNS.items():
            with self.subTest(name):
                measured, estimated = simulate(*words.split(), "--machine", machines)
                self.assertEqual([row["measured_models"] for row in (measured, estimated)], [True, False])
                self.assertEqual(estimated["tiles"], measured["tiles"])
                self.assertEqual(estimated["frames_per_batch"], measured["frames_per_batch"])
                for key, most in (("pairs_per_gpu_task", 0.1), ("seconds", 0.15)):
                    self.assertLess(abs(estimated[key] / measured[key] - 1), most, key)

    def test_other_gpus_count_in_the_faster_order(self):
        machines = f"a100:1,b200:1,l4:1,{DATA / 't4-like.machine'}"
        for name in ("many cubic", "many triclinic", "large cubic"):
            words = re.sub(r"--frames \d+", "--frames 100", WHOLE_RUNS[name]).split()
            rows = [simulate(*words, "--machine", machines, "--clusters", tiles) for tiles in ("auto", "on", "off")]
            for chosen, tiled, plain in zip(*rows):
                with self.subTest(name, machine=chosen["machine"]):
                    self.assertLess(chosen["seconds"], 1.03 * min(tiled["seconds"], plain["seconds"]))


class GpuAndCores(unittest.TestCase):
    def test_are_never_slower_than_the_gpu_alone(self):
        description = (DATA / "t4-like.machine").read_text()
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for cpus, gpus in ((64, 1), (0, 1), (64, 0)):
                text = description.replace("\ncpus 4", f"\ncpus {cpus}").replace("\ngpus 1", f"\ngpus {gpus}")
                files.append(pathlib.Path(folder) / f"{cpus}-{gpus}.machine")
                files[-1].write_text(text)
            # Without a GPU, cores are faster in spatial order, which is slow on such a GPU, and the host delays small
            # frames, so that cores cannot help.
            for name, frames, of_both in (
                ("many cubic", 500, 0.93),
                ("many triclinic", 400, 0.8),
                ("cadishi open", 40, 0.93),
                ("large cubic", 200, 0.93),
                ("giant cubic", 1, 0.93),
                ("small cubic", 2000, 0),
            ):
                with self.subTest(name):
                    words = re.sub(r"--frames \d+", f"--frames {frames}", WHOLE_RUNS[name]).split()
                    rows = simulate(*words, "--machine", ",".join(map(str, files)))
                    mixed, gpu, cores = (row["pairs_per_second"] for row in rows)
                    self.assertGreater(mixed, 0.995 * gpu)
                    self.assertGreater(mixed, of_both * (gpu + cores))


class UnlikeGpus(unittest.TestCase):
    def test_share_the_work_by_their_speeds(self):
        properties = {
            "gpu-capability": ("9.0", "8.0"),
            "gpu-multiprocessors": ("132", "54"),
            "gpu-clock": ("1.98", "1.41"),
            "gpu-shared-memory": ("227", "163"),
        }
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for gpus in ((0, 1), (0,), (1,)):
                lines = ["cpus 0", f"gpus {len(gpus)}", "host none"]
                lines += [f"{key} {','.join(values[k] for k in gpus)}" for key, values in properties.items()]
                files.append(pathlib.Path(folder) / f"{len(files)}.machine")
                files[-1].write_text("\n".join(lines))
            # Tasks of one frame are few and equal, so the slow GPU's last one takes long.
            for name, of_both in (("many cubic", 0.93), ("large cubic", 0.93), ("giant cubic", 0.8)):
                with self.subTest(name):
                    rows = simulate(*WHOLE_RUNS[name].split(), "--machine", ",".join(map(str, files)))
                    both, fast, slow = (row["pairs_per_second"] for row in rows)
                    self.assertGreater(both, 1.05 * fast)
                    self.assertGreater(both, of_both * (fast + slow))


class Host(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.description = pathlib.Path(folder.name) / "node.machine"

    def simulate(self, *lines):
        self.description.write_text("\n".join(lines))
        shape = "--frames 40 --particles 20000 --box none --r-max 2 --bins 1000".split()
        (row,) = simulate(*shape, "--machine", str(self.description))
        return row

    def test_its_work_for_gpus_takes_time(self):
        gpus = "cpus 0\ngpus 2"
        frame = 20000 * 24
        usual = self.simulate(gpus)
        tasks = sum(worker["tasks"] for worker in usual["workers"])
        self.assertGreater(tasks, 4)
        for line, least in (
            ("task-time 10000", tasks * 10e-3),
            ("frame-time 10000", 40 * 10e-3),
            ("copying 0.01", 40 * frame / 1e7),
            ("first-copying 0.01", frame / 1e7),
            ("pinning 0.01", 2 * frame / 1e7),
        ):
            with self.subTest(line):
                self.assertLess(usual["seconds"], least)
                self.assertGreaterEqual(self.simulate(gpus, line)["seconds"], least)

    def test_copies_while_it_submits(self):
        frames, bytes_of_a_frame = 400, 20000 * 24
        shape = f"--frames {frames} --particles 20000 --box none --r-max 2 --bins 1000".split()

        def seconds(*lines):
            self.description.write_text("\n".join(("cpus 0\ngpus 2", "first-copying 1000", *lines)))
            (row,) = simulate(*shape, "--machine", str(self.description))
            return row["seconds"]

        submitting = seconds("task-time 10000")
        rate = frames * bytes_of_a_frame / submitting / 1e9
        copying = seconds(f"copying {rate:.6f}")
        both = seconds(f"copying {rate:.6f}", "task-time 10000")
        self.assertLess(both, 0.75 * (submitting + copying))

    def test_has_no_work_without_gpus(self):
        slow = [f"{word} 0.01" for word in ("copying", "first-copying", "pinning")] + [
            "task-time 1e4",
            "frame-time 1e4",
        ]
        self.assertEqual(self.simulate("cpus 2", *slow)["seconds"], self.simulate("cpus 2")["seconds"])


class Signals(unittest.TestCase):
    def test_leave_no_files_and_no_process(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with tempfile.TemporaryDirectory() as folder:
                words = (
                    "--frames 4000000 --particles 20000 --box 6,6,6 --r-max 2.9 --bins 1000 --machine h100:8".split()
                )
                process = subprocess.Popen(
                    [PROGRAM, "simulate", *words],
                    env={**os.environ, "TMPDIR": folder},
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
                begun = time.monotonic()
                while not children.read_text() and time.monotonic() < begun + 60:
                    time.sleep(0.02)
                child = int(children.read_text())
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=60), -number)
                self.assertEqual(list(pathlib.Path(folder).iterdir()), [])
                self.assertFalse(pathlib.Path(f"/proc/{child}").exists())


class LongPaths(unittest.TestCase):
    def test_a_folder_for_temporary_files_too_long_for_starpu_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            long = pathlib.Path(folder) / ("t" * 200)
            long.mkdir()
            run = subprocess.run(
                [
                    PROGRAM,
                    "simulate",
                    "--frames",
                    "2",
                    "--particles",
                    "100",
                    "--box",
                    "6,6,6",
                    "--r-max",
                    "2",
                    "--machine",
                    "h100:1",
                ],
                capture_output=True,
                text=True,
                env={**os.environ, "TMPDIR": str(long)},
            )
            self.assertEqual(run.returncode, 2)
            self.assertIn("too long for StarPU: set TMPDIR to another place", run.stderr)
            self.assertEqual(list(long.iterdir()), [])


def write():
    rows = recorded()
    simulated = {}
    for row in rows:
        key = row["workload"], row["workers"]
        if key not in simulated:
            simulated[key] = simulate_workload(*key)
        row["simulated"] = f"{simulated[key][row['scheduler']]:.6f}"
    with RUNS.open("w", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    beside = [PROGRAM.parent / "starhist-simulate", PROGRAM.parent.parent / "build-simgrid/starhist-simulate"]
    if not any(path.is_file() for path in beside):
        print("SKIPPED: there is no starhist-simulate (scripts/setup/build.sh simgrid builds it)")
        sys.exit(77)
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        unittest.main()
