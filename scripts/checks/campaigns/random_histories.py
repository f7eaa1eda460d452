#!/usr/bin/env python3
"""Runs random histories of trajectories and results: no frame may be lost or counted twice.

    random_histories.py --program build/starhist [--histories 2000] [--seed 1]

In a history, small trajectories are counted as a whole, in parts, with steps, and with an
overlapping continuation; runs are killed and resumed; trajectories grow, are copied, renamed, linked
or restarted from the same first frame; results and merged results are merged. An oracle knows the
frames of each file:

* a successful run has counted the frames that it selects from the current content of its files;
* a merge succeeds if and only if no frame is in two of its results, and then contains all their
  frames; it reports gaps between the frames of a trajectory. Different trajectories may share frame 0.

Frames are identified by their counts, which the oracle computes itself.
"""

import collections
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

from campaign_runs import environment, make_parser, rdf

INCOMPLETE = 3  # exit code of a merge without some of the parts
ENVIRONMENT = environment(STARPU_NCPU="1", STARPU_NCUDA="0", STARHIST_CPU_VARIANT="baseline")
PARTICLES, EDGE, R_MAX, BINS = 6, 3.0, 1.2, 6
BEGUN_ANEW = 1000  # added to the number of a run that begins with the same frame


def positions(frame):
    """Of the frame (run, number). Runs that are begun anew share the first one."""
    run, number = frame
    chance = random.Random(f"{run % BEGUN_ANEW if number == 0 else run} {number}")
    return [[round(chance.uniform(0, EDGE), 5) for _ in range(3)] for _ in range(PARTICLES)]


def identity(frames, place):
    """Identity of a frame of a file: trajectories may share frame 0, the structure that they begin with."""
    run, number = frames[place]
    return (frames[1][0], 0) if number == 0 and len(frames) > 1 else (run, number)


KNOWN = {}


def counts_of(frame):
    """Pairs per bin of a frame."""
    if frame not in KNOWN:
        place = numpy.array(positions(frame))
        difference = place[:, None] - place[None]
        difference -= EDGE * numpy.round(difference / EDGE)
        distance = numpy.sqrt((difference**2).sum(-1))[numpy.triu_indices(PARTICLES, 1)]
        KNOWN[frame] = numpy.histogram(distance, BINS, (0, R_MAX))[0]
    return KNOWN[frame]


def write(path, frames, timed, bad=None):
    """An XYZ file; the frame at place `bad` cannot be used."""
    lines = []
    for place, frame in enumerate(frames):
        time_text = f" Time={frame[1]}" if timed else ""
        lines += [str(PARTICLES), f'Lattice="{EDGE} 0 0 0 {EDGE} 0 0 0 {EDGE}"{time_text}']
        for row in positions(frame):
            lines.append("Ar " + " ".join("nan" if place == bad else f"{x:.5f}" for x in row))
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


class Result:
    def __init__(self, path, frames, places):
        self.path = path
        self.frames = collections.Counter(identity(frames, place) for place in places)
        self.parts = [(frames[:2], list(places))]  # of each run: its trajectory, and places of frames in it
        self.counts = sum((counts_of(frames[place]) for place in places), numpy.zeros(BINS, int))


