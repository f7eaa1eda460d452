"""Runs starhist for compare_schedulers.py: each run is a separate process; its report is read, and its
counts are compared with the other runs."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import textwrap
import time
from dataclasses import dataclass, field

import h5py
import numpy as np

from plot_gantt import worker_order

HISTOGRAM = "observables/pair_distance_histogram"
NAMED_SETS = {"cpu": {"STARPU_NCUDA": "0"}, "gpu": {"STARPU_NCPU": "0"}, "all": {}}
RECORDED = ("STARPU_", "STARHIST_", "OMP_", "GOMP_", "CUDA_VISIBLE_DEVICES")
DONE, FRAMES_LEFT_OUT = 0, 3  # exit codes of starhist that come with a result


class ComparisonError(Exception):
    """A mistake of the user; printed without a traceback."""


@dataclass(frozen=True)
class WorkerSet:
    """A set of workers: its name in tables and files, and the variables that make StarPU start it."""

    name: str
    variables: dict = field(hash=False, default_factory=dict)

    @property
    def file_name(self) -> str:
        return re.sub(r"[^\w.=,+-]", "_", self.name)


@dataclass
class Worker:
    """Work of one worker in one run; named as in StarPU, such as `CUDA 0.0 (NVIDIA ...)`."""

    name: str
    kind: str
    device: str
    tasks: int
    pairs: int
    busy_seconds: float

    @property
    def rate(self) -> float:
        """Pairs per second while busy."""
        return self.pairs / self.busy_seconds if self.busy_seconds > 0 else 0.0


@dataclass
class Run:
    """One process. `summary`: content of its --json file; empty if the run failed."""

    scheduler: str
    workers: str
    repetition: int  # from 1; 0 are calibration and trace
    purpose: str = "measure"  # or "calibrate", "trace"
    exit_code: int = 0
    error: str = ""
    wall_seconds: float = 0.0
    load_average: float = 0.0  # of the machine in the minute before the run
    environment: dict = field(default_factory=dict)
    command: list = field(default_factory=list)
    summary: dict = field(default_factory=dict)

    def __str__(self) -> str:
        part = f"run {self.repetition}" if self.purpose == "measure" else self.purpose
        return f"{self.scheduler} on {self.workers}, {part}"

    @property
    def ok(self) -> bool:
        return not self.error

    @property
    def failure(self) -> str:
        """Exit code and message on one line, shortened (runs.csv has the whole message)."""
        return f"exit code {self.exit_code}, " + textwrap.shorten(self.error, 160, placeholder=" ...")

    @property
    def seconds(self) -> float:
        """Seconds from the first frame to the last counts; the whole run if starhist does not report them."""
        return self.summary.get("count_seconds") or self.summary.get("seconds") or 0.0

    @property
    def throughput(self) -> float:
        return self.summary.get("pairs", 0) / self.seconds if self.seconds else 0.0

    def prediction_error(self, name: str):
        """Mean error of the predicted task times; None if the scheduler requests no predictions."""
        prediction = self.summary.get("prediction", {})
        return prediction.get(name) if prediction.get("tasks") else None

    @property
    def worker_list(self) -> list:
        """Workers with kinds, GPUs first, otherwise in the order of their numbers."""
        workers = [
            Worker(
                entry["name"],
                entry.get("kind") or entry["name"].split()[0].lower(),
                entry.get("device", ""),
                entry.get("tasks", 0),
                entry.get("pairs", 0),
                entry.get("busy_seconds", 0.0),
            )
            for entry in self.summary.get("workers", [])
        ]
        return sorted(workers, key=lambda worker: worker_order(worker.name))

    def busy_share(self, worker: Worker) -> float:
        return min(1.0, worker.busy_seconds / self.seconds) if self.seconds else 0.0


def parse_worker_sets(texts: list) -> list:
    """Parses --workers: "cpu,gpu" is two named sets, "NCPU=15,NCUDA=1" is one set by StarPU's variables."""
    sets = []
    for text in texts:
        if "=" in text:
            variables = {}
            for part in text.split(","):
                key, equals, value = part.partition("=")
                if not equals or not re.fullmatch(r"\w+", key):
                    raise ComparisonError(
                        f"--workers '{text}': '{part}' is not VARIABLE=VALUE (pass named sets in a separate --workers)"
                    )
                variables[key if key.startswith("STARPU_") else f"STARPU_{key}"] = value
            sets.append(WorkerSet(text, variables))
            continue
        for name in text.split(","):
            if name not in NAMED_SETS:
                raise ComparisonError(
                    f"--workers '{name}' is neither one of {', '.join(NAMED_SETS)} nor of the form NCPU=15,NCUDA=1"
                )
            sets.append(WorkerSet(name, NAMED_SETS[name]))
    return list({chosen.name: chosen for chosen in sets}.values())


