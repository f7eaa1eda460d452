#!/usr/bin/env python3
"""Selections that change from frame to frame against static ones of the same size: times in turns.

    selections.py build/starhist [--rounds 5] [--frames 100] [--cores 2]

Random particles at the density of water: oxygens (0), hydrogens (1), ions (2) and a cluster like a protein (3). Each case
counts the selected oxygens against all oxygens, first with a rule that is evaluated in each frame, then with a static rule
that selects the mean number of particles. Times cover counting with reading (count_seconds of --json) and the whole
process; the last column is the ratio of counting times.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_trajectory

WATERS = 10_000
EDGE = (WATERS / 33.4) ** (1 / 3)  # nm
IONS = 100
PROTEIN = 1000
CASES = {
    "within 0.35 nm of an ion": "species 0 and within 0.35 of species 2",
    "within 0.35 nm of a protein": "species 0 and within 0.35 of species 3",
    "layer": f"species 0 and z < {EDGE / 10:.3f}",
}


def write(path, frames):
    """Writes an H5MD file."""
    make_trajectory.write(path, frames, (WATERS, 2 * WATERS, IONS, PROTEIN), np.eye(3) * EDGE, seed=1)
    random = np.random.default_rng(2)
    with h5py.File(path, "r+") as file:
        value = file["particles/all/position/value"]
        for frame in range(frames):
            # A ball of 100 atoms per nm^3 around the centre.
            directions = random.normal(size=(PROTEIN, 3))
            directions /= np.linalg.norm(directions, axis=1)[:, None]
            radii = (PROTEIN / 100 / (4 / 3 * np.pi) * random.random(PROTEIN)) ** (1 / 3)
            value[frame, -PROTEIN:] = EDGE / 2 + directions * radii[:, None]


def run(program, folder, rule, cores):
    """Returns (counting, whole process) in seconds."""
    start = time.perf_counter()
    words = [program, "rdf", folder / "points.h5", "-o", folder / "rdf.h5", "-f", "-q", "--json", folder / "run.json"]
    words += ["--r-max", "1.5", "--bins", "300", "--species", f"A={rule}; O=species 0", "--pairs", "A-O"]
    environment = dict(os.environ, STARPU_NCPU=str(cores), STARPU_NCUDA="0")
    subprocess.run([*map(str, words)], check=True, env=environment)
    whole = time.perf_counter() - start
    return json.loads((folder / "run.json").read_text())["count_seconds"], whole


def selected(path):
    """Mean number of particles of species A in a frame of the result."""
    with h5py.File(path) as file:
        group = file["observables/pair_distance_histogram"]
        names = [name.decode() for name in group["species"][:]]
        frames = group["frames"][:].sum()
        numbers = group["particle_number"][:].sum(axis=0)
        return numbers[names.index("A")] / frames


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--cores", type=int, default=2)
    arguments = parser.parse_args()
    print(
        f"{WATERS} waters, {IONS} ions, {PROTEIN} protein atoms, edge {EDGE:.2f} nm, {arguments.frames} frames,",
        end=" ",
    )
    print(f"{arguments.cores} workers, medians of {arguments.rounds} rounds")
    print(f"{'case':28} {'selected':>8} {'counting':>9} {'static':>7} {'process':>8} {'static':>7} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder / "points.h5", arguments.frames)
        for case, rule in CASES.items():
            run(arguments.program, folder, rule, arguments.cores)
            number = round(selected(folder / "rdf.h5"))
            if not 0 < number < WATERS:
                sys.exit(f"{case}: {number} particles are selected")
            rules = (rule, f"index 1-{number}")
            times = [[], []]
            for _ in range(arguments.rounds):
                for which, words in enumerate(rules):
                    times[which].append(run(arguments.program, folder, words, arguments.cores))
            (counting, process), (static, static_process) = (
                [statistics.median(column) for column in zip(*of_rule)] for of_rule in times
            )
            print(
                f"{case:28} {number:8} {counting:9.3f} {static:7.3f} {process:8.3f} {static_process:7.3f} "
                f"{counting / static:6.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
