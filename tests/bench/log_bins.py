#!/usr/bin/env python3
"""Logarithmic and linear bins against Corrfunc: time and processor time in turns, with equal counts.

    log_bins.py build/starhist [--rounds 5] [--bins 30] [--linear-bins 100] [--cores 2]

Counts random points in a periodic cube with `starhist rdf --edges`, or `--bins` for linear bins, and with
Corrfunc.theory.DD in single precision, in turns, for each case (points, r_max in units of the edge). Counts must equal
Corrfunc's in double precision. starhist's times cover the counting (count_seconds of --json) and the whole process;
Corrfunc's time covers its call, without importing and reading. The ratio is Corrfunc's processor time divided by the
processor time of starhist's whole process. Needs NumPy, h5py and Corrfunc.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
from Corrfunc import __version__ as corrfunc_version
from Corrfunc.theory.DD import DD

EDGE = 100.0  # of the cube
CASES = ((1_000_000, 0.03), (100_000, 0.22))
SMALLEST = 0.05  # first edge of the bins, in units of r_max


def write(path, points):
    """Writes one H5MD frame."""
    with h5py.File(path, "w") as file:
        file.create_group("h5md").attrs["version"] = np.array([1, 1], "i4")
        group = file.create_group("particles/all")
        box = group.create_group("box")
        box.attrs["dimension"] = 3
        box.attrs["boundary"] = np.array([b"periodic"] * 3)
        box["edges"] = np.full(3, EDGE)
        position = group.create_group("position")
        position["value"] = points[None]
        position["step"], position["time"] = np.array([0]), np.array([0.0])


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def starhist(program, folder, bins, cores):
    """Returns (counting, whole process, processor time) in seconds."""
    before, start = children_seconds(), time.perf_counter()
    words = [program, "rdf", folder / "points.h5", "-o", folder / "rdf.h5", "-f", "-q", "--json", folder / "run.json"]
    environment = dict(os.environ, STARPU_NCPU=str(cores), STARPU_NCUDA="0")
    subprocess.run([*map(str, words), *bins], check=True, env=environment)
    whole = time.perf_counter() - start
    return json.loads((folder / "run.json").read_text())["count_seconds"], whole, children_seconds() - before


def corrfunc(points, edges, cores, kind):
    """Returns (counts of unordered pairs, seconds, processor seconds)."""
    x, y, z = (np.ascontiguousarray(column) for column in points.astype(kind).T)
    start, before = time.perf_counter(), time.process_time()
    table = DD(1, cores, edges, x, y, z, periodic=True, boxsize=EDGE)
    return table["npairs"] // 2, time.perf_counter() - start, time.process_time() - before


def compare(program, points_count, share, linear, options):
    points = (EDGE * np.random.default_rng(1).random((points_count, 3))).astype("f4")
    points = points[(points < EDGE).all(axis=1)]
    r_max = share * EDGE
    if linear:
        edges = np.linspace(0, r_max, options.linear_bins + 1)
        kind = f"{options.linear_bins} linear bins"
    else:
        edges = np.geomspace(SMALLEST * r_max, r_max, options.bins + 1)
        kind = f"{options.bins} logarithmic bins from {SMALLEST} r_max"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder / "points.h5", points)
        (folder / "edges.txt").write_text("\n".join(map(repr, edges.tolist())))
        bins = ["--edges", str(folder / "edges.txt")]
        if linear:
            bins = ["--bins", str(options.linear_bins), "--r-max", repr(r_max)]
        own, other = [], []
        for _ in range(options.rounds):
            own.append(starhist(program, folder, bins, options.cores))
            other.append(corrfunc(points, edges, options.cores, "f4")[1:])
        with h5py.File(folder / "rdf.h5") as file:
            counts = file["observables/pair_distance_histogram/value"][()].sum(axis=(0, 1))
    exact = corrfunc(points, edges, options.cores, "f8")[0]
    own, other = np.array(own), np.array(other)
    print(f"{len(points)} points, r_max {share} of the edge, {kind}, {counts.sum()} pairs")
    print(f"  starhist  counting {column(own[:, 0])}, process {column(own[:, 1])}, processor time {column(own[:, 2])}")
    print(f"  Corrfunc  call     {column(other[:, 0])},                      processor time {column(other[:, 1])}")
    print(f"  ratio of processor times {np.median(other[:, 1]) / np.median(own[:, 2]):.2f}")
    # DD counts each point with itself, in the bin from 0.
    exact[0] -= len(points) // 2 if linear else 0
    equal = np.array_equal(counts, exact)
    print(f"  counts equal Corrfunc's in double precision: {equal}", flush=True)
    for k in np.flatnonzero(counts != exact):
        print(f"    bin {k}: {counts[k]}, Corrfunc {exact[k]}")
    return equal


def column(seconds):
    return f"{np.median(seconds):.2f} s ({seconds.min():.2f} to {seconds.max():.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", help="starhist")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bins", type=int, default=30)
    parser.add_argument("--linear-bins", type=int, default=100)
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    print(
        f"Corrfunc {corrfunc_version}, {options.cores} cores, {options.rounds} rounds in turns, load {os.getloadavg()[0]:.1f}"
    )
    equal = [compare(options.program, *case, linear, options) for linear in (False, True) for case in CASES]
    sys.exit(0 if all(equal) else 1)


if __name__ == "__main__":
    main()