def first_difference(path: pathlib.Path, reference: pathlib.Path) -> str:
    """Returns a message about the first difference between the counts of two results; "" if they are equal."""
    with h5py.File(path, "r") as file, h5py.File(reference, "r") as reference_file:
        for name in ("value", "overflow"):
            ours, theirs = file[HISTOGRAM][name], reference_file[HISTOGRAM][name]
            if ours.shape != theirs.shape:
                return f"{HISTOGRAM}/{name} has shape {ours.shape}, not {theirs.shape}"
            for block in range(ours.shape[0]):  # one at a time: results may be large
                differing = np.argwhere(ours[block] != theirs[block])
                if len(differing):
                    where = (block, *map(int, differing[0]))
                    return (
                        f"{HISTOGRAM}/{name} differs in {len(differing)} numbers of block "
                        f"{block}, the first at {list(where)}: {ours[where]}, not "
                        f"{theirs[where]}"
                    )
    return ""


class Runner:
    """Runs starhist, keeps the counts of the first run and compares all others with them."""

    def __init__(self, command: list, options: list, output: pathlib.Path, keep: bool, timeout: float):
        self.command, self.options = command, options  # starhist rdf TRAJ, --r-max ...
        self.output, self.keep, self.timeout = output, keep, timeout
        self.reference = None  # (run, path of its result)
        self.differences = []  # messages
        (output / "results").mkdir()

    def run(self, run: Run, workers: WorkerSet, models: pathlib.Path, more_options: tuple = ()) -> Run:
        name = f"{run.scheduler}.{workers.file_name}.{run.purpose}{run.repetition}"
        result = self.output / "results" / f"{name}.h5"
        summary = self.output / "results" / f"{name}.json"
        run.command = [
            *self.command,
            "-o",
            str(result),
            "--json",
            str(summary),
            "--quiet",
            *self.options,
            *more_options,
        ]
        # Variables of the user are kept, except for those that the comparison sets.
        environment = {
            **os.environ,
            **workers.variables,
            "STARPU_SCHED": run.scheduler,
            "STARPU_PERF_MODEL_DIR": str(models),
            "STARPU_CALIBRATE": "1" if run.purpose == "calibrate" else "0",
        }
        run.environment = {key: value for key, value in sorted(environment.items()) if key.startswith(RECORDED)}
        run.load_average = os.getloadavg()[0]
        self._execute(run, environment)
        try:
            if run.ok:
                run.summary = json.loads(summary.read_text())
                self._compare(run, result)
        except (OSError, KeyError, ValueError) as error:
            run.error, run.summary = f"its result cannot be read ({error})", {}
        summary.unlink(missing_ok=True)
        if not run.ok:
            result.unlink(missing_ok=True)
            result.with_name(result.name + ".partial").unlink(missing_ok=True)
        return run

    def _execute(self, run: Run, environment: dict) -> None:
        start = time.monotonic()
        try:
            process = subprocess.run(
                run.command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                timeout=self.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            run.exit_code, run.error = 124, f"did not end within {self.timeout:g} s (--timeout)"
            return
        except OSError as error:
            raise ComparisonError(f"{run.command[0]} cannot be run ({error.strerror})") from error
        run.wall_seconds = time.monotonic() - start
        run.exit_code = process.returncode
        if run.exit_code not in (DONE, FRAMES_LEFT_OUT):
            lines = [line for line in process.stderr.splitlines() if line.strip()]
            ours = [line for line in lines if line.startswith("starhist")]
            run.error = (ours or lines or ["no message"])[-1]

    def _compare(self, run: Run, result: pathlib.Path) -> None:
        if self.reference is None:
            with h5py.File(result, "r") as file:  # raises if this is not a result
                file[HISTOGRAM]["value"], file[HISTOGRAM]["overflow"]
            self.reference = (run, result)
            return
        difference = first_difference(result, self.reference[1])
        if difference:
            self.differences.append(
                f"counts differ: '{run}' against '{self.reference[0]}': {difference} "
                f"(results kept: {result}, {self.reference[1]})"
            )
        elif not self.keep:
            result.unlink()

    def finish(self) -> None:
        """Deletes the last result, unless its counts differ."""
        if not self.differences and not self.keep:
            shutil.rmtree(self.output / "results")
