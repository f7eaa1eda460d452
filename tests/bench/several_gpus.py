#!/usr/bin/env python3
"""Times `starhist rdf` on 1, 2, 4, ... GPUs of one host: one process, several ranks, plain and compressed input.

    several_gpus.py --program build/starhist --gpus 8 [--cases large,frame] [--json FILE]

All trajectories are written first. Each round then runs all configurations in turns. For each: the median time from
StarPU's readiness to the last counts, its range, the start-up time, and the efficiency (the time of one GPU over N times
the time of N GPUs, of the same case on the same host). Workers are GPUs only (STARPU_NCPU=0) unless --cpus is given.
The counts of all configurations of a case are compared; a difference ends the program with status 1.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_trajectory
from whole_runs import CUBE, OCTAHEDRON, UNEQUAL

# name: (trajectory, frames counted (0: all), r_max, bins, block, unlike pairs only)
CASES = {
    "large, 3000 frames": ("large", 0, 5.1, 10000, 20, False),
    "large, 400 frames": ("large", 400, 5.1, 10000, 20, False),
    "common, 4000 frames": ("common", 0, 5.1, 10000, 100, False),
    "common, compressed": ("common gzip", 0, 5.1, 10000, 100, False),
    "large, compressed": ("large gzip", 0, 5.1, 10000, 20, False),
    "octahedron": ("octahedron", 0, 4.0, 10000, 20, False),
    "nine species": ("nine", 0, 17.3, 8000, 4, True),
    "small, 40000 frames": ("small", 0, 3.0, 1000, 1000, False),
    "one frame, 4e6": ("4e6", 0, 2.9, 10000, 1, False),
    "one frame, 1e6": ("1e6", 0, 5.1, 10000, 1, False),
}
# name: (frames, species, box, level of gzip)
TRAJECTORIES = {
    "large": (3000, [60000, 40000], CUBE, None),
    "large gzip": (400, [60000, 40000], CUBE, 1),
    "common": (4000, [7000, 7000, 6000], CUBE, None),
    "common gzip": (4000, [7000, 7000, 6000], CUBE, 1),
    "octahedron": (800, [7000, 7000, 6000], OCTAHEDRON, None),
    "nine": (40, UNEQUAL, None, None),
    "small": (40000, [1000], CUBE, None),
    "4e6": (1, [4000000], CUBE, None),
    "1e6": (1, [1000000], CUBE, None),
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/starhist")
    parser.add_argument("--gpus", type=int, default=8, help="GPUs of the host")
    parser.add_argument("--cases", default="", help="only cases whose name has one of these words")
    parser.add_argument("--cpus", action="store_true", help="CPU workers too, as many as starhist chooses")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=480, help="start no further round after this time")
    parser.add_argument("--mpirun", default="mpirun --allow-run-as-root --bind-to none")
    parser.add_argument("--folder", help="for the trajectories (default: temporary)")
    parser.add_argument("--json", help="write all runs to this file")
    return parser.parse_args()


def configurations(gpus):
    """(name, ranks, GPUs of each rank); 0 ranks: one process without MPI."""
    single = [1 << k for k in range(gpus.bit_length()) if 1 << k <= gpus]
    several = [(2, gpus // 2), (gpus, 1)] if gpus > 2 else [(gpus, 1)] if gpus == 2 else []
    return [(f"1 x {n}", 0, n) for n in single] + [(f"{r} ranks x {n}", r, n) for r, n in several]


def write(path, trajectory):
    frames, species, box, level = trajectory
    make_trajectory.write(path, frames, species, box, seed=1, gzip=level)


def run(arguments, path, case, configuration, folder):
    _, frames, r_max, bins, block, unlike = case
    _, ranks, gpus = configuration
    output = folder / "out.h5"
    program = str(pathlib.Path(arguments.program).resolve())
    command = [program]
    if ranks:
        command = [*arguments.mpirun.split(), "-n", str(ranks), program + "-mpi"]
    command += [
        "rdf",
        str(path),
        "-o",
        str(output),
        "--force",
        "--quiet",
        "--r-max",
        str(r_max),
        "--bins",
        str(bins),
        "--block",
        str(block),
        "--json",
        str(folder / "run.json"),
    ]
    if frames:
        command += ["--last", str(frames - 1)]
    if unlike:
        names = range(len(TRAJECTORIES[case[0]][1]))
        command += ["--pairs", ",".join(f"{a}-{b}" for a in names for b in names if a < b)]
    environment = dict(os.environ)
    visible = gpus * max(ranks, 1)
    environment["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, range(visible)))
    if not arguments.cpus:
        environment["STARPU_NCPU"] = "0"
    begin = time.monotonic()
    subprocess.run(command, check=True, env=environment)
    wall = time.monotonic() - begin
    with h5py.File(output) as file:
        histogram = file["observables/pair_distance_histogram"]
        counts = (histogram["value"][:].sum(axis=0), histogram["overflow"][:].sum(axis=0))
    return {**json.loads((folder / "run.json").read_text()), "wall_seconds": wall}, counts


def show(name, configuration, runs, single):
    label, ranks, gpus = configuration
    seconds = [each["count_seconds"] for each in runs]
    median = statistics.median(seconds)
    count = gpus * max(ranks, 1)
    start = statistics.median(each["start_seconds"] for each in runs)
    wall = statistics.median(each["wall_seconds"] for each in runs)
    print(
        f"{name:20} {label:12} {len(runs):4} {median:8.3f} {min(seconds):8.3f} {max(seconds):8.3f} "
        f"{runs[0]['pairs'] / median / 1e9:9.1f} {runs[0]['frames'] / median:10.1f} {single / (count * median):6.3f} "
        f"{start:7.3f} {wall:7.3f}",
        flush=True,
    )
    return median


def main():
    arguments = parse_arguments()
    end = time.monotonic() + arguments.seconds
    words = [word for word in arguments.cases.split(",") if word]
    cases = {name: case for name, case in CASES.items() if not words or any(word in name for word in words)}
    records = []
    print(
        f"several_gpus.py: {arguments.program}, {arguments.gpus} GPUs, CPU workers: {'yes' if arguments.cpus else 'no'}, "
        f"up to {arguments.repeat} rounds, {arguments.mpirun}"
    )
    print(
        "case                 GPUs         runs  seconds      min      max  1e9 p/s   frames/s  effic.   start    wall"
    )
    with tempfile.TemporaryDirectory(dir=arguments.folder) as temporary:
        folder = pathlib.Path(temporary)
        paths = {name: folder / f"{name.replace(' ', '-')}.h5" for name in {case[0] for case in cases.values()}}
        with multiprocessing.Pool(len(paths)) as pool:
            pool.starmap(write, [(path, TRAJECTORIES[name]) for name, path in paths.items()])
        results = {(name, each): [] for name in cases for each in configurations(arguments.gpus)}
        expected = {}
        for _ in range(arguments.repeat):
            for name, case in cases.items():
                if time.monotonic() > end:
                    break
                for each in configurations(arguments.gpus):
                    summary, counts = run(arguments, paths[case[0]], case, each, folder)
                    results[name, each].append(summary)
                    records.append({"case": name, "configuration": each[0], **summary})
                    if any((a != b).any() for a, b in zip(counts, expected.setdefault(name, counts))):
                        sys.exit(f"{name}, {each[0]}: the counts DIFFER")
            if arguments.json:
                pathlib.Path(arguments.json).write_text(json.dumps(records))
    for name in cases:
        single = None
        for each in configurations(arguments.gpus):
            runs = results[name, each]
            if runs:
                single = single or statistics.median(run["count_seconds"] for run in runs)
                show(name, each, runs, single)
    print("counts: equal in all runs of each case")


if __name__ == "__main__":
    main()
