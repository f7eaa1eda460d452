#!/usr/bin/env python3
"""Stands in for starhist where its machine should be another one: a node with GPUs.

Understands what compare_schedulers.py asks of `starhist rdf` and answers with made-up, always
equal numbers: result, summary and trace. STARPU_NCPU (default 19) and STARPU_NCUDA (default 1)
workers; the scheduler decides how even their shares are.
"""

import argparse
import csv
import heapq
import json
import os
import random
import sys

import h5py
import numpy as np

HISTOGRAM = "observables/pair_distance_histogram"
SECONDS = {"H-O": 0.020, "H-H": 0.020, "O-O": 0.005}  # of a task on a CPU; GPUs take a tenth
PAIRS = 20_000_000


def options(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["rdf"])
    parser.add_argument("trajectory", nargs="+")
    for name in ("--output", "--r-max", "--bins", "--json", "--trace"):
        parser.add_argument(name, *(["-o"] if name == "--output" else []))
    parser.add_argument("-q", "--quiet", action="store_true")
    return parser.parse_args(arguments)


def schedule(workers, scheduler, frames=200):
    """Tasks as the trace has them: list scheduling, or (random) blindly."""
    rng = random.Random(scheduler + str(len(workers)) + os.environ.get("FAKE_SEED", ""))
    tasks = [name for _ in range(frames) for name in SECONDS]
    tasks.sort(key=SECONDS.get, reverse=scheduler == "dmdas")
    free = [(0.0, k) for k in range(len(workers))]
    for name in tasks:
        start, k = heapq.heappop(free) if scheduler != "random" else free.pop(rng.randrange(len(free)))
        took = SECONDS[name] * (0.1 if workers[k].startswith("CUDA") else 1) * rng.uniform(1, 1.1)
        yield name, workers[k], start, start + took
        heapq.heappush(free, (start + took, k)) if scheduler != "random" else free.append((start + took, k))


def main():
    if sys.argv[1:] == ["--version"]:
        return print("starhist 0 (fake)\nGROMACS formats: libgromacs 0")
    given = options(sys.argv[1:])
    scheduler = os.environ["STARPU_SCHED"]
    workers = [f"CPU {k}" for k in range(int(os.environ.get("STARPU_NCPU", 19)))]
    workers += [f"CUDA {k}.0 (Some GPU, 80.0 GiB 01:0{k}.0)" for k in range(int(os.environ.get("STARPU_NCUDA", 1)))]
    tasks = list(schedule(workers, scheduler))
    with h5py.File(given.output, "w") as file:
        counts = np.arange(2 * 3 * int(given.bins), dtype=np.uint64).reshape(2, 3, -1)
        if scheduler == os.environ.get("FAKE_WRONG_BIN"):
            counts[1, 2, 0] += 1
        file[f"{HISTOGRAM}/value"] = counts
        file[f"{HISTOGRAM}/overflow"] = np.full((2, 3), scheduler == os.environ.get("FAKE_WRONG_OVERFLOW"), np.uint64)
    seconds = max(end for *_, end in tasks)
    summary = {
        "program": "starhist",
        "version": "0",
        "frames": 200,
        "blocks": 2,
        "pairs": len(tasks) * PAIRS,
        "seconds": seconds + 1,
        "count_seconds": seconds,
        "scheduler": scheduler,
        "cpu_variant": "avx512",
        "bytes_moved": 123 * 2**20,
        "prediction": {
            "tasks": len(tasks),
            "mean_relative_error": -0.01,
            "mean_absolute_relative_error": 0.034,
            "absolute_error_of_time": 0.021,
        },
        "workers": [
            {
                "name": name,
                "kind": name.split()[0].lower(),
                "device": "Some GPU" if name.startswith("CUDA") else "",
                "tasks": sum(w == name for _, w, *_ in tasks),
                "pairs": PAIRS * sum(w == name for _, w, *_ in tasks),
                "busy_seconds": sum(end - start for _, w, start, end in tasks if w == name),
            }
            for name in workers
        ],
    }
    with open(given.json, "w", encoding="utf-8") as file:
        json.dump(summary, file)
    if given.trace:
        with open(given.trace, "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow("task,worker,kind,pairs,frames,start,end,predicted".split(","))
            table.writerows(
                [name, worker, worker.split()[0].lower(), PAIRS, 1, start, end, ""]
                for name, worker, start, end in tasks
            )
    return None


if __name__ == "__main__":
    sys.exit(main())
