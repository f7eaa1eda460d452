#!/usr/bin/env python3
"""Tests of starhist vanhove against a NumPy loop, with equal counts. STARHIST_PROGRAM: path of the program."""

import csv
import importlib.util
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy")):
    print("SKIPPED: h5py or numpy is missing")
    sys.exit(77)

import h5py  # noqa: E402
import numpy as np  # noqa: E402

SHIFT = 2.0**-30  # an edge lies by this part of a bin below a whole number of widths


def starhist(*words):
    environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_NCPU": "2"}
    environment.setdefault("STARPU_HOME", tempfile.gettempdir())
    return subprocess.run([PROGRAM, *map(str, words)], text=True, capture_output=True, check=False, env=environment)


class Trajectory:
    """Frames with edges [3, 3] and positions [N, 3]; the species of each particle."""

    def __init__(self, species, edges, positions):
        self.species, self.edges, self.positions = species, edges, positions
        self.names = sorted(set(species))
        self.members = [[k for k, name in enumerate(species) if name == own] for own in self.names]
        self.pairs = list(itertools.combinations_with_replacement(range(len(self.names)), 2))

    @classmethod
    def of_h5md(cls, path):
        with h5py.File(path) as file:
            particles = next(iter(file["particles"].values()))
            species = particles["species"]
            names = {number: name for name, number in h5py.check_enum_dtype(species.dtype).items()}
            positions = [frame.astype(float) for frame in particles["position/value"]]
            edges = particles["box/edges"]
            edges = edges["value"][()] if isinstance(edges, h5py.Group) else [edges[()]] * len(positions)
            edges = [np.diag(edge) if np.ndim(edge) == 1 else edge for edge in np.asarray(edges, dtype=float)]
            return cls([names[number] for number in species[()].ravel()], edges, positions)

    @classmethod
    def random(cls, seed, counts, frames, edges, step=0.3):
        """A random walk, wrapped into the boxes."""
        random = np.random.default_rng(seed)
        species = [name for name, count in counts.items() for _ in range(count)]
        fractions = random.random((len(species), 3))
        positions = []
        for edge in edges:
            positions.append((fractions % 1.0) @ edge)
            fractions = fractions + random.normal(0, step, fractions.shape) @ np.linalg.inv(edge)
        return cls(species, edges[:frames], positions)

    def write_xyz(self, path):
        with open(path, "w", encoding="utf-8") as out:
            for edge, frame in zip(self.edges, self.positions):
                lattice = " ".join(repr(float(x)) for x in np.ravel(edge))
                out.write(f'{len(frame)}\nLattice="{lattice}" Properties=species:S:1:pos:R:3\n')
                for name, position in zip(self.species, frame):
                    out.write(" ".join([name, *(repr(float(x)) for x in position)]) + "\n")

    def write_dump(self, path, order=None):
        """A LAMMPS dump of types 1, 2, ...; order(k): rows of the particles in frame k."""
        with open(path, "w", encoding="utf-8") as out:
            for k, (edge, frame) in enumerate(zip(self.edges, self.positions)):
                length = np.diag(edge)
                rows = range(len(frame)) if order is None else order(k)
                out.write(f"ITEM: TIMESTEP\n{10 * k}\nITEM: NUMBER OF ATOMS\n{len(frame)}\n")
                out.write("ITEM: BOX BOUNDS pp pp pp\n" + "".join(f"0 {float(x)!r}\n" for x in length))
                out.write("ITEM: ATOMS id type x y z\n")
                for i in rows:
                    x, y, z = map(float, frame[i])
                    kind = self.names.index(self.species[i]) + 1
                    out.write(f"{i + 1} {kind} {x!r} {y!r} {z!r}\n")


def nearest(displacements, edges):
    """The shortest images of displacements [M, 3]."""
    d = displacements - np.rint(displacements @ np.linalg.inv(edges)) @ edges
    best = d
    if np.count_nonzero(edges - np.diag(np.diag(edges))) > 0:
        least = (d * d).sum(axis=1)
        for image in itertools.product((-1, 0, 1), repeat=3):
            other = d + np.array(image) @ edges
            squares = (other * other).sum(axis=1)
            best = np.where((squares < least)[:, None], other, best)
            least = np.minimum(least, squares)
    return best


