#!/usr/bin/env python3
"""Seconds per frame of `starhist rdf` with a short r_max, with tiles and without.

    cutoffs.py --program build/starhist [--particles 10000,100000] [--r-max 1] [--peers freud,gmx]

Random particles, 100 per nm^3 as the atoms of water, in a cubic box; the median over the
repetitions of the time from the first frame to the last counts, all settings in turn. The counts
with and without tiles are compared; a difference ends the program with status 1. Peers: freud
(Python's freud-analysis, as many threads as it takes) and `gmx rdf`, reading its .gro included.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

import make_trajectory

DENSITY = 100.0
BINS = 200


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/starhist")
    parser.add_argument("--particles", default="10000,100000,1000000")
    parser.add_argument("--frames", type=int, default=4)
    parser.add_argument("--r-max", type=float, default=1.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--most-untiled", type=int, default=200000, help="more particles are not counted without tiles")
    parser.add_argument("--peers", default="", help="freud,gmx")
    return parser.parse_args()


def run(program, path, r_max, tiles, folder):
    output, summary = folder / f"{tiles}.h5", folder / "run.json"
    subprocess.run(
        [
            program,
            "rdf",
            str(path),
            "-o",
            str(output),
            "--force",
            "--quiet",
            "--r-max",
            str(r_max),
            "--bins",
            str(BINS),
            "--tiles",
            tiles,
            "--json",
            str(summary),
        ],
        check=True,
    )
    result = json.loads(summary.read_text())
    return result["count_seconds"] / result["frames"], result


def counts(folder, tiles):
    with h5py.File(folder / f"{tiles}.h5") as file:
        histogram = file["observables/pair_distance_histogram"]
        return histogram["value"][:], histogram["overflow"][:]


def freud_seconds(path, r_max):
    import freud

    with h5py.File(path) as file:
        positions = file["particles/all/position/value"][:]
        edge = file["particles/all/box/edges"][0][0]
    rdf = freud.density.RDF(bins=BINS, r_max=r_max)
    start = time.perf_counter()
    for frame in positions:
        rdf.compute((freud.box.Box.cube(edge), frame - edge / 2), reset=False)
    return (time.perf_counter() - start) / len(positions)


def gmx_seconds(path, r_max, folder):
    with h5py.File(path) as file:
        positions = file["particles/all/position/value"][:]
        edge = file["particles/all/box/edges"][0][0]
    gro = folder / "all.gro"
    with open(gro, "w") as file:
        for k, frame in enumerate(positions):
            file.write(f"frame t= {k}.0\n{len(frame)}\n")
            for i, (x, y, z) in enumerate(frame):
                file.write(f"{(i + 1) % 100000:5d}AR      AR{(i + 1) % 100000:5d}{x:8.3f}{y:8.3f}{z:8.3f}\n")
            file.write(f"{edge:10.5f}{edge:10.5f}{edge:10.5f}\n")
    start = time.perf_counter()
    subprocess.run(
        [
            "gmx",
            "-quiet",
            "rdf",
            "-f",
            gro,
            "-s",
            gro,
            "-ref",
            "all",
            "-sel",
            "all",
            "-rmax",
            str(r_max),
            "-bin",
            str(r_max / BINS),
            "-o",
            folder / "rdf.xvg",
        ],
        check=True,
        capture_output=True,
    )
    return (time.perf_counter() - start) / len(positions)


def main():
    arguments = parse_arguments()
    peers = [word for word in arguments.peers.split(",") if word]
    print(
        f"{DENSITY} particles per nm^3, r_max {arguments.r_max} nm, {BINS} bins, "
        f"{arguments.frames} frames, {arguments.repeat} repetitions; seconds per frame"
    )
    print(
        f"{'particles':>10} {'evaluated %':>12} {'tiles on':>10} {'tiles off':>10} "
        + " ".join(f"{peer:>10}" for peer in peers)
    )
    for particles in (int(word) for word in arguments.particles.split(",")):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            path = folder / "trajectory.h5"
            edge = (particles / DENSITY) ** (1 / 3)
            make_trajectory.write(path, arguments.frames, [particles], numpy.eye(3) * edge, seed=1)
            settings = ["on", "off"] if particles <= arguments.most_untiled else ["on"]
            seconds = {name: [] for name in settings + peers}
            for _ in range(arguments.repeat):
                for tiles in settings:
                    taken, summary = run(arguments.program, path, arguments.r_max, tiles, folder)
                    seconds[tiles].append(taken)
                    if tiles == "on":
                        share = 1 - summary["skipped_pairs"] / summary["pairs"]
                if "freud" in peers:
                    seconds["freud"].append(freud_seconds(path, arguments.r_max))
                if "gmx" in peers:
                    seconds["gmx"].append(gmx_seconds(path, arguments.r_max, folder))
            if len(settings) == 2 and any((a != b).any() for a, b in zip(counts(folder, "on"), counts(folder, "off"))):
                sys.exit(f"{particles} particles: the counts DIFFER")
            median = {name: statistics.median(values) for name, values in seconds.items()}
            print(
                f"{particles:10d} {100 * share:12.2f} "
                + " ".join(
                    f"{median[name]:10.4f}" if name in median else f"{'-':>10}" for name in ["on", "off"] + peers
                ),
                flush=True,
            )
    print("counts: equal with and without tiles")


if __name__ == "__main__":
    main()
