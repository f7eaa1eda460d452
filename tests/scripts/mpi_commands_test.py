#!/usr/bin/env python3
"""Tests of starhist-mpi vanhove, coordination and rdf --axis2: ranks give the files of one process."""

import os
import random
import re
import signal
import subprocess
import time
import unittest

from mpi_test import DATA, ENVIRONMENT, PROGRAM, Job, MpiTest, write_gro


def write_walk(path, frames, bad=(), fewer=None):
    """Particles that walk through boxes of growing edge; frames of `bad` have a NaN, frame `fewer` a particle less."""
    rng = random.Random(3)
    places = [[5 * rng.random() for _ in range(3)] for _ in range(40)]
    with open(path, "w") as file:
        for frame in range(frames):
            edge = 5 + 0.01 * frame
            places = [[(x + rng.gauss(0, 0.2)) % 5 for x in place] for place in places]
            count = len(places) - (frame == fewer)
            lattice = f"{edge} 0 0 0 {edge} 0 0 0 {edge}"
            print(f'{count}\nLattice="{lattice}" Properties=species:S:1:pos:R:3 Time={0.5 * frame}', file=file)
            for k, place in enumerate(places[:count]):
                words = [f"{x:.4f}" for x in place]
                if frame in bad and k == 3:
                    words[1] = "nan"
                print("OH"[k % 2], *words, file=file)