class Loop:
    """The counts of vanhove by a loop over frames, lags and particles."""

    def __init__(self, trajectory, lags, r_max, bins, every_origin=1, unwrapped=False):
        t = trajectory
        self.bins, self.scale, self.near = bins, bins / r_max, 0
        size = bins + 1  # the last entry is out of range
        self.counts = np.zeros((len(lags), len(t.pairs), size), dtype=np.int64)
        self.self_counts = np.zeros((len(lags), len(t.names), size), dtype=np.int64)
        self.squares = np.zeros((len(lags), len(t.names)))
        self.frames = np.zeros(len(lags), dtype=np.int64)
        followed = [t.positions[0]]
        for k in range(1, len(t.positions)):
            step = t.positions[k] - t.positions[k - 1]
            followed.append(t.positions[k] if unwrapped else followed[-1] + nearest(step, t.edges[k]))
        for (place, lag), now in itertools.product(enumerate(lags), range(len(t.positions))):
            then = now - lag
            if then < 0 or then % every_origin != 0:
                continue
            self.frames[place] += 1
            for own, (a, b) in enumerate(t.pairs):
                for i in t.members[a]:
                    others = [j for j in t.members[b] if j != i and (lag > 0 or a != b or j > i)]
                    d = nearest(t.positions[now][others] - t.positions[then][i], t.edges[now])
                    self.counts[place, own] += self.histogram(np.sqrt((d * d).sum(axis=1)))
            for own, members in enumerate(t.members):
                d = followed[now][members] - followed[then][members]
                self.self_counts[place, own] += self.histogram(np.sqrt((d * d).sum(axis=1)))
                self.squares[place, own] += (d * d).sum()

    def histogram(self, distances):
        position = distances * self.scale + SHIFT
        whole = np.rint(position)
        self.near += np.count_nonzero((abs(position - whole) < 1e-11) & (whole > 0) & (whole <= self.bins))
        return np.bincount(np.minimum(position, self.bins).astype(int), minlength=self.bins + 1)


class Result:
    """A result of vanhove, summed over blocks, in the shape of Loop."""

    def __init__(self, path):
        with h5py.File(path) as file:
            group = file["observables/van_hove"]
            self.lags = sorted(set(group["lag"][()].tolist()))
            names = len(group["species"])
            value, overflow = group["value"][()].sum(axis=0), group["overflow"][()].sum(axis=0)
            self.counts = np.hstack([value, overflow[:, None]]).reshape(len(self.lags), -1, value.shape[1] + 1)
            value, overflow = group["self_value"][()].sum(axis=0), group["self_overflow"][()].sum(axis=0)
            self.self_counts = np.hstack([value, overflow[:, None]]).reshape(len(self.lags), names, -1)
            self.squares = group["squared_displacement"][()].sum(axis=0).reshape(len(self.lags), names)
            self.frames = group["lag_frames"][()].sum(axis=0)
            self.blocks = len(group["frames"])
            self.complete = "complete" in group.attrs


