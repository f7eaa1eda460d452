#!/usr/bin/env python3
"""Flips one bit in counts or positions, and checks that starhist verify finds it.

    verify_faults.py [--count 1000] [--seed 1] [--program build/starhist]

Kinds of faults:
  count       a bit of a count, of a number of pairs or of excluded pairs in a result. Another number of the block is
              changed so that the sum rule still holds, and HDF5 writes the chunk again with its checksum, so only the
              recount can find it.
  g(r)        a bit of a stored value of g(r) that changes it by more than 1e-8 of its size.
  position    a bit of a position in the trajectory: H5MD with and without compression and checksums, LAMMPS text.
  row         a bit of a count of a result of vanhove, of coordination, or by second axis; another count of its row is
              changed so that the sums still hold.
  unsigned    a bit of a position that moves a particle by more than a bin, while the result has no checksum of the
              frame, so only the counts can show it.
Each fault is given to verify with all blocks, or with a random sample. In a block that verify looked at the fault must
be found: exit code 2 and a report that names the block (or the bin of g(r)) and, for a count, both numbers; or exit code 1 and a message
about the trajectory, or about numbers of that block that no trajectory can have. A block of vanhove also looks at earlier
frames, so that a changed position is found in the frame's block and in later ones. Unchanged files must have exit code 0. Prints the number of faults of each kind. Exit status: 0
all found, 1 some missed or false alarms, 77 skipped because Python lacks h5py.
"""

import collections
import importlib.util
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from campaign_runs import make_parser

FRAMES, MOLECULES, LENGTH, R_MAX, BINS, BLOCK = 24, 24, 10.0, 4.5, 40, 4
COUNTS = "observables/pair_distance_histogram/"
DISTRIBUTIONS = "observables/radial_distribution_functions"
POSITIONS = "particles/all/position/value"


def write_dump(path, rng, tilt):
    """A LAMMPS dump of molecules with two particles of type 1 and one of type 2."""
    bounds = f"0 {LENGTH}\n" * 3
    kind = "pp pp pp"
    if tilt:
        kind = "xy xz yz pp pp pp"
        bounds = f"0 {LENGTH + tilt} {tilt}\n0 {LENGTH} 0\n0 {LENGTH} 0\n"
    with open(path, "w", encoding="ascii") as file:
        for frame in range(FRAMES):
            file.write(f"ITEM: TIMESTEP\n{100 * frame}\nITEM: NUMBER OF ATOMS\n{3 * MOLECULES}\n")
            file.write(f"ITEM: BOX BOUNDS {kind}\n{bounds}ITEM: ATOMS id type mol x y z\n")
            for number in range(3 * MOLECULES):
                x, y, z = (rng.uniform(0, LENGTH) for _ in range(3))
                molecule, kind_of = number // 3 + 1, 2 if number % 3 == 2 else 1
                file.write(f"{number + 1} {kind_of} {molecule} {x:.4f} {y:.4f} {z:.4f}\n")


def numbers_of(text):
    """The numbers of a line; None if a word is not a number."""
    try:
        return [float(word) for word in text.split()]
    except ValueError:
        return None


class Case:
    """A trajectory, and a result of it.

    rows: datasets whose rows have counts with a constant sum, with their lengths, for other counts than by distance.
    """

    def __init__(self, trajectory, result, rows=()):
        self.trajectory, self.result, self.rows = trajectory, result, rows

    @property
    def looks_back(self):
        return any("van_hove" in name for name in self.rows)


