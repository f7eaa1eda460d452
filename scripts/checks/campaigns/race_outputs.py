#!/usr/bin/env python3
"""Starts pairs of runs with the same output, moments apart: no run may succeed with a wrong file.

    race_outputs.py --program build/starhist [--pairs 1000] [--seed 1]

The two runs of a pair use different numbers of bins, which identify the file's writer. They start
0 to 150 ms apart, with and without --force, with and without HDF5_USE_FILE_LOCKING=FALSE, with and
without an fsync that takes a second longer. Checks after both have ended:

* without --force, one run exits with 0 and wrote the file, and the other exits with 1;
* with --force, runs exit with 0 or 1, at least one with 0, and a run with exit code 0 wrote the file;
* the file is complete and equals the result of an undisturbed run; no .partial or .lock file is left;
* a run that exits with 1 prints the reason.
"""

import collections
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from campaign_runs import ROOT, WATER, build_library, compare_results, environment, make_parser, rdf

BINS = ("50", "60")
REASONS = ("is being written by another run", "exists already")


def command(arguments, bins, output, force):
    return rdf(arguments.program, [WATER], output, *"--r-max 1 --block 10 --bins".split(), bins, *["--force"] * force)


def problem_of_pair(arguments, references, folder, setting, delay):
    """Returns (problem or None, exit codes of the two runs)."""
    force, unlocked, library = setting
    output = folder / "out.h5"
    variables = environment()
    if unlocked:
        variables["HDF5_USE_FILE_LOCKING"] = "FALSE"
    if library:
        variables.update(LD_PRELOAD=str(library), STARHIST_FSYNC_MS="1000")
    runs = []
    for bins in BINS:
        words = command(arguments, bins, output, force)
        runs.append(subprocess.Popen(words, env=variables, stderr=subprocess.PIPE, text=True))
        time.sleep(delay if len(runs) == 1 else 0)
    errors = [run.communicate()[1] for run in runs]
    codes = tuple(run.returncode for run in runs)
    if not set(codes) <= {0, 1} or 0 not in codes or (not force and codes == (0, 0)):
        return f"exit codes {codes}: {errors}", codes
    for code, error in zip(codes, errors):
        if code == 1 and not any(reason in error for reason in REASONS):
            return f"unexpected message with exit code 1: {error}", codes
    owners = [reference for code, reference in zip(codes, references) if code == 0]
    if not any(not list(compare_results.differences(output, owner)) for owner in owners):
        return "the file was not written by a successful run", codes
    rest = sorted(path.name for path in folder.iterdir() if path != output)
    if rest:
        return f"left behind: {rest}", codes
    output.unlink()
    return None, codes


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--pairs", type=int, default=1000)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        library = build_library(folder / "slow_fsync.so", [ROOT / "tests/faults/slow_fsync.c"])
        references = [folder / f"{bins}.h5" for bins in BINS]
        for bins, reference in zip(BINS, references):
            subprocess.run(command(arguments, bins, reference, False), check=True, env=environment())
        settings = itertools.cycle(itertools.product((False, True), (False, True), (None, library)))
        place = folder / "runs"
        place.mkdir()
        ends = collections.Counter()
        start = time.monotonic()
        for number, setting in zip(range(arguments.pairs), settings):
            delay = chance.uniform(0.0, 0.15)
            problem, codes = problem_of_pair(arguments, references, place, setting, delay)
            ends[(bool(setting[0]), codes)] += 1
            if problem:
                sys.exit(
                    f"pair {number}, force {setting[0]}, HDF5 unlocked {setting[1]}, slow "
                    f"fsync {bool(setting[2])}, {1e3 * delay:.0f} ms apart: {problem}"
                )
        for (force, codes), count in sorted(ends.items()):
            print(f"{'with' if force else 'without'} --force, exit codes {codes}: {count}")
        print(f"{arguments.pairs} pairs in {time.monotonic() - start:.0f} s: no wrong file")


if __name__ == "__main__":
    main()