def write_dump(path, frames):
    """Molecules of three atoms in LAMMPS' format, whose atoms are in another order in each frame."""
    rng = random.Random(5)
    with open(path, "w") as file:
        for frame in range(frames):
            print(f"ITEM: TIMESTEP\n{10 * frame}\nITEM: NUMBER OF ATOMS\n60", file=file)
            print("ITEM: BOX BOUNDS pp pp pp" + "\n0 6" * 3, file=file)
            print("ITEM: ATOMS id mol type x y z", file=file)
            for k in rng.sample(range(60), 60):
                xyz = (f"{6 * rng.random():.4f}" for _ in range(3))
                print(k + 1, k // 3 + 1, 1 if k % 3 else 2, *xyz, file=file)


class CommandTest(MpiTest):
    """Tests of a command, with its options."""

    OPTIONS = ()

    def run_ranks(self, ranks, words, expected):
        """The messages of ranks that end with this exit code and leave the file or the partial file of one process."""
        output, code, alone = self.alone(*words)
        self.assertEqual(code, expected, alone)
        job = Job(ranks, [*words, "-o", f"{ranks}.h5", "-f"], self.folder, command=self.COMMAND)
        self.assertEqual(job.end(), expected, job.text)
        ending = ".partial" if expected == 1 else ""
        self.check_equal(f"{output}{ending}", self.folder / f"{ranks}.h5{ending}")
        return alone, job.text

    def check_bad_frames(self):
        words = ["bad.xyz", *self.OPTIONS, "--block", "5"]
        write_walk(self.folder / "bad.xyz", 40, bad=(23, 31))
        for ranks in (1, 2, 3):
            alone, text = self.run_ranks(ranks, words, 1)
            (problem,) = [line for line in alone.splitlines() if "frame 23" in line]
            self.assertEqual(text.count(problem), 1, text)
        write_walk(self.folder / "bad.xyz", 40, bad=(0, 4, 12, 23, 39))
        for ranks in (2, 3):
            alone, text = self.run_ranks(ranks, [*words, "--skip-bad-frames"], 3)
            left_out = [line for line in alone.splitlines() if "left out" in line]
            self.assertGreater(len(left_out), 0)
            for line in left_out:
                self.assertIn(line.replace("alone.h5", f"{ranks}.h5").replace(str(self.folder) + "/", ""), text)

    def check_interrupted(self, words, end):
        """An interrupted job can be resumed with another number of ranks."""
        reference, code, text = self.alone(*words)
        self.assertEqual(code, 0, text)
        output = self.folder / "r.h5"
        job = Job(2, [*words, "-o", output], self.folder, command=self.COMMAND, STARPU_NCPU="1")
        job.wait_for(self.folder / "r.h5.partial")
        time.sleep(0.3)
        ranks = job.ranks()
        end(job, ranks)
        code = job.end()
        limit = time.monotonic() + 60
        while any(os.path.exists(f"/proc/{rank}") for rank in ranks) and time.monotonic() < limit:
            time.sleep(0.05)  # ranks notice that mpirun is gone
        self.assertFalse(output.exists())
        text = job.text
        job = Job(3, [*words, "-o", output, "--resume"], self.folder, command=self.COMMAND)
        self.assertEqual(job.end(), 0, job.text)
        self.assertIn("resuming at frame", job.text)
        self.check_equal(reference, output)
        job = Job(2, [*words, "-o", output, "--resume"], self.folder, command=self.COMMAND)
        self.assertEqual(job.end(), 0, job.text)
        self.assertIn("is finished", job.text)
        return code, text

    def kill(self, job, _):
        os.kill(job.process.pid, signal.SIGKILL)

    def stop(self, _, ranks):
        os.kill(ranks[1], signal.SIGUSR1)


class VanHove(CommandTest):
    COMMAND = "vanhove"
    OPTIONS = ("--lags", "0,1,2,5", "--r-max", "2", "--bins", "40")

    def test_equal(self):
        write_walk(self.folder / "a.xyz", 45)
        for ranks, words in (
            (1, self.OPTIONS),
            (2, self.OPTIONS),
            (3, (*self.OPTIONS, "--block", "4")),
            (3, ("--lags", "0:12:3", "--every-origin", "3", "--r-max", "2", "--bins", "40", "--block", "7")),
            (2, (*self.OPTIONS, "--unwrapped", "--block", "7")),
            (2, (*self.OPTIONS, "--first", "4", "--step", "2", "--block", "3")),
            (2, (*self.OPTIONS, "--part", "2/3", "--block", "4")),
            (3, (*self.OPTIONS, "--species", "a=O H; b=O", "--block", "7")),
            (2, ("--lags", "1,3", "--r-min", "0.5", "--r-max", "2", "--bins", "30", "--pairs", "H-O")),
            (3, ("--lags", "2", "--block", "100")),
        ):
            with self.subTest(ranks=ranks, words=words):
                alone, text = self.run_ranks(ranks, ["a.xyz", *words], 0)
                for line in alone.splitlines():  # warnings and conventions
                    if "pairs in " not in line:
                        self.assertIn(line, text)

    def test_units_are_blocks(self):
        write_walk(self.folder / "a.xyz", 45)
        _, text = self.run_ranks(2, ["a.xyz", *self.OPTIONS, "--block", "2"], 0)
        self.assertRegex(text, r"rank 0 on \S+: \d+ work units.*\n.*rank 1 on \S+: [1-9]\d* work units")

    def test_bad_frames(self):
        self.check_bad_frames()

    def test_particles_that_differ(self):
        """They end the run in any case, in the frame that rank 1 reads as an origin, too."""
        write_walk(self.folder / "a.xyz", 40, fewer=22)
        for words in ((), ("--skip-bad-frames",)):
            alone, text = self.run_ranks(3, ["a.xyz", *self.OPTIONS, "--block", "4", *words], 1)
            self.assertIn("frame 22 has 19 particles of species H", alone)
            self.assertIn(alone.strip(), text)

    def test_interrupted(self):
        path = self.trajectory("a.h5", 240, [1500, 500])
        words = [path, "--lags", "0,1,2,4,8", "--r-max", "3", "--bins", "100", "--block", "5"]
        code, _ = self.check_interrupted(words, self.kill)
        self.assertEqual(code, -signal.SIGKILL)
        (self.folder / "r.h5").unlink()
        code, text = self.check_interrupted(words, self.stop)
        self.assertEqual(code, 4, text)
        self.assertRegex(
            text,
            r"stopped by SIGUSR1: \d+ of 240 frames .* starhist-mpi vanhove .* --resume|"
            r"to resume, run with the options of your mpirun: mpirun -n 2 \S*starhist-mpi vanhove .* --resume",
        )

    def test_help_and_refusals(self):
        run = subprocess.run(
            ["mpirun", "-n", "2", PROGRAM.with_name("starhist-mpi"), "vanhove", "--help"],
            env=ENVIRONMENT,
            text=True,
            capture_output=True,
        )
        self.assertEqual((run.returncode, run.stdout.count("usage: starhist vanhove")), (0, 1))
        job = Job(2, ["a.xyz", "-o", "r.h5", "--lags", "none"], self.folder, command="vanhove")
        self.assertEqual(job.end(), 1)
        self.assertEqual(job.text.count("starhist: "), 1, job.text)


class Coordination(CommandTest):
    COMMAND = "coordination"
    OPTIONS = ("--cutoff", "1.5", "--per-frame", "--per-particle")

    def test_equal(self):
        write_walk(self.folder / "a.xyz", 45)
        write_dump(self.folder / "a.dump", 30)
        for ranks, words in (
            (1, ("a.xyz", *self.OPTIONS)),
            (2, ("a.xyz", *self.OPTIONS)),
            (3, ("a.xyz", "--cutoff", "O-H=1.1,H-O=1.4", "--per-frame", "--block", "2")),
            (2, ("a.xyz", *self.OPTIONS, "--first", "4", "--step", "2", "--block", "4")),
            (2, ("a.xyz", *self.OPTIONS, "--part", "2/3", "--block", "4")),
            (3, ("a.xyz", "--cutoff", "1.2", "--species", "a=O H; near=name O and x < 2", "--block", "4")),
            (3, ("a.dump", *self.OPTIONS, "--block", "4")),
            (2, ("a.dump", *self.OPTIONS, "--exclude-same", "molecule", "--block", "100")),
        ):
            with self.subTest(ranks=ranks, words=words):
                alone, text = self.run_ranks(ranks, words, 0)
                for line in alone.splitlines():
                    if "counted in" not in line:
                        self.assertIn(line, text)

    def test_bad_frames(self):
        self.check_bad_frames()

    def test_particles_that_differ(self):
        write_walk(self.folder / "a.xyz", 40, fewer=22)
        words = ["a.xyz", *self.OPTIONS, "--block", "4", "--skip-bad-frames"]
        alone, text = self.run_ranks(3, words, 1)
        self.assertIn("frame 22 has 19 particles of species H", alone)
        self.assertIn(alone.strip(), text)

    def test_interrupted(self):
        path = self.trajectory("a.h5", 400, [1900, 600])
        words = [path, "--cutoff", "2.9", "--per-particle", "--block", "5", "--checkpoint", "0.05"]
        self.assertEqual(self.check_interrupted(words, self.kill)[0], -signal.SIGKILL)
        (self.folder / "r.h5").unlink()
        code, text = self.check_interrupted(words, self.stop)
        self.assertEqual(code, 4, text)
        self.assertRegex(
            text,
            r"to resume, run with the options of your mpirun: mpirun -n 2 \S*starhist-mpi coordination .* --resume",
        )

    def test_refusals(self):
        """Each of them is printed once."""
        write_walk(self.folder / "a.xyz", 5)
        for words, problem in (
            (("--cutoff", "1", "--bins", "0"), "--bins"),
            (("--cutoff", "9"), "--cutoff 9"),
            (("--cutoff", "O-O=min", "--from", "none.h5"), "none.h5"),
            (("--cutoff", "1", "--per-particle", "--species", "a=name O and x < 2"), "--per-particle needs the same"),
        ):
            job = Job(3, ["a.xyz", "-o", "r.h5", *words], self.folder, command="coordination")
            self.assertEqual(job.end(), 1, job.text)
            self.assertEqual((job.text.count("starhist: "), job.text.count(problem)), (1, 1), job.text)

    def test_cutoffs_at_minima(self):
        rdf = self.folder / "rdf.h5"
        bins = ("--r-max", "0.5", "--bins", "100", "--block", "7")
        subprocess.run([PROGRAM, "rdf", DATA / "water.h5", "-o", rdf, "-q", *bins], env=ENVIRONMENT, check=True)
        water = (DATA / "water.h5", "--from", rdf, "--last", "9", "--block", "2")
        for ranks in (1, 2, 3):
            self.run_ranks(ranks, [*water, "--cutoff", "O-O=min,O-H=0.245"], 0)
        for words in (
            ["--cutoff", "O-O=min,O-H=min"],  # ambiguous
            ["--cutoff", "O-O=min", "--exclude-same", "molecule"],  # warns, then fails
        ):
            _, code, alone = self.alone(*water, *words)
            job = Job(2, [*water, *words, "-o", "m.h5"], self.folder, command=self.COMMAND)
            self.assertEqual((code, job.end()), (1, 1), job.text)
            for line in alone.splitlines():
                self.assertEqual(job.text.count(line), 1, job.text)


class SecondAxis(CommandTest):
    OPTIONS = ("--axis2", "cos(z)", "--axis2-bins", "4", "--r-max", "2", "--bins", "20")

    def test_equal(self):
        write_walk(self.folder / "a.xyz", 45)
        write_gro(self.folder / "w.gro", 24)
        dz = ("--axis2", "dz", "--axis2-bins", "6", "--r-max", "2", "--bins", "20")
        water = ("w.gro", "--species", "O=OW; H=HW1 HW2", "--r-max", "0.9", "--bins", "9")
        for ranks, words in (
            (1, ("a.xyz", *self.OPTIONS)),
            (2, ("a.xyz", *self.OPTIONS)),
            (3, ("a.xyz", *dz, "--block", "4", "--step", "2")),
            (2, ("a.xyz", *dz, "--species", "a=O H; b=O", "--pairs", "a-b")),
            (2, ("a.xyz", *self.OPTIONS, "--part", "2/3", "--block", "4")),
            (3, (*water, "--axis2", "cos(vector OW->HW1)", "--block", "5")),
            (2, (*water, "--axis2", "cos(z)", "--exclude-same", "residue", "--block", "5")),
            (2, (*water, "--axis2", "cos(z)", "--only-same", "residue")),
            (1, ("a.xyz", "--plane", "xy", *dz)),
            (2, ("a.xyz", "--plane", "xy", *dz, "--block", "4")),
            (3, ("a.xyz", "--plane", "xy", *dz, "--axis2-max", "1.1", "--block", "7", "--step", "2")),
            (3, ("a.xyz", "--plane", "xy", *dz, "--species", "a=O H; b=O", "--pairs", "a-b")),
            (2, ("a.xyz", "--plane", "xz", "--axis2", "dy", "--r-max", "2", "--bins", "20", "--part", "2/3")),
            (2, (*water, "--plane", "xy", "--axis2", "dz", "--exclude-same", "residue", "--block", "5")),
        ):
            with self.subTest(ranks=ranks, words=words):
                self.run_ranks(ranks, words, 0)

    def test_few_large_frames(self):
        """Their rows are not divided, although there are enough pairs."""
        path = self.trajectory("g.h5", 2, [15000], edge=20.0)
        _, text = self.run_ranks(2, [path, "--axis2", "dz", "--r-max", "1", "--bins", "10"], 0)
        self.assertEqual(sum(map(int, re.findall(r"(\d+) work units", text))), 2)

    def test_bad_frames(self):
        self.check_bad_frames()

    def test_interrupted(self):
        path = self.trajectory("a.h5", 1000, [3000])
        for axis in (("--axis2", "cos(z)"), ("--axis2", "dz", "--plane", "xy", "--axis2-max", "2")):
            with self.subTest(axis=axis):
                words = [path, *axis, "--r-max", "3", "--bins", "30", "--block", "5"]
                self.assertEqual(self.check_interrupted(words, self.kill)[0], -signal.SIGKILL)
                (self.folder / "r.h5").unlink()

    def test_refusals(self):
        write_walk(self.folder / "a.xyz", 5)
        for words, problem in (
            (("--axis2", "dx", "--plane", "xy"), "the axis lies in the plane"),
            (("--axis2", "dz", "--memory", "0.3", "--bins", "100000"), "give more with --memory"),
            (("--axis2", "dz", "--explain"), "--explain predicts runs without --axis2"),
            (("--axis2", "cos(vector A->B)"), "its atoms cannot be read"),
        ):
            job = Job(3, ["a.xyz", "-o", "r.h5", "--r-max", "2", *words], self.folder)
            self.assertEqual(job.end(), 1, job.text)
            self.assertEqual((job.text.count("starhist: "), job.text.count(problem)), (1, 1), job.text)


class SameOptions(CommandTest):
    """Planes and bins of unequal width."""

    def test_equal(self):
        write_walk(self.folder / "a.xyz", 45)
        for ranks, words in (
            (2, ("--plane", "xy", "--r-max", "2", "--bins", "20")),
            (3, ("--plane", "yz", "--r-max", "2", "--bins", "20", "--block", "4", "--species", "a=O H; b=O")),
            (2, ("--edges", "0,0.5,0.8,1.7,2.2")),
            (3, ("--bins", "log:12", "--r-max", "2", "--r-min", "0.1", "--block", "4")),
            (2, ("--open", "z", "--geometry", "slab", "--extent", "5", "--r-max", "2", "--bins", "20")),
        ):
            with self.subTest(ranks=ranks, words=words):
                self.run_ranks(ranks, ["a.xyz", *words], 0)


if __name__ == "__main__":
    unittest.main()