class Campaign:
    def __init__(self, program, folder, h5py):
        self.program, self.folder, self.h5py = program, folder, h5py

    def starhist(self, *words):
        return subprocess.run(
            [self.program, *map(str, words)], capture_output=True, encoding="utf-8", errors="replace", check=False
        )

    def make(self, *words):
        run = self.starhist(*words)
        if run.returncode != 0:
            raise RuntimeError(f"starhist {words[0]}: {run.stderr}")

    def count(self, trajectory, name, *words, command="rdf"):
        result = self.folder / f"{name}.h5"
        bins = [] if command == "coordination" else ["--r-max", R_MAX, "--bins", BINS]
        self.make(command, trajectory, "-o", result, *bins, "--block", BLOCK, "-q", *words)
        return result

    def cases(self, rng):
        """H5MD, compressed H5MD with checksums in a tilted box, text with excluded pairs, merged parts."""
        dump, tilted = self.folder / "open.dump", self.folder / "tilted.dump"
        write_dump(dump, rng, 0.0)
        write_dump(tilted, rng, 2.5)
        plain, packed = self.folder / "plain-traj.h5", self.folder / "packed-traj.h5"
        self.make("convert", dump, "-o", plain)
        self.make("convert", tilted, "-o", packed)
        with self.h5py.File(packed, "r+") as file:
            values = file[POSITIONS][()]
            del file[POSITIONS]
            made = file.create_dataset(
                POSITIONS, data=values, chunks=(1, *values.shape[1:]), compression="gzip", fletcher32=True
            )
            made.attrs["unit"] = "Angstrom"
        parts = [self.count(plain, f"part{k}", "--part", f"{k}/2") for k in (1, 2)]
        merged = self.folder / "merged.h5"
        self.make("merge", *parts, "-o", merged)
        return [
            Case(plain, self.count(plain, "plain")),
            Case(packed, self.count(packed, "packed", "--r-min", "0.5")),
            Case(dump, self.count(dump, "text", "--exclude-same", "molecule")),
            Case(plain, merged),
            Case(
                packed,
                self.count(packed, "lags", "--lags", "0,1,5", command="vanhove"),
                {"observables/van_hove/value": BINS, "observables/van_hove/self_value": BINS},
            ),
            Case(
                dump,
                self.count(dump, "neighbours", "--cutoff", "3", command="coordination"),
                {"observables/coordination/value": None},
            ),
            Case(
                plain,
                self.count(plain, "axis", "--axis2", "cos(z)", "--axis2-bins", "6"),
                {"observables/second_axis/value": 6},
            ),
        ]

    def verify(self, case, *words):
        """The run, and its report; None without one."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        run = self.starhist(
            "verify", case.result, "--trajectory", case.trajectory, "--with", "reference", "--report", report, *words
        )
        return run, json.loads(report.read_text(encoding="utf-8")) if report.exists() else None

    def flip_count(self, rng, case):
        """Flips a bit of a number of a block; returns the block and a pattern of the differences to expect."""
        with self.h5py.File(case.result, "r+") as file:
            data = {name: file[COUNTS + name] for name in ("value", "underflow", "overflow", "pairs", "excluded_pairs")}
            block, pair = (rng.randrange(n) for n in data["pairs"].shape)
            name = rng.choice(["value"] * 6 + ["underflow", "overflow", "pairs", "excluded_pairs"])
            where = (block, pair, rng.randrange(data["value"].shape[2])) if name == "value" else (block, pair)
            # Numbers of a few thousand: most flips are among the bits in use.
            old = int(data[name][where])
            new = old ^ (1 << rng.choice([*range(12)] * 16 + [*range(12, 63)]))
            data[name][where] = new
            self.balance(rng, data, name, block, pair, new - old)
            if DISTRIBUTIONS in file:
                del file[DISTRIBUTIONS]  # it would also show the fault
        words = {"value": "bin", "overflow": "out of range", "excluded_pairs": "excluded pairs"}
        number = f"bin {where[2]} " if name == "value" else words.get(name, name)
        return block, (number, str(new), str(old))

    def flip_row(self, rng, case):
        """Flips a bit of a count of a row and balances it with another one; returns as flip_count()."""
        with self.h5py.File(case.result, "r+") as file:
            name = rng.choice(list(case.rows))
            data = file[name]
            while True:
                *row, count = data.shape
                row = tuple(rng.randrange(n) for n in row)
                width = case.rows[name] or count
                first = width * rng.randrange(count // width)
                one, other = rng.sample(range(first, first + width), 2)
                old, rest = int(data[(*row, one)]), int(data[(*row, other)])
                new = old ^ (1 << rng.randrange(12))
                if old + rest >= new:
                    data[(*row, one)], data[(*row, other)] = new, old + rest - new
                    return row[0], ("", str(new), str(old))

    @staticmethod
    def balance(rng, data, name, block, pair, change):
        """Keeps the sum rule: changes pairs out of range and in other bins if they suffice, else the number of pairs."""
        if name == "excluded_pairs":
            return
        left = -change if name == "pairs" else change  # to subtract from other numbers
        row = data["value"][block, pair]
        others = {("value", k): int(n) for k, n in enumerate(row)} if name != "value" else {}
        if name != "overflow":
            others["overflow", None] = int(data["overflow"][block, pair])
        if sum(others.values()) < left:
            data["pairs"][block, pair] = int(data["pairs"][block, pair]) + change * (name != "pairs")
            return
        for where in rng.sample(list(others), len(others)):
            part = min(left, others[where])
            place = (block, pair) if where[1] is None else (block, pair, where[1])
            data[where[0]][place] = others[where] - part
            left -= part
            if left == 0:
                return

    def flip_position(self, rng, case, least=0.0):
        """Flips a bit of a position that changes it by at least `least`; returns its frame."""
        if case.trajectory.suffix == ".dump":
            return self.flip_digit(rng, case.trajectory)
        import numpy

        with self.h5py.File(case.trajectory, "r+") as file:
            data = file[POSITIONS]
            while True:
                where = tuple(rng.randrange(n) for n in data.shape)
                old = numpy.array([data[where]], data.dtype)
                unsigned = old.view(f"u{old.itemsize}")
                new = (unsigned ^ unsigned.dtype.type(1 << rng.randrange(8 * old.itemsize))).view(old.dtype)
                if least == 0.0 or least <= abs(float(new[0]) - float(old[0])) < 1e6:
                    data[where] = new[0]
                    return where[0]

    @staticmethod
    def flip_digit(rng, path):
        """Flips a bit of a character of a coordinate in text."""
        text = bytearray(path.read_bytes())
        lines = list(re.finditer(rb"(?m)^\d+ \d \d+ (.*)$", bytes(text)))
        line = rng.choice(lines)
        while True:
            place = rng.choice([k for k in range(line.start(1), line.end(1)) if text[k] != ord(" ")])
            mask = 1 << rng.randrange(8)
            text[place] ^= mask
            if numbers_of(text[line.start(1) : line.end(1)]) != numbers_of(line[1]):
                break
            text[place] ^= mask  # 2.3990 and 2.399 are equal
        path.write_bytes(text)
        return lines.index(line) // (3 * MOLECULES)

    def flip_distribution(self, rng, case):
        """Flips a bit of a stored value of g(r); returns the name that verify gives to it."""
        import numpy

        with self.h5py.File(case.result, "r+") as file:
            name = rng.choice(list(file[DISTRIBUTIONS]))
            values = file[DISTRIBUTIONS][name]["value"]
            while True:
                k = rng.randrange(len(values))
                old = numpy.array([values[k]])
                new = (old.view("u8") ^ numpy.uint64(1 << rng.randrange(64))).view("f8")
                before, after = float(old[0]), float(new[0])
                if not abs(after - before) <= 1e-8 * max(abs(after), abs(before)):
                    values[k] = after
                    return f"g(r), {name}, bin {k}"

    def forget_checksum(self, case, frame):
        with self.h5py.File(case.result, "r+") as file:
            place = list(file[COUNTS + "frame_number"][()]).index(frame)
            file[COUNTS + "frame_checksum"][place] = 0

    def counts_change(self, case, pristine):
        """True if a fresh count of the changed trajectory differs, or is refused."""
        run = self.starhist(
            *["rdf", case.trajectory, "-o", self.folder / "again.h5", "--force", "--r-max", R_MAX, "--bins", BINS],
            *["--block", BLOCK, "-q", *(["--r-min", "0.5"] if pristine.result.stem == "packed" else [])],
        )
        if run.returncode != 0:
            return True
        with self.h5py.File(self.folder / "again.h5") as new, self.h5py.File(pristine.result) as old:
            return bool((new[COUNTS + "value"][()] != old[COUNTS + "value"][()]).any())

    def fault(self, rng, pristine):
        """Makes and looks for one fault: (kind, outcome), where "" is a fault that was found."""
        case = Case(self.folder / ("changed" + pristine.trajectory.suffix), self.folder / "faulty.h5")
        shutil.copy(pristine.trajectory, case.trajectory)
        shutil.copy(pristine.result, case.result)
        case.rows = pristine.rows
        kinds = ["row", "position"] if case.rows else ["count"] * 3 + ["position"] * 3 + ["g(r)"]
        kinds += ["unsigned"] * 3 if pristine.trajectory.suffix == ".h5" and not case.rows else []
        kind, pattern = rng.choice(kinds), None
        if kind == "g(r)":
            block, pattern = None, self.flip_distribution(rng, case)
        elif kind == "count":
            block, pattern = self.flip_count(rng, case)
        elif kind == "row":
            block, pattern = self.flip_row(rng, case)
        else:
            frame = self.flip_position(rng, case, 2 * R_MAX / BINS if kind == "unsigned" else 0.0)
            block = frame // BLOCK
            if kind == "unsigned":
                self.forget_checksum(case, frame)
        sample = ["--blocks", "all"] if rng.random() < 0.7 else ["--blocks", "3", "--seed", rng.randrange(1000)]
        run, report = self.verify(case, *sample)
        looks_back = case.looks_back and kind == "position"
        problem = self.judge(run, report, block, pattern, looks_back)
        if problem.startswith("missed") and kind == "unsigned" and not self.counts_change(case, pristine):
            problem = "without effect on the counts"
        return kind, problem and f"{problem}: {pristine.result.name}, block {block}, {pattern}: {run.stderr}"

    @staticmethod
    def judge(run, report, block, pattern, looks_back):
        """The problem of verify with a fault in `block`; "" if it found the fault, "outside" if it did not look.

        looks_back: later blocks look at the fault, too.
        """
        if run.returncode == 1 and report is None and pattern is None:
            return "" if "changed." in run.stderr else "a message without the trajectory"
        if run.returncode == 1 and report is None and f"block {block}: pair" in run.stderr:
            return "found as impossible"
        if report is None or run.returncode not in (0, 2):
            return f"exit code {run.returncode}"
        found = [(d["number"], d["result"], d["recounted"]) for d in report["differences"]]
        if block is None:
            return "" if [d[0] for d in found] == [pattern] else "missed"
        looked = [b for b in report["recounted_blocks"] if b == block or (looks_back and b > block)]
        if not looked:
            return "outside of the sample" if run.returncode == 0 else "a false alarm"
        if run.returncode == 0:
            return "missed"
        different = report["blocks_with_differences"]
        if looked[0] not in different or not set(different) <= set(looked):
            return f"blocks {report['blocks_with_differences']} instead"
        if pattern and not any(pattern[0] in d[0] and pattern[1:] == d[1:] for d in found):
            return f"differences {found} instead"
        return ""


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--count", type=int, default=1000, help="faults (default %(default)s)")
    options = parser.parse_args()
    if importlib.util.find_spec("h5py") is None:
        print("SKIPPED: h5py is missing")
        return 77
    import h5py

    tally, bad = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="starhist-faults-") as name:
        campaign = Campaign(options.program, pathlib.Path(name), h5py)
        cases = campaign.cases(random.Random(options.seed))
        for case in cases:
            run, report = campaign.verify(case, "--blocks", "all")
            if run.returncode != 0 or report["recounted_blocks"] != list(range(FRAMES // BLOCK)):
                bad += 1
                print(f"{case.result.name}: unchanged, but exit code {run.returncode}: {run.stderr}")
        for number in range(options.count):
            rng = random.Random(f"{options.seed} {number}")
            kind, problem = campaign.fault(rng, rng.choice(cases))
            allowed = problem.startswith(("outside", "without effect", "found"))
            tally[kind, "found" if not problem else problem.split(":")[0] if allowed else "missed"] += 1
            if problem and not allowed:
                bad += 1
                print(f"fault {number}, {kind}: {problem}", flush=True)
    for (kind, outcome), count in sorted(tally.items()):
        print(f"{kind}: {count} {outcome}")
    print(f"{options.count} faults, {bad} problems")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
