#!/usr/bin/env python3
"""Tests of starhist coordination against NumPy loops, starhist rdf, freud and MDAnalysis. STARHIST_PROGRAM: path of the program."""

import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import result_log

# The import of this module skips the tests without h5py and NumPy.
from vanhove_test import DATA, PROGRAM, SHIFT, Trajectory, nearest, starhist

import h5py  # isort: skip
import numpy as np  # isort: skip


def started(*words, **options):
    """Starts starhist in the background. options: of subprocess.Popen."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([PROGRAM, *map(str, words)], **pipes, **options)


def stop_this_process():
    """Leaves a signal pending, which the program receives as soon as it accepts signals."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    os.kill(os.getpid(), signal.SIGTERM)


def loop(trajectory, centre, neighbour, cutoff, frames=None):
    """Numbers of neighbours [frame][particle] by a loop over frames and particles."""
    names = trajectory.names
    rows, columns = trajectory.members[names.index(centre)], trajectory.members[names.index(neighbour)]
    counts = []
    for k in range(len(trajectory.positions)) if frames is None else frames:
        positions, edges = trajectory.positions[k], trajectory.edges[k]
        own = []
        for i in rows:
            d = nearest(positions[columns] - positions[i], edges)
            place = np.sqrt((d * d).sum(axis=1)) / cutoff + SHIFT
            assert not (abs(place - 1) < 1e-11).any(), "a distance too close to the cut-off for this test"
            own.append(int((place < 1).sum()) - (centre == neighbour))
        counts.append(own)
    return np.array(counts)


class Result:
    """A result of coordination."""

    def __init__(self, path):
        unfinished = str(path).endswith(".partial")
        with h5py.File(result_log.header_of(pathlib.Path(path)) if unfinished else path) as file:
            group = file["observables/coordination"]
            self.blocks = group["value"][()].astype(np.int64)
            self.frames = group["frame_number"][()].tolist()
            self.of_block = group["frames"][()].tolist()
            self.series = group["frame_neighbours"][()].T if "frame_neighbours" in group else None
            parts = group.get("particles", {})
            self.particles = [parts[str(k)]["neighbours"][()] for k in range(len(parts))]
            self.ids = [parts[str(k)]["id"][()] for k in range(len(parts)) if "id" in parts[str(k)]]
        self.counts = self.blocks.sum(axis=0)
        self.sums = self.blocks @ np.arange(self.blocks.shape[2])  # neighbours by block and pair