class History:
    def __init__(self, program, folder, chance):
        self.program = program
        self.folder = folder
        self.chance = chance
        self.timed = chance.random() < 0.7
        self.files = {}  # path -> frames
        self.results = []
        self.log = []
        self.names = 0
        self.tally = collections.Counter()
        for run in range(chance.choice((1, 1, 2))):
            self.store(self.new_path("xyz"), [(run, k) for k in range(chance.randint(6, 16))])

    def new_path(self, suffix):
        self.names += 1
        return self.folder / f"{self.names}.{suffix}"

    def store(self, path, frames, bad=None):
        write(path, frames, self.timed, bad)
        self.files[path] = frames
        self.log.append(
            f"{path.name}: frames {frames[0]} to {frames[-1]}" + (f", place {bad} is bad" if bad is not None else "")
        )

    def fail(self, problem):
        sys.exit("\n".join([*self.log, f"PROBLEM: {problem} (in {self.folder})"]))

    def run(self, words, kill_after=None):
        self.log.append(" ".join(words) + (f" # killed after {kill_after:.3f} s" if kill_after else ""))
        with subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True) as process:
            if kill_after:
                time.sleep(kill_after)
                process.send_signal(signal.SIGKILL)
            error = process.communicate(timeout=120)[1]
        self.log.append(f"  exit code {process.returncode}: {error.strip()}")
        if process.returncode not in (0, 1, INCOMPLETE, -signal.SIGKILL):
            self.fail(f"exit code {process.returncode}")
        return process.returncode, error

    def check(self, result):
        with h5py.File(result.path) as file:
            group = file["observables/pair_distance_histogram"]
            frames = int(group["frames"][:].sum())
            counts = group["value"][:, 0, :].sum(0)
            listed = len(group["frame_number"])
        expected = sum(result.frames.values())
        if frames != expected or listed != expected:
            self.fail(f"{result.path.name} has {frames} frames, not {expected}")
        if not numpy.array_equal(counts, result.counts):
            self.fail(f"{result.path.name} has other frames than those that it claims")
        self.results.append(result)

    def selection(self, count):
        """Options that select some of the frames."""
        kind = self.chance.choice(("all", "part", "part", "range", "step"))
        block = self.chance.randint(1, 4)
        words = ["--block", block]
        if kind == "part":
            parts = self.chance.randint(2, 3)
            part = self.chance.randint(1, parts)
            return words + (["--part", f"{part}/{parts}"] if parts <= -(-count // block) else [])
        first = self.chance.randrange(count) if kind != "all" else 0
        last = self.chance.randrange(first, count) if kind == "range" else count - 1
        step = self.chance.randint(2, 3) if kind == "step" else 1
        if kind == "range":
            words += ["--last", last]
        return [*words, "--first", first, "--step", step]

    def command(self, paths, words, output):
        return rdf(self.program, paths, output, "--r-max", R_MAX, "--bins", BINS, *words)

    def count(self):
        path = self.chance.choice(list(self.files))
        frames = self.files[path]
        paths = [path]
        if self.timed and self.chance.random() < 0.2:
            begin = self.chance.randrange(1, len(frames))
            run, last = frames[-1]
            more = [*frames[begin:], *((run, last + 1 + k) for k in range(3))]
            paths.append(self.new_path("xyz"))
            write(paths[1], more, self.timed)
            frames = [*frames, *more[-3:]]
            self.tally["continuations"] += 1
        words = self.selection(len(frames))
        output = self.new_path("h5")
        if len(paths) == 1 and self.chance.random() < 0.4:
            self.interrupted(path, words, output)
            return
        code, _ = self.run(self.command(paths, words, output))
        if code != 0:
            self.fail("a run was refused")
        self.check(Result(output, frames, self.places(words, len(frames))))
        self.tally["runs"] += 1

    def interrupted(self, path, words, output):
        """Kills a run, or lets it fail at a bad frame, and resumes it with --resume."""
        before = self.files[path]
        bad = self.chance.randrange(len(before)) if self.chance.random() < 0.7 else None
        if bad is not None:
            self.store(path, before, bad)
        self.run(
            self.command([path], words, output), self.chance.uniform(0.02, 0.2) if self.chance.random() < 0.5 else None
        )
        action = self.chance.choice(("same", "same", "grow", "grow", "anew"))
        run, last = before[-1]
        now = before
        if action == "grow":
            now = [*before, *((run, last + 1 + k) for k in range(self.chance.randint(1, 8)))]
        if action == "anew" and run < BEGUN_ANEW and before[0][1] == 0:
            now = [before[0], *((run + BEGUN_ANEW, k) for k in range(1, len(before) + 4))]
        self.store(path, now)
        code, error = self.run([*self.command([path], words, output), "--resume"])
        self.tally[f"resumed, {action}: exit code {code}"] += 1
        if code != 0:
            if now == before and "finished" not in error and "modified" not in error:
                self.fail("a run cannot be resumed")
            for left in self.folder.glob(output.name + "*"):
                left.unlink()
            return
        places = self.places(words, len(now))
        result = Result(output, now, places)
        # A run that was killed after its end did not know the first frames, which identify a trajectory.
        if bad in (0, 1):
            result.parts = [(None, list(places))]
        self.check(result)

    def places(self, words, count):
        """Returns the frames that the words select from `frames` frames."""
        values = {words[k]: words[k + 1] for k in range(0, len(words), 2)}
        if "--part" in values:
            block = values["--block"]
            part, parts = map(int, values["--part"].split("/"))
            blocks = -(-count // block)

            def before(k):
                return blocks // parts * k + min(k, blocks % parts)

            return range(before(part - 1) * block, count if part == parts else min(count, before(part) * block))
        return range(values.get("--first", 0), min(count, values.get("--last", count) + 1), values.get("--step", 1))

    def change(self):
        path = self.chance.choice(list(self.files))
        frames = self.files[path]
        run, last = frames[-1]
        action = self.chance.choice(("grow", "copy", "rename", "link", "anew"))
        self.tally[action] += 1
        if action == "grow":
            self.store(path, [*frames, *((run, last + 1 + k) for k in range(4))])
            return
        if action == "anew":
            if run < BEGUN_ANEW:
                self.store(path, [frames[0], *((run + BEGUN_ANEW, k) for k in range(1, 12))])
            return
        other = self.new_path("xyz")
        if action == "copy":
            shutil.copy(path, other)
        elif action == "rename":
            path.rename(other)
        else:
            path.rename(other)
            path.symlink_to(other.name)
        self.log.append(f"{action} {path.name} {other.name}")
        if action == "rename":
            del self.files[path]
        if action != "link":
            self.files[other] = frames

    def merge(self):
        if len(self.results) < 2:
            return
        number = min(self.chance.choice((2, 2, 3)), len(self.results))
        # At times one of them twice.
        chosen = (
            self.chance.choices(self.results, k=number)
            if self.chance.random() < 0.1
            else self.chance.sample(self.results, number)
        )
        output = self.new_path("h5")
        code, error = self.run([self.program, "merge", *(str(result.path) for result in chosen), "-o", str(output)])
        frames = sum((result.frames for result in chosen), collections.Counter())
        twice = max(frames.values()) > 1
        self.tally[f"merges {'refused' if twice else 'done'}"] += 1
        if code not in ((1,) if twice else (0, INCOMPLETE)):
            self.fail("frames that count twice were merged" if twice else "results without a common frame were refused")
        if twice:
            return
        merged = Result(output, [], [])
        merged.parts = [part for result in chosen for part in result.parts]
        merged.frames = frames
        merged.counts = sum(result.counts for result in chosen)
        self.check(merged)
        reported = "missing from the results" in error
        if self.has_hole(merged.parts) and not reported:
            self.fail("missing frames were not reported")
        if code == INCOMPLETE and not reported:
            self.fail(f"exit code {code} without missing parts")

    @staticmethod
    def has_hole(parts):
        """Whether runs that count each frame leave some out between them; False if that is unknown."""
        trajectories = collections.defaultdict(set)
        for first, places in parts:
            if first is None or (len(places) > 1 and places[1] - places[0] != 1):
                return False
            trajectories[tuple(first)].update(places)
        return any(len(places) != max(places) - min(places) + 1 for places in trajectories.values())

    def play(self):
        self.count()
        self.count()
        for _ in range(self.chance.randint(2, 6)):
            self.chance.choice((self.count, self.change, self.merge, self.merge))()
        self.merge()


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--histories", type=int, default=2000)
    arguments = parser.parse_args()
    start = time.monotonic()
    tally = collections.Counter()
    for number in range(arguments.histories):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="history-"))  # stays after a problem
        history = History(arguments.program, folder, random.Random(f"{arguments.seed} {number}"))
        history.play()
        tally += history.tally
        shutil.rmtree(folder)
    for what, count in sorted(tally.items()):
        print(f"{what}: {count}")
    print(
        f"{arguments.histories} histories, each result with the frames that it claims: {time.monotonic() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
