#!/usr/bin/env python3
"""Compares StarPU's schedulers on a trajectory: schedulers x worker sets x repetitions.

    scripts/user/compare_schedulers.py TRAJ --r-max R --bins N [options] [-- options of starhist rdf]

Every run is a process of its own; the order is random. Before, each scheduler runs once on each
worker set with STARPU_CALIBRATE=1, to warm up and to measure how long tasks take; from then on
these performance models are frozen: each run works on a copy of them. The counts of all runs are
compared, bin by bin.
"""
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
from scheduler_plots import draw_throughput, draw_workers, save
from scheduler_report import Comparison, summary, write_tables
from scheduler_runs import ComparisonError, Run, Runner, parse_worker_sets

EPILOG = """
worker sets
  cpu, gpu, all       all CPU cores; all GPUs; what StarPU takes by itself
  NCPU=15,NCUDA=1     StarPU's variables without STARPU_, any of them; repeat --workers

files in OUTDIR
  summary.md          table per worker set: medians, intervals, ratio to the area bound
  throughput.svg/png  the same as bars; workers.svg/png: busy and idle shares of each worker
  gantt.svg/png       one run of the fastest combination (or --gantt), from trace.csv
  runs.csv            a row per run; workers.csv: a row per run and worker
  runs.json           all that is known of each run, calibration too
  models/             performance models, one folder per worker set (for --models)

examples
  what this machine has, five repetitions:
    scripts/user/compare_schedulers.py water.h5 --r-max 1.4 --bins 280 -o comparison
  one GPU with and without cores besides, on 100 frames:
    scripts/user/compare_schedulers.py water.h5 --r-max 1.4 --bins 280 \\
      --schedulers eager,lws,dmdas --workers NCPU=0,NCUDA=1 --workers NCPU=15,NCUDA=1 \\
      --repeat 10 -o comparison -- --last 99 --task-pairs 50000000

exit codes: 0 done (runs that failed are reported), 1 bad usage or no run succeeded,
2 counts differ"""
SCRIPTS = pathlib.Path(__file__).resolve().parent


class Parser(argparse.ArgumentParser):
    def error(self, message):  # 2 is for counts that differ
        self.print_usage(sys.stderr)
        self.exit(1, f"compare_schedulers.py: {message}\n")


