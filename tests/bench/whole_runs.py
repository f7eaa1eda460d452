#!/usr/bin/env python3
"""Speed of whole `starhist rdf` runs on GPU, CPU and both: reading, transfers, reduction included.

    whole_runs.py --program build/starhist [--cases many,cadishi,small,giant] [--tiles auto,off]

For each case and set of workers: the median over the repetitions (in turn: A B C A B C) of
the time from StarPU's readiness to the last counts, 10^9 pairs/s, frames/s, busy shares, and
the time before (`start`, in which the first frames are read, up to 128 MiB). The
counts of all sets of workers are compared; a difference ends the program with status 1.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import numpy

import make_trajectory

CUBE = numpy.eye(3) * 6.0
OCTAHEDRON = 6.0 * numpy.array([[1, 0, 0], [1 / 3, 2 * 2**0.5 / 3, 0], [-1 / 3, 2**0.5 / 3, 6**0.5 / 3]])
UNEQUAL = [180000, 60000, 20000, 10000, 6000, 2500, 1200, 250, 50]

# name: (frames, species, box, r_max, bins, unlike pairs only)
CASES = {
    "many open": (2000, [7000, 7000, 6000], None, 17.3, 10000, False),
    "many cubic": (2000, [7000, 7000, 6000], CUBE, 5.1, 10000, False),
    "many triclinic": (400, [7000, 7000, 6000], OCTAHEDRON, 4.0, 10000, False),
    "cadishi open": (40, UNEQUAL, None, 17.3, 8000, True),
    "small cubic": (40000, [1000], CUBE, 3.0, 1000, False),
    "large cubic": (200, [60000, 40000], CUBE, 5.1, 10000, False),
    "giant open": (1, [1000000], None, 17.3, 10000, False),
    "giant cubic": (1, [1000000], CUBE, 5.1, 10000, False),
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/starhist")
    parser.add_argument("--cases", default="", help="only cases whose name has one of these words")
    parser.add_argument(
        "--workers",
        default="NCPU=0;NCUDA=0;both",
        help="sets of workers: STARPU_ settings with commas, sets with semicolons",
    )
    parser.add_argument("--tiles", default="auto", help="auto, on, off, or several with commas")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument(
        "--longer", type=float, default=1, help="factor of the number of frames, where there are several"
    )
    parser.add_argument("--folder", help="for the trajectories (default: temporary)")
    parser.add_argument("--json", help="write all summaries to this file")
    return parser.parse_args()


def run(program, path, case, workers, tiles, folder):
    _, species, _, r_max, bins, unlike = case
    output = folder / "out.h5"
    command = [
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
        str(bins),
        "--json",
        str(folder / "run.json"),
        "--tiles",
        tiles,
    ]
    if unlike:
        names = [str(k) for k in range(len(species))]
        command += ["--pairs", ",".join(f"{a}-{b}" for a in names for b in names if a < b)]
    environment = dict(os.environ)
    if workers != "both":
        environment.update("STARPU_{}={}".format(*item.split("=")).split("=") for item in workers.split(","))
    subprocess.run(command, check=True, env=environment)
    with h5py.File(output) as file:
        histogram = file["observables/pair_distance_histogram"]
        counts = (histogram["value"][:].sum(axis=0), histogram["overflow"][:].sum(axis=0))
    return json.loads((folder / "run.json").read_text()), counts


def show(name, each, runs):
    workers, tiles = each
    seconds = [each["count_seconds"] for each in runs]
    middle = sorted(runs, key=lambda each: each["count_seconds"])[len(runs) // 2]
    median = statistics.median(seconds)
    busy = {
        kind: [worker["busy_seconds"] / middle["seconds"] for worker in middle["workers"] if worker["kind"] == kind]
        for kind in ("cuda", "cpu")
    }
    share = sum(worker["pairs"] for worker in middle["workers"] if worker["kind"] == "cpu")
    print(
        f"{name:16} {workers:10} {tiles:5} {median:8.3f} {min(seconds):8.3f} {max(seconds):8.3f} "
        f"{middle['pairs'] / median / 1e9:9.1f} {middle['frames'] / median:9.1f} "
        + " ".join(f"{100 * statistics.mean(busy[kind]) if busy[kind] else 0:6.1f}" for kind in ("cuda", "cpu"))
        + f" {100 * share / middle['pairs']:6.2f}"
        + f" {100 * middle['prediction']['absolute_error_of_time']:6.1f}"
        + f" {middle['bytes_moved'] / 1e9:7.2f} {middle['start_seconds']:7.3f}",
        flush=True,
    )


def main():
    arguments = parse_arguments()
    words = [word for word in arguments.cases.split(",") if word]
    sets = [(workers, tiles) for workers in arguments.workers.split(";") for tiles in arguments.tiles.split(",")]
    records = []
    print(
        "case             workers    tiles  seconds      min      max  1e9 p/s  frames/s  "
        "GPU%   CPU%  CPU-p%  pred%     GB   start"
    )
    with tempfile.TemporaryDirectory(dir=arguments.folder) as temporary:
        folder = pathlib.Path(temporary)
        for name, case in CASES.items():
            if words and not any(word in name for word in words):
                continue
            if case[0] > 1:
                case = (max(1, round(arguments.longer * case[0])), *case[1:])
            path = folder / "trajectory.h5"
            make_trajectory.write(path, case[0], case[1], case[2], seed=1)
            results = {each: [] for each in sets}
            expected = None
            for _ in range(arguments.repeat):
                for each in sets:
                    summary, counts = run(arguments.program, path, case, *each, folder)
                    results[each].append(summary)
                    records.append({"case": name, "set": each[0], "tiles": each[1], **summary})
                    expected = expected or counts
                    if any((a != b).any() for a, b in zip(counts, expected)):
                        sys.exit(f"{name}, {each}: the counts DIFFER")
            for each in sets:
                show(name, each, results[each])
            path.unlink()
    print("counts: equal in all runs of each case")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(records, indent=1))


if __name__ == "__main__":
    main()
