"""The experiment of compare_schedulers.py: calibration, runs in random order, trace, report."""

import argparse
import os
import pathlib
import platform
import random
import re
import shlex
import shutil
import subprocess
import sys

from plot_gantt import TraceError, draw_gantt, read_trace
from schedulers.page import page
from schedulers.plots import draw_throughput, draw_workers, save
from schedulers.runs import ComparisonError, Run, Runner
from schedulers.scheduler_report import Comparison, summary, write_tables


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def output_of(command: list) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError as error:
        raise ComparisonError(
            f"{command[0]} cannot be run ({error.strerror}): build it, or pass its path with --program"
        ) from error


def describe(options: argparse.Namespace) -> dict:
    """Returns the facts that all runs share."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*:\s*(.*)$", cpuinfo.read_text() if cpuinfo.exists() else "", flags=re.M)
    version = output_of([str(options.program), "--version"]).strip()
    return {
        "program": version.partition("\n")[0],  # the second line is of GROMACS' formats
        "command": shlex.join(sys.argv),
        "host": platform.node(),
        "cpu_model": names[0] if names else platform.processor(),
        "usable_cores": len(os.sched_getaffinity(0)),
        "trajectory": " ".join(map(str, options.trajectory)),
        "seed": options.seed,
        "models": str(options.models) if options.models else "measured before the runs",
    }


class Experiment:
    """Calibration, runs in random order, trace."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.output = options.output
        self.comparison = Comparison(options.schedulers, [s.name for s in options.workers], about=describe(options))
        self.output.mkdir(parents=True, exist_ok=True)
        if any(self.output.iterdir()):
            raise ComparisonError(f"{self.output} is not empty (pass another folder with -o)")
        self.runner = Runner(
            [str(options.program), "rdf", *options.trajectory],
            ["--r-max", options.r_max, "--bins", options.bins, *options.extra],
            self.output,
            options.keep,
            options.timeout,
        )

    def models(self, workers) -> pathlib.Path:
        """Returns the folder of a worker set's models; a worker's speed depends on the other workers."""
        folder = (self.options.models or self.output / "models") / workers.file_name
        if self.options.models:
            return folder if folder.is_dir() else self.options.models
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def run(
        self, scheduler: str, workers, purpose: str, repetition: int = 0, more_options: tuple = (), progress: str = ""
    ) -> Run:
        run = Run(scheduler, workers.name, repetition, purpose)
        models = frozen = self.models(workers)
        if purpose != "calibrate":  # StarPU keeps measuring tasks that have too few samples
            frozen = self.output / "frozen-models"
            shutil.copytree(models, frozen)
        known = len(self.runner.differences)
        try:
            self.runner.run(run, workers, frozen, more_options)
        finally:
            if frozen is not models:
                shutil.rmtree(frozen)
        self.comparison.runs.append(run)
        say(
            f"{progress}{run}: "
            + (f"{run.seconds:.3g} s, {1e-9 * run.throughput:.4g} 10^9 pairs/s" if run.ok else f"failed, {run.failure}")
        )
        for difference in self.runner.differences[known:]:
            say(difference)
        write_tables(self.comparison, self.output)  # completed runs survive a kill
        return run

    def calibrate(self) -> list:
        """Returns the combinations of scheduler and worker set that can run."""
        runs = 0 if self.options.models else self.options.calibration_runs
        combinations = [
            (scheduler, workers)
            for workers in self.options.workers
            for scheduler in self.options.schedulers
            if all(self.run(scheduler, workers, "calibrate", k).ok for k in range(runs))
        ]
        host = os.environ.get("STARPU_HOSTNAME", platform.node().split(".")[0])
        for workers in dict.fromkeys(workers for _, workers in combinations):
            if not any(self.models(workers).rglob(f"count_pairs*.{host}")):
                say(
                    f"{self.models(workers)} has no times measured on '{host}': predictions on {workers.name} are rough"
                )
        return combinations

    def measure(self, combinations: list) -> None:
        plan = [
            (*combination, repetition)
            for combination in combinations
            for repetition in range(1, self.options.repeat + 1)
        ]
        random.Random(self.options.seed).shuffle(plan)
        for k, (scheduler, workers, repetition) in enumerate(plan, 1):
            self.run(scheduler, workers, "measure", repetition, (), f"[{k}/{len(plan)}] ")

    def trace(self) -> None:
        """Traces one more run of the fastest or the requested combination, and draws its chart."""
        if "--trace" not in output_of([str(self.options.program), "rdf", "--help"]):
            say("no Gantt chart: this starhist has no option --trace")
            return
        groups = [
            group
            for workers in self.comparison.workers
            for group in self.comparison.groups(workers)
            if self.options.gantt in ("", f"{group.scheduler}:{group.workers}")
        ]
        if not groups:
            say("no Gantt chart: no run " + f"of {self.options.gantt} " * bool(self.options.gantt) + "succeeded")
            return
        best = max(groups, key=lambda group: group.throughput)
        workers = next(s for s in self.options.workers if s.name == best.workers)
        path = self.output / "trace.csv"
        run = self.run(best.scheduler, workers, "trace", 0, ("--trace", str(path)))
        if run.ok:
            names = [worker.name for worker in run.worker_list]
            try:
                title = f"{run.scheduler} on {run.workers}: {self.comparison.composition(run.workers)}"
                save(draw_gantt(read_trace(path), title, names), self.output, "gantt")
            except TraceError as error:
                say(f"no Gantt chart: {error}")

    def report(self) -> None:
        differences = self.runner.differences
        self.runner.finish()
        write_tables(self.comparison, self.output)
        text = summary(self.comparison, differences)
        (self.output / "summary.md").write_text(text, encoding="utf-8")
        if any(self.comparison.groups(workers) for workers in self.comparison.workers):
            save(draw_throughput(self.comparison), self.output, "throughput")
            save(draw_workers(self.comparison), self.output, "workers")
        (self.output / "summary.html").write_text(page(text, self.output), encoding="utf-8")
        print(text)

    def exit_code(self) -> int:
        if self.runner.differences:
            return 2
        return 0 if any(run.ok and run.purpose == "measure" for run in self.comparison.runs) else 1