def parse_options(arguments: list) -> argparse.Namespace:
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    parser = Parser(description=__doc__, epilog=EPILOG,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trajectory", nargs="+", metavar="TRAJ")
    parser.add_argument("--r-max", required=True, metavar="R")
    parser.add_argument("--bins", required=True, metavar="N")
    parser.add_argument("--program", default=SCRIPTS.parents[1] / "build/starhist", metavar="FILE",
                        type=pathlib.Path, help="starhist (default: build/starhist of this tree)")
    parser.add_argument("--schedulers", default="eager,lws,random,dmda,dmdas", metavar="A,B,...",
                        help="default %(default)s; STARPU_SCHED=help starhist ... lists them")
    parser.add_argument("--workers", action="append", metavar="SET,...",
                        help="see below; default: cpu, and gpu,all where there is a GPU")
    parser.add_argument("--repeat", type=int, default=5, metavar="N",
                        help="measured runs of each (default %(default)s; 95 %% from 6 on)")
    parser.add_argument("--calibration-runs", type=int, default=1, metavar="N",
                        help="of each scheduler and worker set (default %(default)s)")
    parser.add_argument("--models", type=pathlib.Path, metavar="DIR",
                        help="performance models that exist, instead of calibration runs")
    parser.add_argument("--seed", type=int, default=1, help="of the order (default %(default)s)")
    parser.add_argument("--gantt", default="", metavar="SCHEDULER:SET",
                        help="what to trace (default: the fastest)")
    parser.add_argument("--timeout", type=float, default=3600, metavar="S",
                        help="give up a run after S seconds (default %(default)g)")
    parser.add_argument("--keep", action="store_true", help="keep the result files")
    parser.add_argument("-o", "--output", type=pathlib.Path, default="scheduler-comparison",
                        metavar="OUTDIR", help="new or empty folder (default %(default)s)")
    options = parser.parse_args(arguments[:cut])
    options.extra = arguments[cut + 1:]
    options.schedulers = list(dict.fromkeys(filter(None, options.schedulers.split(","))))
    if not options.schedulers or options.repeat < 1 or options.calibration_runs < 0:
        parser.error("nothing to do: --schedulers is empty, or --repeat below 1")
    if options.models and not options.models.is_dir():
        parser.error(f"--models {options.models}: there is no such folder")
    has_gpu = any(re.fullmatch(r"nvidia\d+", name) for name in os.listdir("/dev"))
    try:
        options.workers = parse_worker_sets(
            options.workers or ["cpu,gpu,all" if has_gpu else "cpu"])
    except ComparisonError as error:
        parser.error(str(error))
    wanted = [f"{name}:{workers.name}" for name in options.schedulers
              for workers in options.workers]
    if options.gantt and options.gantt not in wanted:
        parser.error(f"--gantt {options.gantt} is none of {', '.join(wanted)}")
    return options


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def output_of(command: list) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError as error:
        raise ComparisonError(f"{command[0]} cannot be run ({error.strerror}); build it, or name "
                              "it with --program") from error


def describe(options: argparse.Namespace) -> dict:
    """The part of the record that is the same for all runs."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*:\s*(.*)$", cpuinfo.read_text() if cpuinfo.exists() else "",
                       flags=re.M)
    version = output_of([str(options.program), "--version"]).strip()
    return {"program": version.partition("\n")[0],  # the second line is of GROMACS' formats
            "command": shlex.join(sys.argv), "host": platform.node(),
            "cpu_model": names[0] if names else platform.processor(),
            "usable_cores": len(os.sched_getaffinity(0)),
            "trajectory": " ".join(map(str, options.trajectory)), "seed": options.seed,
            "models": str(options.models) if options.models else "measured before the runs"}


class Experiment:
    """Calibration, runs in random order, trace."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.output = options.output
        self.comparison = Comparison(options.schedulers, [s.name for s in options.workers],
                                     about=describe(options))
        self.output.mkdir(parents=True, exist_ok=True)
        if any(self.output.iterdir()):
            raise ComparisonError(f"{self.output} is not empty (give another folder with -o)")
        self.runner = Runner(
            [str(options.program), "rdf", *options.trajectory],
            ["--r-max", options.r_max, "--bins", options.bins, *options.extra],
            self.output, options.keep, options.timeout)

    def models(self, workers) -> pathlib.Path:
        """A worker's speed depends on who works besides: models are kept per worker set."""
        folder = (self.options.models or self.output / "models") / workers.file_name
        if self.options.models:
            return folder if folder.is_dir() else self.options.models
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def run(self, scheduler: str, workers, purpose: str, repetition: int = 0,
            more_options: tuple = (), progress: str = "") -> Run:
        run = Run(scheduler, workers.name, repetition, purpose)
        models = frozen = self.models(workers)
        if purpose != "calibrate":  # StarPU measures on where it knows too little
            frozen = self.output / "frozen-models"
            shutil.copytree(models, frozen)
        known = len(self.runner.differences)
        try:
            self.runner.run(run, workers, frozen, more_options)
        finally:
            if frozen is not models:
                shutil.rmtree(frozen)
        self.comparison.runs.append(run)
        say(f"{progress}{run}: " + (f"{run.seconds:.3g} s, {1e-9 * run.throughput:.4g} 10^9 pairs/s"
                                    if run.ok else f"failed, {run.failure}"))
        for difference in self.runner.differences[known:]:
            say(difference)
        write_tables(self.comparison, self.output)  # what is there survives a kill
        return run

    def calibrate(self) -> list:
        """The combinations of scheduler and worker set that run at all."""
        runs = 0 if self.options.models else self.options.calibration_runs
        combinations = [(scheduler, workers) for workers in self.options.workers
                        for scheduler in self.options.schedulers
                        if all(self.run(scheduler, workers, "calibrate", k).ok
                               for k in range(runs))]
        host = os.environ.get("STARPU_HOSTNAME", platform.node().split(".")[0])
        for workers in dict.fromkeys(workers for _, workers in combinations):
            if not any(self.models(workers).rglob(f"count_pairs*.{host}")):
                say(f"{self.models(workers)} has no times measured on '{host}': predictions on "
                    f"{workers.name} are rough")
        return combinations

    def measure(self, combinations: list) -> None:
        plan = [(*combination, repetition) for combination in combinations
                for repetition in range(1, self.options.repeat + 1)]
        random.Random(self.options.seed).shuffle(plan)
        for k, (scheduler, workers, repetition) in enumerate(plan, 1):
            self.run(scheduler, workers, "measure", repetition, (), f"[{k}/{len(plan)}] ")

    def trace(self) -> None:
        """One more run, of the fastest combination or the one asked for, and its chart."""
        if "--trace" not in output_of([str(self.options.program), "rdf", "--help"]):
            say("no Gantt chart: this starhist has no option --trace")
            return
        groups = [group for workers in self.comparison.workers
                  for group in self.comparison.groups(workers)
                  if self.options.gantt in ("", f"{group.scheduler}:{group.workers}")]
        if not groups:
            say(f"no Gantt chart: no run of {self.options.gantt} succeeded")
            return
        best = max(groups, key=lambda group: group.throughput)
        workers = next(s for s in self.options.workers if s.name == best.workers)
        path = self.output / "trace.csv"
        run = self.run(best.scheduler, workers, "trace", 0, ("--trace", str(path)))
        if run.ok:
            names = [worker.name for worker in run.worker_list]
            try:
                title = (f"{run.scheduler} on {run.workers}: "
                         f"{self.comparison.composition(run.workers)}")
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
        print(text)

    def exit_code(self) -> int:
        if self.runner.differences:
            return 2
        return 0 if any(run.ok and run.purpose == "measure" for run in self.comparison.runs) else 1


def main() -> int:
    options = parse_options(sys.argv[1:])
    try:
        experiment = Experiment(options)
        interrupted = False
        try:
            experiment.measure(experiment.calibrate())
            experiment.trace()
        except KeyboardInterrupt:
            interrupted = True
            say("interrupted: the report is of the runs so far")
        experiment.report()
        return 130 if interrupted else experiment.exit_code()
    except (ComparisonError, OSError) as error:
        say(f"compare_schedulers.py: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
