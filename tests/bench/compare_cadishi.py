#!/usr/bin/env python3
"""Kernel speed of starhist and of CADISHI on one core, in turns (A B A B ...).

usage: compare_cadishi.py BUILD_DIR [--particles N] [--bins N] [--rounds N] [--variant V]

Needs cadishi's compiled CPU kernel for this Python; compare_cadishi.sh builds it from
PyPI with AVX2 (the rival of starhist's avx2 variant). Both count all pairs of two species of
uniform random particles up to the farthest distance; CADISHI in single precision, uncertified, range
check off as its fastest setting allows (no distance is out of range here) and on, its default.
Prints medians over the rounds, 10^9 pairs per second and core.
"""

import argparse
import os
import statistics
import subprocess
import time

import numpy as np
from cadishi.kernel import pydh

BOXES = {  # name: (edges, r_max, box argument of CADISHI)
    "open": (np.eye(3), np.sqrt(3.0), []),
    "orthorhombic": (np.diag([1.0, 1.1, 1.2]), 0.5 * np.sqrt(1 + 1.21 + 1.44), None),
    "triclinic": (np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, np.sqrt(0.5)]]), np.sqrt(0.5), None),
}


def cadishi_rate(name, particles, bins, check):
    edges, r_max, box = BOXES[name]
    rng = np.random.default_rng(1)
    species = [rng.random((particles, 3)) @ edges for _ in range(2)]
    box = edges if box is None else box
    if name == "orthorhombic":
        box = np.array([edges[0, 0], edges[1, 1], edges[2, 2], 90.0, 90.0, 90.0])
    elif name == "triclinic":
        box = np.array([1.0, 1.0, 1.0, 60.0, 60.0, 90.0])
    start = time.perf_counter()
    counts = pydh.histograms(
        species, 1.001 * r_max, bins, precision="single", n_threads=1, check_input=check, box=box, do_histo2_only=True
    )
    seconds = time.perf_counter() - start
    # Uncertified: pairs may be in a neighbouring bin, but none may be missing.
    assert counts[:, 1:].sum() == particles**2, counts[:, 1:].sum()
    return 1e-9 * particles**2 / seconds


def starhist_rate(build, name, particles, bins, variant):
    output = subprocess.run(
        [
            os.path.join(build, "starhist"),
            "bench",
            "--particles",
            str(particles),
            "--bins",
            str(bins),
            "--boxes",
            name,
            "--variants",
            variant,
            "--repeat",
            "1",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return float(output.splitlines()[-1].split()[3])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--particles", type=int, default=16384)
    parser.add_argument("--bins", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--variant", default="avx2")
    options = parser.parse_args()
    print(
        f"{options.particles} x {options.particles} pairs, {options.bins} bins, one core, median of "
        f"{options.rounds} rounds (smallest .. largest), 10^9 pairs/s"
    )
    print(f"{'box':14}{'starhist ' + options.variant:>26}{'CADISHI, no check':>26}{'CADISHI':>26}   ratio to default")
    for name in BOXES:
        rates = {"starhist": [], "unchecked": [], "default": []}
        for _ in range(options.rounds):
            rates["starhist"].append(
                starhist_rate(options.build, name, options.particles, options.bins, options.variant)
            )
            rates["unchecked"].append(cadishi_rate(name, options.particles, options.bins, False))
            rates["default"].append(cadishi_rate(name, options.particles, options.bins, True))
        cells = [f"{statistics.median(r):.3f} ({min(r):.3f} .. {max(r):.3f})" for r in rates.values()]
        ratio = statistics.median(rates["starhist"]) / statistics.median(rates["default"])
        print(f"{name:14}" + "".join(f"{cell:>26}" for cell in cells) + f"   {ratio:.2f}")


if __name__ == "__main__":
    main()
