#!/usr/bin/env python3
"""Kills and stops runs at random times and resumes them: no frame may be lost or counted twice.

    kill_runs.py --program build/starhist [--kills 1000] [--seed 1]

A run of 306 frames is killed or stopped after a random time and resumed with --resume, until it
finishes or has been interrupted ten times; then it may finish. Blocks of 1, 7 and 100 frames, HDF5
and XYZ files, one or several files, checkpoints every 10 ms and every minute, SIGKILL and SIGTERM.
Checks:

* the final result equals the result of an undisturbed run in every object, attribute, type and
  stored chunk except for the provenance (compare_results.py), and no other file is left;
* a stopped run exits with 4 (or 0, if it had finished); a killed run dies from the signal;
* every interrupted run can be resumed, and files left by a kill are readable (`starhist info`).
"""

import collections
import itertools
import pathlib
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from campaign_runs import WATER, compare_results, environment, make_parser, rdf, unreadable

ENVIRONMENT = environment(STARPU_NCPU="2", STARHIST_CPU_VARIANT="baseline")
MOST_INTERRUPTIONS = 10


def write_xyz(path, frames):
    """Random particles in a box of 3, as text."""
    chance = random.Random(7)
    with open(path, "w", encoding="ascii") as file:
        for frame in range(frames):
            file.write(f'600\nLattice="3 0 0 0 3 0 0 0 3" Time={frame}\n')
            for _ in range(600):
                x, y, z = (f"{chance.uniform(0, 3):.5f}" for _ in range(3))
                file.write(f"Ar {x} {y} {z}\n")


def inputs(folder):
    text = [folder / "one.xyz", folder / "two.xyz"]
    write_xyz(text[0], 306)
    write_xyz(text[1], 50)
    return [[WATER] * 6, [text[0]], [WATER], [text[1], text[0]]]


class Campaign:
    def __init__(self, program, folder, chance):
        self.program = program
        self.folder = folder
        self.chance = chance
        self.counts = collections.Counter()
        self.references = {}

    def command(self, files, block, output):
        return rdf(self.program, files, output, *"--repeated keep --r-max 1 --bins 50 --block".split(), block)

    def reference(self, files, block):
        """Returns the result of an undisturbed run, and its duration [s]."""
        key = (tuple(files), block)
        if key not in self.references:
            path = self.folder / f"alone{len(self.references)}.h5"
            start = time.monotonic()
            subprocess.run(self.command(files, block, path), check=True, env=ENVIRONMENT)
            self.references[key] = path, time.monotonic() - start
        return self.references[key]

    def interrupt(self, words, number, seconds):
        """One start and its end; its exit code."""
        run = subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
        time.sleep(self.chance.uniform(0.0, 1.1 * seconds))
        run.send_signal(number)
        error = run.communicate(timeout=120)[1]
        name = signal.Signals(number).name
        # Before the program waits for signals, TERM ends it as it ends any.
        allowed = {0, -number} if number == signal.SIGKILL else {0, 4, -number}
        if run.returncode not in allowed:
            sys.exit(f"{shlex.join(words)}\n{name}: exit code {run.returncode}: {error}")
        self.counts[f"{name}, exit code {run.returncode}"] += 1
        return run.returncode

    def run_with_kills(self, files, block, checkpoint, number):
        """Number of interruptions until the result is there."""
        reference, seconds = self.reference(files, block)
        place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        output = place / "out.h5"
        words = self.command(files, block, output) + ["--resume", "--checkpoint", checkpoint]
        kills = 0
        for _ in range(MOST_INTERRUPTIONS):
            code = self.interrupt(words, number, seconds)
            if code == 0:
                break
            kills += 1
            if output.exists():  # killed after the result had its name
                (place / "out.h5.lock").unlink(missing_ok=True)
                break
            partial = place / "out.h5.partial"
            if partial.exists() and (problem := unreadable(self.program, partial)):
                sys.exit(problem)
        else:
            subprocess.run(words, check=True, env=ENVIRONMENT)
        differences = list(compare_results.differences(output, reference))
        left = sorted(path.name for path in place.iterdir() if path != output)
        if differences or left:
            sys.exit(f"{shlex.join(words)}\nafter {kills} interruptions: {differences[:5]}, left behind: {left}")
        output.unlink()
        place.rmdir()
        return kills


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        campaign = Campaign(arguments.program, folder, random.Random(arguments.seed))
        settings = itertools.cycle(
            itertools.product((signal.SIGKILL, signal.SIGTERM), ("0.01", "60"), (1, 7, 100), inputs(folder))
        )
        kills = results = 0
        start = time.monotonic()
        for number, checkpoint, block, files in settings:
            if kills >= arguments.kills:
                break
            kills += campaign.run_with_kills(files, block, checkpoint, number)
            results += 1
        for what, count in sorted(campaign.counts.items()):
            print(f"{what}: {count}")
        print(
            f"{kills} interruptions, {results} results, all equal to an undisturbed run: {time.monotonic() - start:.0f} s"
        )


if __name__ == "__main__":
    main()
