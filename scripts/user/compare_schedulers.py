#!/usr/bin/env python3
"""Compares StarPU's schedulers on a trajectory: schedulers x worker sets x repetitions.

    starhist compare-schedulers TRAJ --r-max R --bins N [options] [-- OF RDF]

Each run is a separate process, in random order. First, each scheduler runs once on each worker set
with STARPU_CALIBRATE=1, to warm up and to measure task times; these performance models are then
frozen, and each run works on a copy of them. The counts of all runs are compared bin by bin.
"""

import argparse
import os
import pathlib
import re
import sys

from command_parser import CommandParser
from failures import problem_of
from packages import require
from starhist_program import DEFAULT, NoProgram, find_program

EPILOG = """
worker sets
  cpu, gpu, all       all CPU cores; all GPUs; StarPU's default
  NCPU=15,NCUDA=1     any of StarPU's variables, without STARPU_; repeat
                      --workers for more sets

files in OUTDIR
  summary.md          table per worker set: medians, intervals, ratio to the
                      area bound
  summary.html        the same as a page, with the figures inside
  throughput.svg/png  medians as bars; workers.svg/png: busy and idle shares of
                      each worker
  gantt.svg/png       one run of the fastest combination (or --gantt), from
                      trace.csv
  runs.csv            a row per run; workers.csv: a row per run and worker
  runs.json           complete record of each run, including calibration
  models/             performance models, a folder per worker set (for --models)

examples
  all workers of this machine, five repetitions:
    starhist compare-schedulers water.h5 --r-max 1.4 --bins 280 -o comparison
  one GPU with and without CPU cores, on 100 frames:
    starhist compare-schedulers water.h5 --r-max 1.4 --bins 280 \\
      --schedulers eager,lws,dmdas --workers NCPU=0,NCUDA=1 \\
      --workers NCPU=15,NCUDA=1 --repeat 10 -o comparison \\
      -- --last 99 --task-pairs 50000000

exit codes
  0 done (failed runs are reported); 1 bad usage, a package is missing, or no
  run succeeded; 2 counts differ"""


def make_parser() -> CommandParser:
    parser = CommandParser(prog="starhist compare-schedulers", description=__doc__, epilog=EPILOG)
    parser.add_input("trajectory", nargs="+", metavar="TRAJ", help="trajectory files, as for starhist rdf")
    parser.add_argument("--r-max", required=True, metavar="R", help="largest distance, as for starhist rdf")
    parser.add_argument("--bins", required=True, metavar="N", help="number of bins, as for starhist rdf")
    parser.add_input("--program", metavar="FILE", help=f"starhist (default: {DEFAULT})")
    parser.add_argument(
        "--schedulers",
        default="eager,lws,random,dmda,dmdas",
        metavar="A,B,...",
        help="STARPU_SCHED=help starhist ... lists them (default %(default)s)",
    )
    parser.add_argument(
        "--workers",
        action="append",
        metavar="SET,...",
        help="see below (default: cpu, or cpu,gpu,all on a machine with a GPU)",
    )
    parser.add_argument(
        "--repeat",
        type=int,
        default=5,
        metavar="N",
        help="measured runs per scheduler and worker set; 6 or more give 95 %% intervals (default %(default)s)",
    )
    parser.add_argument(
        "--calibration-runs",
        type=int,
        default=1,
        metavar="N",
        help="calibration runs per scheduler and worker set (default %(default)s)",
    )
    parser.add_input(
        "--models", type=pathlib.Path, metavar="DIR", help="use these performance models instead of calibration runs"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the random order (default %(default)s)")
    parser.add_argument(
        "--gantt", default="", metavar="SCHEDULER:SET", help="combination to trace (default: the fastest)"
    )
    parser.add_argument(
        "--timeout", type=float, default=3600, metavar="S", help="abort a run after S seconds (default %(default)g)"
    )
    parser.add_argument("--keep", action="store_true", help="keep the result files")
    parser.add_output(
        "-o",
        "--output",
        type=pathlib.Path,
        default="scheduler-comparison",
        metavar="OUTDIR",
        help="new or empty folder (default %(default)s)",
    )
    return parser


def parse_options(arguments: list) -> argparse.Namespace:
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    parser = make_parser()
    options = parser.parse_args(arguments[:cut])
    require(parser.prog, "h5py", "numpy", "matplotlib", exit_code=1)
    from schedulers.runs import ComparisonError, parse_worker_sets

    for path in options.trajectory:
        if "://" not in path and not os.path.exists(path):
            parser.error(f"{path}: does not exist")
    options.extra = arguments[cut + 1 :]
    options.schedulers = list(dict.fromkeys(filter(None, options.schedulers.split(","))))
    if not options.schedulers or options.repeat < 1 or options.calibration_runs < 0:
        parser.error("nothing to do: --schedulers is empty, or --repeat below 1")
    if options.models and not options.models.is_dir():
        parser.error(f"--models {options.models}: there is no such folder")
    has_gpu = any(re.fullmatch(r"nvidia\d+", name) for name in os.listdir("/dev"))
    try:
        options.workers = parse_worker_sets(options.workers or ["cpu,gpu,all" if has_gpu else "cpu"])
        options.program = pathlib.Path(find_program(options.program))
    except (ComparisonError, NoProgram) as error:
        parser.error(str(error))
    wanted = [f"{name}:{workers.name}" for name in options.schedulers for workers in options.workers]
    if options.gantt and options.gantt not in wanted:
        parser.error(f"--gantt {options.gantt} is not one of {', '.join(wanted)}")
    return options


def main() -> int:
    options = parse_options(sys.argv[1:])
    from schedulers.experiment import Experiment, say
    from schedulers.runs import ComparisonError

    try:
        experiment = Experiment(options)
        interrupted = False
        try:
            experiment.measure(experiment.calibrate())
            experiment.trace()
        except KeyboardInterrupt:
            interrupted = True
            say("interrupted: the report covers the completed runs")
        experiment.report()
        return 130 if interrupted else experiment.exit_code()
    except (ComparisonError, OSError) as error:
        say(f"starhist compare-schedulers: {problem_of(error)}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