class Coordination(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-coordination-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.walk = Trajectory.random(7, {"A": 40, "B": 25}, 12, [np.diag([6.0, 7.0, 8.0])] * 12)
        cls.dump = cls.folder / "walk.dump"
        cls.walk.write_dump(cls.dump)
        cls.walk_options = [cls.dump, "--species", "A=1; B=2"]

    def count(self, *words, code=0):
        out = self.folder / "out.h5"
        done = starhist("coordination", "-o", out, "-f", *words)
        self.assertEqual(done.returncode, code, done.stderr)
        return Result(out) if code in (0, 3) else done.stderr

    def check(self, counts, expected):
        """Compares particles by number of neighbours with numbers by frame and particle."""
        by_number = np.bincount(np.ravel(expected), minlength=len(counts))
        self.assertEqual(counts.tolist(), by_number.tolist())

    def check_against_rdf(self, pairs, cutoffs, r_max, bins, *words):
        """Compares sums of neighbours with the counts of rdf below the cut-offs, block by block."""
        spec = ",".join(f"{pair}={cutoff}" for pair, cutoff in zip(pairs, cutoffs))
        found = self.count("--cutoff", spec, "--r-max", r_max, "--bins", bins, "--block", 4, *words)
        rdf = self.folder / "rdf.h5"
        done = starhist("rdf", "-o", rdf, "-f", "-q", "--r-max", r_max, "--bins", bins, "--block", 4, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(rdf) as file:
            group = file["observables/pair_distance_histogram"]
            species = [name.decode() for name in group["species"][()]]
            known = [tuple(pair) for pair in group["pair_species"][()]]
            values = group["value"][()].astype(np.int64)
        for k, (pair, cutoff) in enumerate(zip(pairs, cutoffs)):
            a, b = sorted(species.index(name) for name in pair.split("-"))
            below = values[:, known.index((a, b)), : round(cutoff / r_max * bins)].sum(axis=1)
            self.assertEqual(found.sums[:, k].tolist(), ((1 + (a == b)) * below).tolist(), pair)
        # Cut-offs that are not edges of these bins decide equally for decimal coordinates.
        alone = self.count("--cutoff", spec, "--block", 4, *words)
        self.assertEqual(alone.counts.tolist(), found.counts.tolist())
        return found

    def test_numbers_of_neighbours_equal_a_loop(self):
        water = Trajectory.of_h5md(DATA / "water.h5")
        cutoffs = {"O-H": 0.2451, "H-O": 0.3002, "O-O": 0.3501}
        spec = ",".join(f"{pair}={cutoff}" for pair, cutoff in cutoffs.items())
        found = self.count(DATA / "water.h5", "--cutoff", spec, "--last", 4, "--step", 2)
        for counts, (pair, cutoff) in zip(found.counts, cutoffs.items()):
            self.check(counts, loop(water, *pair.split("-"), cutoff, [0, 2, 4]))
        self.assertEqual(found.frames, [0, 2, 4])

    def test_numbers_in_changing_triclinic_boxes_equal_a_loop(self):
        cell = np.array([[6.0, 0, 0], [2.5, 6.5, 0], [-2.0, 1.5, 7.0]])
        salt = Trajectory.random(9, {"Cl": 60, "Na": 40}, 6, [cell * (1 + 0.01 * k) for k in range(6)])
        path = self.folder / "salt.xyz"
        salt.write_xyz(path)
        found = self.count(path, "--cutoff", "Cl-Na=2.7,Na-Cl=1.3,Na-Na=0.8", "--block", 4)
        self.check(found.counts[0], loop(salt, "Cl", "Na", 2.7))
        self.check(found.counts[1], loop(salt, "Na", "Cl", 1.3))
        self.check(found.counts[2], loop(salt, "Na", "Na", 0.8))
        self.assertEqual(found.of_block, [4, 2])

    def test_numbers_in_an_open_box_equal_a_loop(self):
        far = Trajectory(self.walk.species, [np.diag([1e6] * 3)] * 12, self.walk.positions)
        found = self.count(*self.walk_options, "--box", "none", "--cutoff", "4.5", "--pairs", "A-B,A-A")
        self.check(found.counts[0], loop(far, "A", "B", 4.5))
        self.check(found.counts[1], loop(far, "A", "A", 4.5))

    def test_frames_and_particles_equal_a_loop(self):
        random = np.random.default_rng(3)
        shuffled = self.folder / "shuffled.dump"
        self.walk.write_dump(shuffled, lambda _: random.permutation(65))
        found = self.count(
            shuffled, "--species", "A=1; B=2", "--cutoff", "A-B=2.1,B-B=2.9", "--per-frame", "--per-particle"
        )
        for k, expected in enumerate([loop(self.walk, "A", "B", 2.1), loop(self.walk, "B", "B", 2.9)]):
            self.assertEqual(found.series[k].tolist(), expected.sum(axis=1).tolist())
            order = np.argsort(found.ids[k])
            self.assertEqual(found.particles[k][order].tolist(), expected.sum(axis=0).tolist())

    def test_sums_equal_the_counts_of_rdf(self):
        pairs, cutoffs = ["O-H", "H-O", "O-O", "H-H"], [0.245, 0.245, 0.35, 0.3]
        self.check_against_rdf(pairs, cutoffs, 0.5, 100, DATA / "water.h5", "--last", 9)
        self.check_against_rdf(pairs[2:], cutoffs[2:], 0.4, 16, DATA / "water.h5", "--first", 30, "--step", 7)

    def test_sums_equal_the_counts_of_rdf_beyond_most_cells(self):
        # 2.99 is just below half of the box, where two images may be within the error of the kernel.
        self.check_against_rdf(["A-B", "B-B"], [2.99, 3.0], 3.0, 300, *self.walk_options)

    def test_excluded_molecules_are_no_neighbours(self):
        path = self.folder / "molecules.dump"
        with open(path, "w", encoding="utf-8") as out:
            for k, frame in enumerate(self.walk.positions):
                out.write(f"ITEM: TIMESTEP\n{k}\nITEM: NUMBER OF ATOMS\n65\nITEM: BOX BOUNDS pp pp pp\n0 6\n0 7\n0 8\n")
                out.write("ITEM: ATOMS id mol type x y z\n")
                for i, (x, y, z) in enumerate(frame.tolist()):
                    out.write(f"{i + 1} {i % 13 + 1} {1 + (self.walk.species[i] == 'B')} {x!r} {y!r} {z!r}\n")
        options = [path, "--species", "A=1; B=2; all=1 2"]
        everything = self.check_against_rdf(["A-B", "B-B", "A-all"], [2.5, 2.0, 2.5], 2.5, 50, *options)
        others = self.check_against_rdf(
            ["A-B", "B-B", "A-all"], [2.5, 2.0, 2.5], 2.5, 50, *options, "--exclude-same", "molecule"
        )
        same = self.check_against_rdf(
            ["A-B", "B-B", "A-all"], [2.5, 2.0, 2.5], 2.5, 50, *options, "--only-same", "molecule"
        )
        self.assertEqual((others.sums + same.sums).tolist(), everything.sums.tolist())
        self.assertTrue((same.sums.sum(axis=0) > 0).all())

    def test_selections_in_each_frame_follow_the_particles(self):
        options = [self.dump, "--species", "near=type 1 and within 2 of type 2; A=type 1; B=type 2"]
        found = self.check_against_rdf(["near-A", "near-B", "near-near"], [2.5, 2.0, 2.0], 2.5, 50, *options)
        beyond = self.count(*options, "--cutoff", "near-B=1.99999")
        self.assertLess(found.counts[0].sum(), 12 * 40)
        self.assertLess(beyond.counts[0][0], found.counts[0].sum() / 20)  # nearly all have a neighbour B
        message = self.count(*options, "--cutoff", "near-B=2", "--per-particle", code=1)
        self.assertIn("--per-particle needs the same particles in all frames", message)

    def test_merged_results_equal_one_run(self):
        words = [*self.walk_options, "--cutoff", "A-B=2,B-A=2", "--per-frame", "--per-particle", "--block", 3]
        whole = self.count(*words)
        parts = [self.folder / "first.h5", self.folder / "second.h5"]
        for part, limit in zip(parts, ["--last", "--first"]):
            starhist("coordination", "-o", part, "-f", *words, limit, 5 if limit == "--last" else 6)
        merged = self.folder / "merged.h5"
        done = starhist("merge", *parts, "-o", merged, "-f")
        self.assertEqual(done.returncode, 0, done.stderr)
        all_parts = Result(merged)
        self.assertEqual(all_parts.blocks.tolist(), whole.blocks.tolist())
        self.assertEqual(all_parts.series.tolist(), whole.series.tolist())
        self.assertEqual(np.array(all_parts.particles[0]).tolist(), np.array(whole.particles[0]).tolist())
        self.assertEqual(all_parts.frames, whole.frames)
        done = starhist("merge", parts[0], parts[0], "-o", merged, "-f")
        self.assertIn("would count twice", done.stderr)
        other = self.folder / "other.h5"
        starhist("coordination", "-o", other, "-f", *self.walk_options, "--cutoff", "A-B=2,B-A=2.1", "--first", 6)
        done = starhist("merge", parts[0], other, "-o", merged, "-f")
        self.assertIn("different pairs or cut-offs", done.stderr)
        rdf = self.folder / "mixed.h5"
        starhist("rdf", "-o", rdf, "-f", "-q", *self.walk_options, "--r-max", 3, "--bins", 3)
        done = starhist("merge", parts[0], rdf, "-o", merged, "-f")
        self.assertIn("merge them separately", done.stderr)

    def test_exports_follow_from_the_counts(self):
        found = self.count(*self.walk_options, "--cutoff", "A-B=2", "--per-frame", "--per-particle", "--block", 2)
        out = self.folder / "out.h5"

        def export(*words):
            done = starhist("export", out, "--format", "json", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)

        counts = found.counts[0]
        table = export("--errors")
        np.testing.assert_allclose(table["curves"][0]["value"], counts / counts.sum(), rtol=1e-14)
        of_blocks = found.blocks[:, 0] / found.blocks[:, 0].sum(axis=1)[:, None]
        errors = of_blocks.std(axis=0, ddof=1) / np.sqrt(len(of_blocks))
        np.testing.assert_allclose(table["curves"][1]["value"], errors, rtol=1e-10, atol=1e-15)
        self.assertEqual(export("--quantity", "counts")["curves"][0]["value"], counts.tolist())
        mean = export("--quantity", "mean", "--errors")["curves"]
        self.assertAlmostEqual(mean[0]["value"][0], counts @ np.arange(len(counts)) / counts.sum(), 12)
        self.assertEqual(mean[0]["cutoff"], 2)
        series = export("--quantity", "per-frame")["curves"][0]["value"]
        np.testing.assert_allclose(series, found.series[0] / 40, rtol=1e-14)
        table = export("--quantity", "per-particle")
        np.testing.assert_allclose(table["curves"][0]["value"], found.particles[0] / 12, rtol=1e-14)
        self.assertEqual(table["id"], list(range(1, 41)))
        angstroms = export("--unit", "nm", "--out-unit", "A")["curves"][0]
        self.assertEqual((angstroms["cutoff"], angstroms["neighbours"]), (20, mean[0]["neighbours"]))
        info = starhist("info", out).stdout
        self.assertIn("A-B below 2: ", info)
        self.assertIn("recorded     per frame, per particle", info)

    def test_correlated_blocks_are_reported_with_the_errors(self):
        path, out = self.folder / "steps.xyz", self.folder / "steps.h5"
        frame = '3\nLattice="9 0 0 0 9 0 0 0 9"\nA 1 1 1\nA 5 5 5\nB {x} 1 1\n'
        path.write_text("".join(frame.format(x=2 if k < 32 else 4) for k in range(64)))
        words = [path, "--cutoff", "A-B=1.5", "--unit", "nm", "--block", 1, "-o", out]
        self.assertEqual(starhist("coordination", *words).returncode, 0)
        self.assertIn("\n             standard errors are too small", starhist("info", out).stdout)
        done = starhist("export", out, "--errors")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("standard errors are too small", done.stderr)
        self.assertIn("# errors_caveat: standard errors are too small", done.stdout)
        self.assertNotIn("too small", starhist("export", out).stderr)

    def test_wrong_exports_are_refused(self):
        self.count(*self.walk_options, "--cutoff", "A-B=2,B-A=2", "--last", 2)
        out, rdf = self.folder / "out.h5", self.folder / "refused.h5"
        starhist("rdf", "-o", rdf, "-f", "-q", *self.walk_options, "--r-max", 3, "--bins", 3)
        for words, problem in [
            ([out, "--quantity", "g"], f"{out} has no quantity g (it is a result of starhist coordination)"),
            ([out, "--quantity", "per-frame"], "count with --per-frame"),
            ([out, "--quantity", "per-particle"], "count with --per-particle"),
            ([out, "--quantity", "counts", "--errors"], "have no errors"),
            ([out, "--errors"], "block"),
            ([out, "--pairs", "A-A"], "pair A-A was not counted"),
            ([out, "--smooth", "0.1"], "--smooth does not apply"),
            ([rdf, "--quantity", "distribution"], "has no quantity distribution"),
        ]:
            done = starhist("export", *words)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn(problem, done.stderr)
        for command in (["analyze"], ["plot", "--peaks"], ["peaks"]):
            done = starhist(*command, out)
            self.assertNotEqual(done.returncode, 0, command)
            self.assertIn("is a result of starhist coordination", done.stderr)

    def test_wrong_input_is_refused(self):
        plane = self.folder / "plane.h5"
        done = starhist("rdf", "-o", plane, *self.walk_options, "--plane", "xy", "--r-max", 2, "--bins", 20)
        self.assertEqual(done.returncode, 0, done.stderr)
        for words, problem in [
            (["--cutoff", "A-B=0"], "is not a length"),
            (["--cutoff", "A-B=nan"], "is not a length"),
            (["--cutoff", "A-B=-1"], "is not a length"),
            (["--cutoff", "A-B=x"], "is not a number"),
            ([], "--cutoff is missing"),
            (["--cutoff", "A-B"], "is neither a distance nor A-B=R"),
            (["--cutoff", "A-C=2"], "pair 'A-C': there is no species 'C' (there are A, B)"),
            (["--cutoff", "A-B=2,A-B=3"], "twice"),
            (["--cutoff", "A-B=2,(A)-(B)=3"], "pair A-B is given twice"),
            (["--cutoff", "A-B=2", "--pairs", "A-B,B-A"], "--pairs B-A has no cut-off"),
            (["--cutoff", "A-B=2", "--pairs", "B-A"], "which is not in --pairs"),
            (["--cutoff", "2,A-B=3"], "a distance without a pair"),
            (["--cutoff", "A-B=3.01"], "half the shortest lattice vector of frame 0"),
            (["--cutoff", "A-B=2", "--r-max", 3], "define bins only together"),
            (["--cutoff", "A-B=2.05", "--r-max", 3, "--bins", 30], "give 2 or 2.1"),
            (["--cutoff", "A-B=2.05", "--r-max", 3, "--bins", 1], "give 3 or 3"),
            (["--cutoff", "A-B=2", "--part", "3/2"], "the parts are 1/2 to 2/2"),
            (["--cutoff", "A-B=2", "--volume", "9"], "--volume"),
            (["--cutoff", "A-B=min"], "give it with --from"),
            (["--cutoff", "min", "--from", "rdf.h5"], "list them with --pairs"),
            (["--cutoff", "A-B=2", "--from", "rdf.h5"], "--from has no effect"),
            (["--cutoff", "A-B=min", "--from", plane], "distances in the plane xy"),
            (["--cutoff", "A-B=min", "--from", "missing.h5"], "missing.h5"),
            (["--cutoff", "A-B=min", "--from", "rdf.h5", "--r-max", 2, "--bins", 2], "uses the bins of --from"),
            (["--cutoff", "A-B=2", "--pair", "A-B"], "did you mean --pairs"),
            (["--cutoff", "A-B=2", "--first", 99], "99"),
            (["--cutoff", "A-B=2", "--species", "A=type 1 and z < -5; B=2"], "selects no particle in any of the"),
        ]:
            message = self.count(*self.walk_options[: 1 if "--species" in words else None], *words, code=1)
            self.assertIn(problem, message, words)
            self.assertFalse((self.folder / "out.h5.partial").exists(), words)
        out = self.folder / "kept.h5"
        out.write_text("data")
        done = starhist("coordination", "-o", out, *self.walk_options, "--cutoff", 1)
        self.assertEqual((done.returncode, out.read_text()), (1, "data"))
        done = starhist("coordination", "-o", self.dump, "-f", *self.walk_options, "--cutoff", 1)
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_parts_merge_to_the_whole_run(self):
        words = [*self.walk_options, "--cutoff", "A-B=2", "--per-frame", "--per-particle", "--block", 2]
        whole = self.count(*words)
        parts = [self.folder / f"part{k}.h5" for k in (1, 2, 3)]
        for k, part in enumerate(parts):
            done = starhist("coordination", "-o", part, "-f", *words, "--part", f"{k + 1}/3")
            self.assertEqual(done.returncode, 0, done.stderr)
        merged = self.folder / "merged.h5"
        done = starhist("merge", *parts, "-o", merged, "-f")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("missing", done.stderr)
        self.check_same(Result(merged), whole)
        done = starhist("merge", parts[0], parts[2], "-o", merged, "-f")
        self.assertIn("missing from the results: 2/3", done.stderr)
        self.assertEqual(done.returncode, 3)

    def test_parts_of_an_unsorted_dump_add_up_by_id(self):
        random = np.random.default_rng(4)
        path = self.folder / "unsorted.dump"
        with open(path, "w") as file:
            for frame in range(4):
                file.write(f"ITEM: TIMESTEP\n{frame}\nITEM: NUMBER OF ATOMS\n9\nITEM: BOX BOUNDS pp pp pp\n")
                file.write("0 4\n0 4\n0 4\nITEM: ATOMS id type x y z\n")
                for k in random.permutation(9):
                    file.write("{} 1 {:.3f} {:.3f} {:.3f}\n".format(k + 1, *(4 * random.random(3))))
        words = [path, "--unit", "nm", "--cutoff", 1.5, "--per-frame", "--per-particle", "--block", 2]
        whole = self.count(*words)
        parts = [self.folder / f"unsorted{k}.h5" for k in (1, 2)]
        for k, part in enumerate(parts):
            done = starhist("coordination", "-o", part, *words, "--part", f"{k + 1}/2")
            self.assertEqual(done.returncode, 0, done.stderr)
        merged = self.folder / "unsorted.h5"
        done = starhist("merge", *parts, "-o", merged)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_same(Result(merged), whole)

    def test_an_unfinished_part_lacks_frames(self):
        path = self.folder / "bad.xyz"
        random = np.random.default_rng(3)
        with open(path, "w") as file:
            for frame in range(8):
                file.write('5\nLattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3\n')
                for k, (x, y, z) in enumerate(4 * random.random((5, 3))):
                    file.write(f"A {x} {y} {'nan' if (frame, k) in ((3, 0), (7, 2)) else z}\n")
        out = self.folder / "all.h5"
        commands = {
            "rdf": ["--r-max", 1.9, "--bins", 19],
            "coordination": ["--cutoff", 1],
        }
        for command, words in commands.items():
            parts = [self.folder / f"{command}{k}.h5" for k in (1, 2)]
            for k, part in enumerate(parts):
                done = starhist(command, path, "-o", part, *words, "--unit", "nm", "--block", 1, "--part", f"{k + 1}/2")
                self.assertEqual(done.returncode, 1, done.stderr)
            unfinished = [f"{part}.partial" for part in parts]
            again = [command, path, "-o", parts[0], *words, "--unit", "nm", "--block", 1, "--part", "1/2"]
            done = starhist(*again[:-2], "--last", 0, "--resume")
            self.assertEqual(done.returncode, 1, done.stderr)
            done = starhist("merge", *unfinished, "-o", out, "-f")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("is from an unfinished run", done.stderr)
            self.assertRegex(done.stderr, r"missing from the results: .*3, from \d on")

    def check_same(self, one, other):
        for name in ("blocks", "frames", "of_block", "series", "particles", "ids"):
            lists = [[np.asarray(part).tolist() for part in getattr(result, name)] for result in (one, other)]
            self.assertEqual(*lists, name)

    def test_a_stopped_run_is_resumed_to_the_same_result(self):
        random = np.random.default_rng(5)
        edges = [np.diag([6.0, 7.0, 8.0])] * 300
        walk = Trajectory.random(17, {"A": 600, "B": 300}, 300, edges)
        path = self.folder / "long.dump"
        walk.write_dump(path, lambda _: random.permutation(900))  # followed by their ids
        words = [
            path,
            "--species",
            "A=1; B=2",
            "--cutoff",
            "A-B=2.1,B-B=2.9",
            "--block",
            7,
            "--per-frame",
            "--per-particle",
        ]
        whole = self.count(*words)
        out = self.folder / "stopped.h5"
        for name in (out, pathlib.Path(f"{out}.partial")):
            name.unlink(missing_ok=True)
        command = ["coordination", "-o", out, *words, "--checkpoint", "0.001", "--resume"]
        partial = pathlib.Path(f"{out}.partial")
        run = started(*command)
        while run.poll() is None and not partial.exists():
            time.sleep(0.002)
        run.kill()
        run.communicate()
        self.assertTrue(partial.exists(), "the run ended before it could be killed")
        self.assertFalse(out.exists())
        before = len(Result(partial).frames)
        self.assertTrue(0 < before < 300, before)
        refused = starhist("coordination", "-o", out, *words)
        self.assertIn("add --resume to continue it", refused.stderr)
        other = starhist("coordination", "-o", out, *words, "--resume", "--exclude-same", "molecule")
        self.assertEqual(other.returncode, 1, other.stderr)
        changed = [word if word != "A-B=2.1,B-B=2.9" else "A-B=2.1,B-B=2.8" for word in words]
        other = starhist("coordination", "-o", out, *changed, "--resume")
        self.assertIn("cannot be resumed", other.stderr)
        done = starhist(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_same(Result(out), whole)
        self.assertFalse(partial.exists())
        done = starhist(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("is finished: 300 frames", done.stderr)

    def test_a_run_stopped_by_a_signal_keeps_its_blocks(self):
        walk = Trajectory.random(18, {"A": 900, "B": 300}, 300, [np.diag([6.0, 7.0, 8.0])] * 300)
        path = self.folder / "signal.dump"
        walk.write_dump(path)
        out = self.folder / "signal.h5"
        words = ["-o", out, path, "--species", "A=1; B=2", "--cutoff", "A-B=2.1", "--block", 1]
        run = started("coordination", *words, "--checkpoint", "0.001")
        while run.poll() is None and not pathlib.Path(f"{out}.partial").exists():
            time.sleep(0.002)
        run.send_signal(signal.SIGTERM)
        _, message = run.communicate()
        self.assertEqual(run.returncode, 4, message)
        self.assertRegex(message, r"stopped by SIG\w+: .* are counted and saved; to resume, run:")
        self.assertIn(" coordination ", message)
        done = starhist("coordination", *words, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(Result(out).counts.tolist(), self.count(*words[2:]).counts.tolist())

    def test_a_signal_before_the_first_frame_leaves_no_result(self):
        walk = Trajectory.random(19, {"A": 900, "B": 300}, 300, [np.diag([6.0, 7.0, 8.0])] * 300)
        path = self.folder / "early.dump"
        walk.write_dump(path)
        out = self.folder / "early.h5"
        words = ["-o", out, path, "--species", "A=1; B=2", "--cutoff", "A-B=2.1", "--block", 1]
        for part in ([], ["--part", "1/2"]):
            run = started("coordination", *words, *part, preexec_fn=stop_this_process)
            _, message = run.communicate()
            self.assertEqual(run.returncode, 4, message)
            self.assertFalse(out.exists(), message)
            pathlib.Path(f"{out}.partial").unlink(missing_ok=True)
        # A result that is replaced stays, and the printed command replaces it.
        self.assertEqual(starhist("coordination", *words).returncode, 0)
        run = started("coordination", *words, "--force", preexec_fn=stop_this_process)
        _, message = run.communicate()
        self.assertEqual(run.returncode, 4, message)
        command = message.splitlines()[-1].partition("to resume, run: ")[2]
        self.assertIn("--force", command)
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(Result(out).frames), 300)

    def test_finished_blocks_survive_a_bad_frame(self):
        path = self.folder / "bad.dump"
        lines = self.dump.read_text().splitlines(keepends=True)
        frame = len(lines) // 12
        path.write_text("".join([*lines[: 11 * frame], *lines[11 * frame :][:-1], "1 1 nan 0 0\n"]))
        words = [path, "--species", "A=1; B=2", "--cutoff", "A-B=2.1", "--block", 4]
        out = self.folder / "bad.h5"
        done = starhist("coordination", "-o", out, *words)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(Result(f"{out}.partial").frames), 8)
        done = starhist("coordination", "-o", out, *words, "--resume", "--skip-bad-frames")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(Result(out).of_block, [4, 4, 3])

    def test_a_run_is_not_resumed_if_boxes_have_changed(self):
        path, out = self.folder / "boxes.xyz", self.folder / "boxes.h5"
        words = ["--unit", "nm", "--cutoff", "A-A=1.2", "--block", 2, "--resume"]

        def count(edge, damaged=False):
            box = f'Lattice="{edge} 0 0 0 {edge} 0 0 0 {edge}"\nA 0 0 0\nA 3.5 0 0\n'
            numbers = ("x" if damaged and k == 5 else "3" for k in range(8))
            path.write_text("".join(f"{number}\n{box}A 1 0 0.{k}\n" for k, number in enumerate(numbers)))
            return starhist("coordination", path, "-o", out, *words)

        self.assertEqual(count(4, damaged=True).returncode, 1)
        self.assertTrue(pathlib.Path(f"{out}.partial").exists())
        done = count(5)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("box of the first frame was '4 0 0, 0 4 0, 0 0 4; x, y, z'", done.stderr)
        self.assertEqual(count(4).returncode, 0)

    def test_results_with_other_periodic_axes_are_not_merged(self):
        results = []
        for name, options in {"a": [], "b": ["--open", "z"], "c": ["--box", "none"], "d": []}.items():
            path = self.folder / f"axes_{name}.xyz"
            atoms = f"A 0 0 0\nA 1 0 0\nA 0 1.{len(results)} 0\n"
            path.write_text(f'3\nLattice="4 0 0 0 4 0 0 0 4"\n{atoms}')
            results.append(self.folder / f"axes_{name}.h5")
            words = ["--unit", "nm", "--cutoff", "A-A=1.2", "-o", results[-1], *options]
            self.assertEqual(starhist("coordination", path, *words).returncode, 0)
        out = self.folder / "axes.h5"
        for other in results[1:3]:
            done = starhist("merge", results[0], other, "-o", out)
            self.assertEqual(done.returncode, 1)
            self.assertIn("different periodic axes", done.stderr)
        self.assertEqual(starhist("merge", results[0], results[3], "-o", out).returncode, 0)

    def test_a_part_without_usable_frames_is_refused(self):
        path = self.folder / "unusable.dump"
        lines = self.dump.read_text().splitlines(keepends=True)
        frame = len(lines) // 12
        good, bad = lines[:frame], [*lines[frame : 2 * frame - 1], "1 1 nan 0 0\n"]
        path.write_text("".join([*good, *bad]))
        words = ["--species", "A=1; B=2", "--cutoff", "A-B=2.1", "--block", 1, "--skip-bad-frames", "--part", "2/2"]
        self.assertIn("no selected frame can be used", self.count(path, *words, code=1))

    def test_info_marks_a_partial_result(self):
        path = self.folder / "marked.dump"
        lines = self.dump.read_text().splitlines(keepends=True)
        path.write_text("".join([*lines[:-1], "1 1 nan 0 0\n"]))
        out = self.folder / "marked.h5"
        starhist("coordination", "-o", out, path, "--species", "A=1; B=2", "--cutoff", "A-B=2.1", "--block", 4)
        self.assertIn("(coordination), partial (the run did not finish)", starhist("info", f"{out}.partial").stdout)

    def check_recounted_minimum(self, rdf):
        """A finished result is refused if g(r) was counted again and has another minimum."""
        out, copy = self.folder / "finished.h5", self.folder / "recounted.h5"
        copy.write_bytes(rdf.read_bytes())
        words = ["-o", out, DATA / "water.h5", "--cutoff", "O-O=min", "--from", copy, "--last", 9, "--resume"]
        self.assertEqual(starhist("coordination", *words).returncode, 0)
        self.assertIn("is finished", starhist("coordination", *words).stderr)
        starhist("rdf", DATA / "water.h5", "-o", copy, "-f", "-q", "--r-max", 0.6, "--bins", 100, "--block", 7)
        done = starhist("coordination", *words)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"{out} cannot be resumed: its pairs or cut-offs differ", done.stderr)

    def test_cutoffs_at_the_first_minimum_are_edges_of_the_bins(self):
        rdf = self.folder / "minima.h5"
        done = starhist("rdf", DATA / "water.h5", "-o", rdf, "-f", "-q", "--r-max", 0.5, "--bins", 100, "--block", 7)
        self.assertEqual(done.returncode, 0, done.stderr)
        peaks = json.loads(starhist("peaks", rdf, "--pairs", "O-O", "--format", "json").stdout)["extrema"]
        edge = round(next(row["r"] for row in peaks if row["kind"] == "minimum") / 0.005)
        self.count(DATA / "water.h5", "--cutoff", "O-O=min,O-H=0.245", "--from", rdf, "--last", 9)
        with h5py.File(self.folder / "out.h5") as file:
            group = file["observables/coordination"]
            self.assertEqual(group["cutoff_bin"][()].tolist(), [edge, 1])
            self.assertEqual(group["bin_count"][()].tolist(), [100, 1])
            self.assertEqual(group["cutoff"][0], edge * 0.5 / 100)
        pairs = self.count(DATA / "water.h5", "--pairs", "O-O", "--cutoff", "min", "--from", rdf, "--last", 9)
        plain = self.count(DATA / "water.h5", "--cutoff", f"O-O={0.005 * edge:.3f}", "--last", 9)
        self.assertEqual(pairs.counts.tolist(), plain.counts.tolist())
        # The run fails after this message, because the file has no molecules.
        words = ["-o", self.folder / "other.h5", DATA / "water.h5", "--cutoff", "O-O=min", "--from", rdf]
        done = starhist("coordination", *words, "--exclude-same", "molecule")
        self.assertIn("excludes no pairs, this run excludes pairs of the same molecule", done.stderr)
        self.check_recounted_minimum(rdf)
        for spec, problem in [
            ("O-H=min", "ambiguous (the peak before it, up to r = 0.115, is of bonded particles"),
            ("H-H=min", "ambiguous"),
            ("O-X=min", "O-X"),
        ]:
            self.assertIn(problem, self.count(DATA / "water.h5", "--cutoff", spec, "--from", rdf, code=1))
        short = self.folder / "short.h5"
        starhist("rdf", DATA / "water.h5", "-o", short, "-f", "-q", "--r-max", 0.3, "--bins", 60, "--pairs", "O-O")
        message = self.count(DATA / "water.h5", "--cutoff", "O-O=min", "--from", short, code=1)
        self.assertIn("has no minimum after its first peak", message)
        message = self.count(self.dump, "--species", "O=1; B=2", "--cutoff", "O-O=min", "--from", rdf, code=1)
        self.assertIn("its length unit is nm", message)
        message = self.count(DATA / "water.h5", "--cutoff", "O-O=min", "--from", self.dump, code=1)
        self.assertIn(str(self.dump), message)

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "matplotlib is missing")
    def test_pictures_show_the_distribution_and_the_series(self):
        self.count(*self.walk_options, "--cutoff", "A-B=2,B-A=2", "--per-frame", "--block", 3)
        out, picture = self.folder / "out.h5", self.folder / "picture.svg"
        for words, texts in [
            ([], ["number of neighbours", "fraction of particles"]),
            (["--series"], ["neighbours per"]),
        ]:
            done = starhist("plot", out, "-o", picture, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            drawn = picture.read_text()
            for text in [*texts, "A-B below 2", "B-A below 2"]:
                self.assertIn(text, drawn)
        self.assertNotIn("B-A below", self.drawn(out, picture, "--pairs", "A-B"))
        self.count(*self.walk_options, "--cutoff", "A-B=2")
        for words, problem in [
            (["--series"], "count with --per-frame"),
            (["--panels"], "--panels has no meaning"),
            (["--pairs", "A-A"], "pair A-A was not counted"),
            ([out], "drawn one by one"),
        ]:
            done = starhist("plot", out, "-o", picture, *words)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertIn(problem, done.stderr)

    def drawn(self, result, picture, *words):
        done = starhist("plot", result, "-o", picture, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return picture.read_text()

    def test_open_axes_equal_a_loop(self):
        far = [np.diag([6.0, 7.0, 1e6])] * 12
        found = self.count(*self.walk_options, "--open", "z", "--cutoff", "A-B=2.5")
        self.check(found.counts[0], loop(Trajectory(self.walk.species, far, self.walk.positions), "A", "B", 2.5))

    def test_a_bad_frame_is_left_out_on_request(self):
        bad = self.folder / "bad.dump"
        lines = self.dump.read_text().splitlines(keepends=True)
        lines[9 + 74 * 3] = lines[9 + 74 * 3].replace(".", "x", 1)  # first atom of frame 3
        bad.write_text("".join(lines))
        words = [bad, "--species", "A=1; B=2", "--cutoff", "A-B=2"]
        self.count(*words, code=1)
        found = self.count(*words, "--skip-bad-frames", code=3)
        self.check(found.counts[0], loop(self.walk, "A", "B", 2, [0, 1, 2, *range(4, 12)]))

    @unittest.skipIf(importlib.util.find_spec("freud") is None, "freud is missing")
    def test_numbers_equal_those_of_freud(self):
        import freud

        found = self.count(*self.walk_options, "--cutoff", "A-B=2.1,B-B=2.9")
        box = freud.box.Box(6, 7, 8)
        for counts, (a, b, cutoff) in zip(found.counts, [(0, 1, 2.1), (1, 1, 2.9)]):
            expected = []
            for frame in self.walk.positions:
                points = (frame - np.array([3.0, 3.5, 4.0])).astype(np.float32)
                query = freud.locality.AABBQuery(box, box.wrap(points[self.walk.members[b]]))
                near = query.query(
                    box.wrap(points[self.walk.members[a]]), {"r_max": cutoff, "exclude_ii": a == b}
                ).toNeighborList()
                expected.append(near.neighbor_counts)
            self.check(counts, np.array(expected, dtype=int))

    @unittest.skipIf(importlib.util.find_spec("MDAnalysis") is None, "MDAnalysis is missing")
    def test_numbers_equal_those_of_mdanalysis(self):
        from MDAnalysis.lib.distances import capped_distance

        found = self.count(*self.walk_options, "--cutoff", "A-B=2.1")
        rows, columns = self.walk.members
        expected = []
        for frame in self.walk.positions:
            pairs = capped_distance(
                frame[rows].astype(np.float32), frame[columns].astype(np.float32), 2.1,
                box=np.array([6, 7, 8, 90, 90, 90], dtype=np.float32), return_distances=False,
            )  # fmt: skip
            expected.append(np.bincount(pairs[:, 0], minlength=len(rows)))
        self.check(found.counts[0], np.array(expected))


if __name__ == "__main__":
    unittest.main()