class VanHove(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-vanhove-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.walk = Trajectory.random(7, {"A": 40, "B": 25}, 12, [np.diag([6.0, 7.0, 8.0])] * 12)
        cls.dump = cls.folder / "walk.dump"
        cls.walk.write_dump(cls.dump)

    def out(self, name):
        return self.folder / name

    def run_vanhove(self, *words, code=0):
        done = starhist("vanhove", *words)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def check_equal(self, path, loop):
        result = Result(path)
        self.assertEqual(loop.near, 0, "a distance too close to an edge for this test")
        self.assertTrue(result.complete)
        self.assertEqual(result.frames.tolist(), loop.frames.tolist())
        self.assertEqual(result.counts.tolist(), loop.counts.tolist())
        self.assertEqual(result.self_counts.tolist(), loop.self_counts.tolist())
        np.testing.assert_allclose(result.squares, loop.squares, rtol=1e-11, atol=1e-20)

    def test_counts_of_h5md_equal_a_loop(self):
        water = Trajectory.of_h5md(DATA / "water.h5")
        oxygen = [k for k, name in enumerate(water.species) if name == "O"]
        water = Trajectory(["O"] * len(oxygen), water.edges[:4], [frame[oxygen] for frame in water.positions[:4]])
        out = self.out("water.h5")
        self.run_vanhove(
            DATA / "water.h5", "-o", out, "--lags", "0,1,3", "--r-max", 1.4, "--bins", 70, "--block", 3,
            "--last", 3, "--species", "O=O",
        )  # fmt: skip
        self.check_equal(out, Loop(water, [0, 1, 3], 1.4, 70))

    def test_counts_in_changing_triclinic_boxes_equal_a_loop(self):
        cell = np.array([[6.0, 0, 0], [2.5, 6.5, 0], [-2.0, 1.5, 7.0]])
        edges = [cell * (1 + 0.01 * k) for k in range(6)]
        salt = Trajectory.random(9, {"Cl": 30, "Na": 30}, 6, edges)
        path, out = self.folder / "salt.xyz", self.out("salt.h5")
        salt.write_xyz(path)
        done = self.run_vanhove(path, "-o", out, "--lags", "0:4:2", "--r-max", 3, "--bins", 50)
        self.check_equal(out, Loop(salt, [0, 2, 4], 3.0, 50))
        self.assertIn("measured in the later box", done.stderr)

    def test_origins_apart_equal_a_loop(self):
        out = self.out("origins.h5")
        self.run_vanhove(
            self.dump, "-o", out, "--lags", "0,2,5", "--every-origin", 3, "--r-max", 3, "--bins", 30,
            "--species", "A=1; B=2", "--block", 4,
        )  # fmt: skip
        self.check_equal(out, Loop(self.walk, [0, 2, 5], 3.0, 30, every_origin=3))

    def test_particles_are_followed_by_their_ids(self):
        random = np.random.default_rng(3)
        shuffled = self.folder / "shuffled.dump"
        self.walk.write_dump(shuffled, lambda _: random.permutation(len(self.walk.species)))
        out = self.out("shuffled.h5")
        self.run_vanhove(shuffled, "-o", out, "--lags", "0,1,7", "--r-max", 3, "--bins", 30, "--species", "A=1; B=2")
        self.check_equal(out, Loop(self.walk, [0, 1, 7], 3.0, 30))

    def test_unwrapped_positions_are_taken_as_they_are(self):
        jumps = Trajectory.random(5, {"A": 20}, 5, [np.diag([4.0, 4.0, 4.0])] * 5, step=1.5)
        path, out = self.folder / "jumps.dump", self.out("jumps.h5")
        jumps.write_dump(path)
        words = (path, "--lags", "0,1,3", "--r-max", 2, "--bins", 20, "--species", "A=1")
        done = self.run_vanhove(*words, "-o", out)
        self.check_equal(out, Loop(jumps, [0, 1, 3], 2.0, 20))
        self.assertIn("exceed a quarter of the box", done.stderr)
        done = self.run_vanhove(*words, "-o", out, "--unwrapped", "--force")
        self.check_equal(out, Loop(jumps, [0, 1, 3], 2.0, 20, unwrapped=True))
        self.assertNotIn("quarter", done.stderr)
        steps = np.diff(jumps.positions, axis=0)
        crossings = int((abs(steps) > 2.0).any(axis=2).sum())
        self.assertGreater(crossings, 0)
        self.assertIn(f"{crossings} displacements between consecutive frames", done.stderr)
        self.assertIn("exceed half the box", done.stderr)

    def test_unwrapped_warns_of_wrapped_positions_only(self):
        edges = [np.diag([4.0, 4.0, 4.0])] * 20
        walk = Trajectory.random(6, {"A": 20}, 20, edges, step=0.2)
        path, words = self.folder / "small.dump", ("--lags", "0,1,3", "--r-max", 2, "--bins", 20, "--unwrapped")
        steps = [nearest(step, edges[0]) for step in np.diff(walk.positions, axis=0)]
        continuous = [walk.positions[0], *(walk.positions[0] + np.cumsum(steps, axis=0))]
        for wrapped in (True, False):
            Trajectory(walk.species, edges, walk.positions if wrapped else continuous).write_dump(path)
            done = self.run_vanhove(path, "-o", self.out("small.h5"), *words, "--force")
            self.assertEqual("exceed half the box" in done.stderr, wrapped, done.stderr)

    def test_wrapped_positions_in_an_open_or_too_large_box_are_recognized(self):
        edges = [np.diag([4.0, 4.0, 4.0])] * 20
        walk = Trajectory.random(6, {"A": 20}, 20, edges, step=0.2)
        steps = [nearest(step, edges[0]) for step in np.diff(walk.positions, axis=0)]
        continuous = [walk.positions[0], *(walk.positions[0] + np.cumsum(steps, axis=0))]
        path, out = self.folder / "open.dump", self.out("open.h5")
        for wrapped in (True, False):
            Trajectory(walk.species, edges, walk.positions if wrapped else continuous).write_dump(path)
            words = (path, "-q", "-o", out, "--force", "--lags", "1", "--r-max", 2, "--bins", 20)
            for box in ("none", "40,40,40", "10,10,10"):
                done = self.run_vanhove(*words, "--box", box)
                table = starhist("export", out, "--quantity", "msd").stdout
                for text in (done.stderr, starhist("info", out).stdout, table):
                    self.assertEqual("jumps to the other side" in text, wrapped, (box, text))
            self.assertNotIn("jumps to the other side", self.run_vanhove(*words).stderr)

    def test_changing_order_without_ids_is_named(self):
        walk = Trajectory.random(6, {"A": 60}, 4, [np.diag([4.0, 4.0, 4.0])] * 4, step=0.1)
        path, random = self.folder / "order.dump", np.random.default_rng(3)
        walk.write_dump(path, lambda k: random.permutation(60))
        words = ("-q", "-o", self.out("order.h5"), "--force", "--lags", "1", "--r-max", 2, "--bins", 20)
        self.assertNotIn("exceed a quarter", self.run_vanhove(path, *words).stderr)
        lines = path.read_text(encoding="utf-8").replace("ATOMS id type", "ATOMS type").splitlines()
        without = [line.partition(" ")[2] if len(line.split()) == 5 and line[0].isdigit() else line for line in lines]
        path.write_text("\n".join(without) + "\n", encoding="utf-8")
        done = self.run_vanhove(path, *words)
        self.assertIn("exceed a quarter", done.stderr)
        self.assertIn("the file has no ids: write them (LAMMPS: id in the dump, or dump_modify sort id)", done.stderr)

    def test_species_that_share_particles_leave_out_only_the_same_particle(self):
        out = self.out("shared.h5")
        self.run_vanhove(
            self.dump, "-o", out, "--lags", "0,2", "--r-max", 3, "--bins", 30,
            "--species", "A=type 1; ALL=all",
        )  # fmt: skip
        both = Loop(self.walk, [0, 2], 3.0, 30)
        result = Result(out)  # pairs A-A, A-ALL, ALL-ALL
        # A-ALL is A-A in both orders, and A-B.
        expected = 2 * both.counts[0, 0] + both.counts[0, 1]
        self.assertEqual(result.counts[0, 1].tolist(), expected.tolist())
        later = result.counts[1, 1]
        self.assertEqual(later.tolist(), (both.counts[1, 0] + both.counts[1, 1]).tolist())

    def test_lag_0_equals_rdf_bit_for_bit(self):
        rdf, out = self.out("rdf.h5"), self.out("lag0.h5")
        words = (DATA / "water.h5", "--r-max", 1.4, "--bins", 70, "--block", 3)
        self.assertEqual(starhist("rdf", *words, "-o", rdf).returncode, 0)
        self.run_vanhove(*words, "-o", out, "--lags", "0,2")
        with h5py.File(rdf) as one, h5py.File(out) as two:
            g, v = one["observables/pair_distance_histogram"], two["observables/van_hove"]
            pairs = g["value"].shape[1]
            for name in ("value", "overflow", "underflow", "pairs", "excluded_pairs", "pairs_over_volume"):
                self.assertEqual(g[name][()].tobytes(), v[name][:, :pairs].tobytes(), name)
            for name in ("frames", "volume", "inverse_volume", "box", "frame_number", "frame_checksum",
                         "particle_number", "bin_edges"):  # fmt: skip
                self.assertEqual(g[name][()].tobytes(), v[name][()].tobytes(), name)
        columns = []
        for path in (rdf, out):
            text = starhist("export", path, "--errors").stdout
            rows = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
            columns.append([row[: 2 * pairs + 1] for row in rows[1:]])
        self.assertEqual(columns[0], columns[1])

    def test_tables_hold_the_curves_of_the_counts(self):
        out = self.out("tables.h5")
        self.run_vanhove(
            self.dump, "-o", out, "--lags", "0,1,4", "--r-max", 3, "--bins", 6, "--species", "A=1; B=2", "--block", 3
        )
        result = Result(out)

        def table(*words):
            done = starhist("export", out, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            return list(csv.DictReader(line for line in done.stdout.splitlines() if not line.startswith("#")))

        rows = table("--quantity", "counts", "--pairs", "A-B")
        self.assertEqual([int(row["A-B lag 4"]) for row in rows], result.counts[2, 1, :-1].tolist())
        rows = table("--quantity", "self-counts", "--map", "--species", "B")
        self.assertEqual([int(row["lag"]) for row in rows], [0] * 6 + [1] * 6 + [4] * 6)
        self.assertEqual([int(row["B"]) for row in rows], result.self_counts[:, 1, :-1].ravel().tolist())
        edges = np.linspace(0, 3, 7)
        volumes = 4 / 3 * np.pi * (edges[1:] ** 3 - edges[:-1] ** 3)
        rows = table("--quantity", "self", "--species", "A", "--errors")
        expected = result.self_counts[1, 0, :-1] / volumes / (40 * result.frames[1])
        np.testing.assert_allclose([float(row["A lag 1"]) for row in rows], expected, rtol=1e-12)
        rows = table("--quantity", "msd")
        np.testing.assert_allclose(
            [float(row["A"]) for row in rows], result.squares[:, 0] / (40 * result.frames), rtol=1e-12
        )
        rows = table("--quantity", "g", "--pairs", "A-B")
        expected = result.counts[1, 1, :-1] / volumes / (40 * 25 * result.frames[1] / (6 * 7 * 8))
        np.testing.assert_allclose([float(row["A-B lag 1"]) for row in rows], expected, rtol=1e-12)

    def test_long_lags_have_no_errors_and_the_output_says_why(self):
        out = self.out("errors.h5")
        words = ("--lags", "1,5,20", "--r-max", 1, "--bins", 5, "--species", "O=O", "--block", 2)
        self.run_vanhove(DATA / "water.h5", "-o", out, *words)
        reason = "no standard errors at 1 lag, from lag 20 on, because fewer than 5 blocks as long as the lag remain"
        for quantity in ("msd", "self", "g", "fqt", "fqt-self"):
            command = "analyze" if quantity.startswith("fqt") else "export"
            done = starhist(command, out, "--quantity", quantity, "--errors", "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(reason, done.stderr, quantity)
            table = json.loads(done.stdout)
            self.assertIn(reason, table["errors_caveat"], quantity)
            self.assertIn("joined to at least the length of the lag", table["errors"])
            errors = [curve["value"] for curve in table["curves"][1::2]]
            errors = errors[0] if quantity == "msd" else [own[-1] for own in errors]
            self.assertEqual([error is None for error in errors], [False, False, True], quantity)

    def test_lags_in_time_and_by_logarithm(self):
        out = self.out("time.h5")
        words = (DATA / "water.h5", "--r-max", 1, "--bins", 10, "-o", out, "--force")
        with h5py.File(DATA / "water.h5") as file:
            times = next(iter(file["particles"].values()))["position/time"]
            step = float(times[()]) if times.shape == () else float(times[1] - times[0])
        self.run_vanhove(*words, "--lags", f"0,{step},{3 * step}", "--lag-unit", "time")
        self.assertEqual(Result(out).lags, [0, 1, 3])
        done = self.run_vanhove(*words, "--lags", f"{1.5 * step}", "--lag-unit", "time", code=1)
        self.assertIn("not a multiple of the time between frames", done.stderr)
        self.run_vanhove(self.dump, "--r-max", 3, "--bins", 10, "-o", out, "--force", "--lags", "log:3")
        self.assertEqual(Result(out).lags, [0, 1, 2, 6])

    def test_info_lists_the_lags(self):
        out = self.out("info.h5")
        self.run_vanhove(self.dump, "-o", out, "--lags", "0,5", "--r-max", 3, "--bins", 6)
        done = starhist("info", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("pairs between frames (vanhove)", done.stdout)
        self.assertIn("\n             5 frames, 7 origins, ", done.stdout)

    def test_frames_at_unequal_times_are_reported(self):
        path = self.folder / "times.xyz"
        with open(path, "w", encoding="utf-8") as out:
            for time in (0, 1, 2, 4, 8):
                out.write(f'1\nLattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3 Time={time}\nAr 1 1 1\n')
        words = ("-o", self.out("times.h5"), "--lags", "0,1", "--r-max", 1, "--bins", 2, "--time-unit", "ps")
        done = self.run_vanhove(path, *words)
        self.assertIn("lag 1 lasts from 1 to 4 ps", done.stderr)
        done = self.run_vanhove(path, *words, "--last", 2, "--force")
        self.assertNotIn("unequal", done.stderr)

    def test_an_open_box_takes_positions_as_they_are(self):
        out = self.out("open.h5")
        done = self.run_vanhove(
            self.dump, "-o", out, "--lags", "0,2", "--r-max", 3, "--bins", 30, "--box", "none",
            "--species", "A=1; B=2",
        )  # fmt: skip
        self.assertIn("because the box is open", done.stderr)
        far = Trajectory(self.walk.species, [np.diag([1e3] * 3)] * 12, self.walk.positions)
        self.check_equal(out, Loop(far, [0, 2], 3.0, 30))
        done = starhist("export", out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("needs a volume", done.stderr)

    def test_bins_from_r_min_keep_the_sum_rule(self):
        out = self.out("r-min.h5")
        self.run_vanhove(
            self.dump, "-o", out, "--lags", "1", "--r-max", 3, "--r-min", 1, "--bins", 20, "--species", "A=1; B=2",
            "--step", 2,
        )  # fmt: skip
        half = Trajectory(self.walk.species, self.walk.edges[::2], self.walk.positions[::2])
        loop = Loop(half, [1], 3.0, 30)
        with h5py.File(out) as file:
            group = file["observables/van_hove"]
            for prefix, counts in (("", loop.counts), ("self_", loop.self_counts)):
                self.assertEqual(group[f"{prefix}value"][0].tolist(), counts[0, :, 10:-1].tolist())
                self.assertEqual(group[f"{prefix}underflow"][0].tolist(), counts[0, :, :10].sum(axis=1).tolist())
                self.assertEqual(group[f"{prefix}overflow"][0].tolist(), counts[0, :, -1].tolist())

    def test_merge_adds_the_blocks_of_results_with_equal_lags(self):
        words = ("--r-max", 3, "--bins", 30, "--block", 2, "--species", "A=1; B=2")
        parts = [self.out(f"part{k}.h5") for k in range(2)]
        for part, frames in zip(parts, (("--last", 5), ("--first", 6))):
            self.run_vanhove(self.dump, "-o", part, "--lags", "0,2", *words, *frames)
        merged = self.out("merged.h5")
        done = starhist("merge", *parts, "-o", merged)
        self.assertEqual(done.returncode, 0, done.stderr)
        one, two, both = (Result(path) for path in (*parts, merged))
        self.assertEqual(both.counts.tolist(), (one.counts + two.counts).tolist())
        self.assertEqual(both.self_counts.tolist(), (one.self_counts + two.self_counts).tolist())
        self.assertEqual((both.blocks, both.complete), (6, True))
        other = self.out("other-lags.h5")
        self.run_vanhove(self.dump, "-o", other, "--lags", "0,3", *words)
        for results, part in (
            ((parts[0], other), "different lags"),
            ((parts[0], parts[0]), "would count twice"),
        ):
            done = starhist("merge", *results, "-o", self.out("refused.h5"))
            self.assertEqual(done.returncode, 1)
            self.assertIn(part, done.stderr)

    def check_same_blocks(self, path, expected):
        with h5py.File(path) as file, h5py.File(expected) as other:
            group, wanted = file["observables/van_hove"], other["observables/van_hove"]
            self.assertEqual(set(group), set(wanted))
            for name in wanted:
                if isinstance(wanted[name], h5py.Dataset):
                    np.testing.assert_array_equal(group[name][()], wanted[name][()], name)

    def test_merged_parts_have_the_blocks_of_one_run(self):
        bad = self.folder / "bad-frames.dump"
        bad.write_text(
            self.dump.read_text().replace(
                "ITEM: TIMESTEP\n30\nITEM: NUMBER OF ATOMS\n65", "ITEM: TIMESTEP\n30\nITEM: NUMBER OF ATOMS\n64"
            )
        )
        for k, extra in enumerate(
            (
                (),
                ("--every-origin", 3),
                ("--first", 1, "--step", 2, "--block", 1),
                ("--skip-bad-frames",),
                ("--lags", "log:4"),
            )
        ):
            with self.subTest(extra=extra):
                words = [bad if "--skip-bad-frames" in extra else self.dump, "--lags", "0,1,4", "--r-max", 3, "--bins", 30,
                         "--block", 2, "--species", "A=1; B=2"]  # fmt: skip
                for option, value in zip(extra[::2], extra[1::2]):
                    if option in words:
                        del words[words.index(option) : words.index(option) + 2]
                    words += [option, value]
                code = 0
                if "--skip-bad-frames" in extra:
                    words.append("--skip-bad-frames")
                    code = 3
                whole = self.out(f"whole{k}.h5")
                self.run_vanhove(*words, "-o", whole, code=code)
                parts = [self.out(f"whole{k}-{part}.h5") for part in (1, 2, 3)]
                for number, part in enumerate(parts, 1):
                    # The bad frame is one of the first part, and not reported by others.
                    self.run_vanhove(*words, "-o", part, "--part", f"{number}/3", code=code if number == 1 else 0)
                merged = self.out(f"merged-parts{k}.h5")
                done = starhist("merge", *parts, "-o", merged)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("without pairs", done.stderr)
                lacks = f"{parts[0]} lacks 1 frame that could not be used"
                self.assertEqual(lacks in done.stderr, code == 3, done.stderr)
                self.check_same_blocks(merged, whole)
                done = starhist("merge", parts[0], parts[2], "-o", merged, "--force")
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("missing from the results: 2/3", done.stderr)

    def test_the_summary_names_the_species_in_the_origin(self):
        words = (self.dump, "-o", self.out("order.h5"), "--r-max", 3, "--bins", 6, "--species", "A=1; B=2", "--force")
        order = "pairs A-B: the first species is taken from the earlier frame"
        for pairs, lags, expected in (("B-A", "0,1", True), ("A-A", "0,1", False), ("A-B", "0", False)):
            done = self.run_vanhove(*words, "--pairs", pairs, "--lags", lags)
            self.assertEqual(order in done.stderr, expected, done.stderr)

    def test_parts_with_other_origins_are_not_merged(self):
        words = (self.dump, "--lags", "0,1", "--r-max", 3, "--bins", 6, "--block", 3)
        one = self.out("origins-1.h5")
        self.run_vanhove(*words, "-o", one, "--part", "1/2")
        for extra, message in (
            (("--every-origin", 2), "different origins cannot be merged (option --every-origin)"),
            (("--open", "z"), "different open axes cannot be merged (option --open)"),
            (("--unwrapped",), "different displacements (one has --unwrapped) cannot be merged"),
        ):
            other = self.out(f"other{extra[0]}.h5")
            self.run_vanhove(*words, "-o", other, "--part", "2/2", *extra)
            done = starhist("merge", one, other, "-o", self.out("refused.h5"))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(message, done.stderr)

    def test_a_resumed_run_has_the_blocks_of_one_run(self):
        text = self.dump.read_text()
        for k, every in enumerate((1, 3)):
            path, out, whole = self.folder / f"grows{k}.dump", self.out(f"resumed{k}.h5"), self.out(f"at-once{k}.h5")
            words = (path, "-o", out, "--r-max", 3, "--bins", 30, "--block", 3, "--species", "A=1; B=2",
                     "--every-origin", every)  # fmt: skip
            lags = ("--lags", "0,1,5")
            # The run ends with an error in frame 7, after two blocks.
            path.write_text(
                text.replace(
                    "ITEM: TIMESTEP\n70\nITEM: NUMBER OF ATOMS\n65", "ITEM: TIMESTEP\n70\nITEM: NUMBER OF ATOMS\n64"
                )
            )
            self.run_vanhove(*words, *lags, code=1)
            self.assertIn("blocks       2\n", starhist("info", f"{out}.partial").stdout)
            path.write_text(text)
            done = self.run_vanhove(*words, "--lags", "0,1", "--resume", code=1)
            self.assertIn("cannot be resumed: it has the lags 0, 1, 5, this run has the lags 0, 1 (", done.stderr)
            done = self.run_vanhove(*words, *lags, "--resume")
            self.assertIn("6 of them counted by this run", done.stderr)
            self.run_vanhove(path, "-o", whole, *words[3:], *lags)
            self.check_same_blocks(out, whole)
            done = self.run_vanhove(*words, *lags, "--resume")
            self.assertIn("is finished: 12 frames in 4 blocks", done.stderr)

    def test_default_lags_of_a_grown_trajectory_are_not_mixed(self):
        path, out = self.folder / "longer.dump", self.out("longer.h5")
        text = self.dump.read_text()
        words = (path, "-o", out, "--r-max", 3, "--bins", 6, "--block", 2)
        cut = text[: text.index("ITEM: TIMESTEP\n80")]
        path.write_text(
            cut.replace(
                "ITEM: TIMESTEP\n50\nITEM: NUMBER OF ATOMS\n65", "ITEM: TIMESTEP\n50\nITEM: NUMBER OF ATOMS\n64"
            )
        )
        self.run_vanhove(*words, code=1)
        path.write_text(text)
        done = self.run_vanhove(*words, "--resume", code=1)
        self.assertIn("it has the lags 0, 1, 2, 3, 4, this run has the lags 0, 1, 2, 3, 4", done.stderr)
        self.assertIn("give --lags as a list", done.stderr)

    def test_bad_input_is_refused_with_its_remedy(self):
        words = (self.dump, "-o", self.out("bad.h5"), "--r-max", 3, "--bins", 6)
        for extra, parts in (
            (("--lags", "0,12"), ("lag 12 is beyond the trajectory", "12 frames are selected", "largest lag is 11")),
            (("--lags", "0,x"), ("'x' is not a number", "log:N")),
            (("--lags", "5:1:1"), ("not before the first",)),
            (("--lags", "log:0"), ("number of lags",)),
            (("--lags", "1.5"), ("whole number of frames", "--lag-unit time")),
            (("--lags", "1", "--every-origin", "12"), ("no frame is the second origin", "12 frames")),
            (("--lags", "1", "--every-origin", "0"), ("--every-origin",)),
            (("--lags", "11", "--memory", "0.00001"), ("origins of lag 11", "--every-origin")),
            (("--checkpoint", "5"), ("'--checkpoint': vanhove saves whole blocks", "--block")),
            (("--part", "3/3", "--block", "7"), ("--part 3/3", "--block")),
            (("--only-same", "residue"), ("'--only-same': vanhove cannot exclude pairs", "--species")),
        ):
            with self.subTest(extra=extra):
                done = self.run_vanhove(*words, *extra, code=1)
                for part in parts:
                    self.assertIn(part, done.stderr)
                self.assertFalse(self.out("bad.h5").exists())

    def test_frames_with_other_particles_are_refused(self):
        fewer = Trajectory(self.walk.species[:-1], self.walk.edges[:1], [self.walk.positions[1][:-1]])
        path = self.folder / "fewer.dump"
        fewer.write_dump(path)
        changing = self.folder / "changing.dump"
        changing.write_text(self.dump.read_text() + path.read_text().replace("TIMESTEP\n0\n", "TIMESTEP\n120\n"))
        words = (
            "-o", self.out("changing.h5"), "--lags", "1", "--r-max", 3, "--bins", 6, "--species", "A=1; B=2",
            "--block", 5,
        )  # fmt: skip
        done = self.run_vanhove(changing, *words, code=1)
        self.assertIn("24 particles of species B, and the first frame has 25", done.stderr)
        partial = self.out("changing.h5.partial")  # keeps the blocks before that frame
        self.assertIn("blocks       2\n", starhist("info", partial).stdout)
        done = self.run_vanhove(changing, *words, code=1)
        self.assertIn("with finished blocks of pairs between frames", done.stderr)
        partial.unlink()
        renamed = self.folder / "renamed.dump"
        text = self.dump.read_text()
        end = text.rindex("\n65 2 ")
        renamed.write_text(text[:end] + text[end:].replace("\n65 2 ", "\n66 2 "))
        done = self.run_vanhove(renamed, *words, code=1)
        self.assertIn("particle with id 66 of species B, which the first frame lacks", done.stderr)

    def test_other_commands_name_what_reads_the_result(self):
        out = self.out("other.h5")
        self.run_vanhove(self.dump, "-o", out, "--lags", "1", "--r-max", 3, "--bins", 6)
        for command in ("analyze", "peaks"):
            done = starhist(command, out)
            self.assertEqual(done.returncode, 1, command)
            self.assertIn("is a result of starhist vanhove", done.stderr)
            self.assertIn("starhist export", done.stderr)
        done = starhist("export", out, "--quantity", "mean")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{out} has no quantity mean (it is a result of starhist vanhove)", done.stderr)
        rdf = self.out("plain.h5")
        self.assertEqual(starhist("rdf", self.dump, "-o", rdf, "--r-max", 3, "--bins", 6).returncode, 0)
        done = starhist("export", rdf, "--quantity", "msd")
        self.assertEqual(done.returncode, 1)
        self.assertIn("starhist vanhove counts between frames", done.stderr)


if __name__ == "__main__":
    unittest.main()
