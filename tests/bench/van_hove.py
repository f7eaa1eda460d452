#!/usr/bin/env python3
"""Van Hove functions against NumPy, MDAnalysis and ripple-hpc: time in turns, with equal counts.

    van_hove.py build/starhist [--rounds 5] [--cases 500x40,1000x40] [--lags 0,2,4,6,8,10]

Counts a random walk in a periodic cube, distinct and self part for all origins, one thread each, in turns:
`starhist vanhove` (whole process, and its counting), a loop over origins and lags with NumPy (minimum image,
np.histogram, double precision), the same with MDAnalysis' distance_array() (single precision), and ripple-hpc's
vhf_distinct_cal() and vhf_self_cal() on its prepared cache (the preparation is timed separately). Rivals get their
positions in memory or in their cache; starhist reads its file. Counts of NumPy and ripple-hpc must equal starhist's;
for MDAnalysis the number of pairs in another bin is printed. Exit status 1 if they differ. Needs NumPy and h5py;
rivals that are not installed are left out: MDAnalysis, ripple-hpc with ase.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import h5py  # noqa: E402
import numpy as np  # noqa: E402

EDGE, R_MAX, BINS, STEP = 16.0, 8.0, 128, 0.125  # edges of bins are multiples of 1/16


def random_walk(particles, frames):
    """Continuous positions, float32 values."""
    random = np.random.default_rng(1)
    start = EDGE * random.random((1, particles, 3))
    steps = STEP * random.standard_normal((frames - 1, particles, 3))
    return np.concatenate([start, start + np.cumsum(steps, axis=0)]).astype("f4")


def write(path, walk):
    with h5py.File(path, "w") as file:
        file.create_group("h5md").attrs["version"] = np.array([1, 1], "i4")
        group = file.create_group("particles/all")
        box = group.create_group("box")
        box.attrs["dimension"] = 3
        box.attrs["boundary"] = np.array([b"periodic"] * 3)
        box["edges"] = np.full(3, EDGE)
        position = group.create_group("position")
        position["value"] = walk
        position["step"], position["time"] = np.arange(len(walk)), np.arange(len(walk), dtype="f8")


class Starhist:
    name = "starhist vanhove"

    def __init__(self, program, folder, walk, lags):
        self.words = [program, "vanhove", folder / "walk.h5", "-o", folder / "vh.h5", "-f", "-q", "--unwrapped"]
        self.words += ["--lags", ",".join(map(str, lags)), "--r-max", R_MAX, "--bins", BINS]
        self.words += ["--json", folder / "run.json"]
        self.program, self.folder, self.lags = program, folder, lags
        self.counting = []
        write(folder / "walk.h5", walk)

    def run(self):
        environment = dict(os.environ, STARPU_NCPU="1", STARPU_NCUDA="0")
        subprocess.run(list(map(str, self.words)), check=True, env=environment)
        self.counting.append(json.loads((self.folder / "run.json").read_text())["count_seconds"])

    def table(self, quantity):
        words = [self.program, "export", self.folder / "vh.h5", "--quantity", quantity, "--format", "json"]
        table = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
        return np.array([curve["value"] for curve in table["curves"]])

    def counts(self):
        """Distinct pairs and displacements, by lag. A pair at lag 0, counted once, has two orders as all others."""
        orders = np.where(np.array(self.lags) == 0, 2, 1)[:, None]
        return orders * self.table("counts"), self.table("self-counts")


class Loop:
    """A loop over origins and lags."""

    def __init__(self, walk, lags):
        self.walk, self.lags = walk, lags
        self.edges = np.linspace(0.0, R_MAX, BINS + 1)

    def run(self):
        self.distinct, self.own = np.zeros((2, len(self.lags), BINS), np.int64)
        apart = ~np.eye(self.walk.shape[1], dtype=bool)
        for k, lag in enumerate(self.lags):
            for first in range(len(self.walk) - lag):
                now, later = self.walk[first], self.walk[first + lag]
                self.distinct[k] += np.histogram(self.distances(now, later)[apart], self.edges)[0]
                moved = np.linalg.norm(later.astype("f8") - now, axis=-1)
                self.own[k] += np.histogram(moved, self.edges)[0]

    def counts(self):
        return self.distinct, self.own


class NumPy(Loop):
    name = f"NumPy {np.__version__}"

    def __init__(self, walk, lags):
        super().__init__(walk.astype("f8"), lags)

    def distances(self, now, later):
        step = later[None] - now[:, None]
        step -= EDGE * np.round(step / EDGE)
        return np.sqrt(np.einsum("ijk,ijk->ij", step, step))


class MDAnalysis(Loop):
    def __init__(self, walk, lags):
        import MDAnalysis as package
        from MDAnalysis.lib.distances import distance_array

        super().__init__(walk, lags)
        self.name, self.array = f"MDAnalysis {package.__version__}", distance_array
        self.box = np.array([EDGE] * 3 + [90.0] * 3, "f4")

    def distances(self, now, later):
        return self.array(now, later, box=self.box)


class Ripple:
    def __init__(self, walk, lags, folder):
        import ase
        import ripple

        stride = lags[1] - lags[0] if len(lags) > 1 else 1
        if list(lags) != list(range(0, lags[-1] + 1, stride)):
            raise ValueError("ripple-hpc has lags 0, k, 2k, ... only")
        self.name, self.package = f"ripple-hpc {ripple.__version__}", ripple
        start = time.perf_counter()
        frames = [ase.Atoms(f"Ar{walk.shape[1]}", positions=frame, cell=[EDGE] * 3, pbc=True) for frame in walk]
        self.prepared = ripple.memmap_create(frames, save_dir=str(folder / "ripple"), trajectory_tag="walk")
        self.preparation = time.perf_counter() - start
        self.settings = {"r_max": R_MAX, "dr": R_MAX / BINS, "n_workers": 1, "lag_max": lags[-1], "lag_stride": stride}

    def run(self):
        self.distinct = self.package.vhf_distinct_cal(self.prepared, "Ar", "Ar", **self.settings)
        self.own = self.package.vhf_self_cal(self.prepared, "Ar", **self.settings)

    def counts(self):
        """Returns the counts that its densities imply. Raises ValueError if they are not integers."""
        edges = np.linspace(0.0, R_MAX, BINS + 1)
        shells = 4.0 / 3.0 * np.pi * np.diff(edges**3)
        distinct = self.distinct.Gd * self.distinct.sum_fac_d[:, None] * shells
        own = self.own.Gs * (self.own.cnt_s[:, None] * self.particles) * shells
        for counts in (distinct, own):
            if np.abs(counts - np.round(counts)).max() > 1e-3:
                raise ValueError("the norm of ripple-hpc differs from the expected one")
        return np.round(distinct).astype(np.int64), np.round(own).astype(np.int64)


def rivals_of(walk, lags, folder):
    rivals = [NumPy(walk, lags)]
    for make in (lambda: MDAnalysis(walk, lags), lambda: Ripple(walk, lags, folder)):
        try:
            rivals.append(make())
        except ImportError as missing:
            print(f"  left out: {missing}")
    for rival in rivals:
        rival.particles = walk.shape[1]
    return rivals


def compare(program, particles, frames, lags, rounds):
    walk = random_walk(particles, frames)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        own = Starhist(program, folder, walk, lags)
        rivals = rivals_of(walk, lags, folder)
        seconds = {each: [] for each in (own, *rivals)}
        for each in seconds:
            each.run()  # warm-up: caches of files, and of ripple-hpc
        own.counting.clear()
        for _ in range(rounds):
            for each, times in seconds.items():
                start = time.perf_counter()
                each.run()
                times.append(time.perf_counter() - start)
        expected = own.counts()
        pairs = sum(map(int, expected[0].sum(axis=1)))
        print(
            f"{particles} particles, {frames} frames, {pairs} pairs in range, r_max {R_MAX} of edge {EDGE}, {BINS} bins"
        )
        print(f"  {own.name:24} {column(seconds[own])}, counting {column(own.counting)}")
        equal = True
        for rival in rivals:
            ratios = np.array(seconds[rival]) / np.array(seconds[own])
            others = [np.abs(a - b).sum() / 2 for a, b in zip(rival.counts(), expected)]
            exact = not isinstance(rival, MDAnalysis)
            equal = equal and (not exact or sum(others) == 0)
            preparation = f", preparation {rival.preparation:.2f} s" if isinstance(rival, Ripple) else ""
            print(
                f"  {rival.name:24} {column(seconds[rival])}, {np.median(ratios):.1f} times starhist's "
                f"({ratios.min():.1f} to {ratios.max():.1f}); in another bin: {others[0]:g} pairs, {others[1]:g} "
                f"displacements{preparation}",
                flush=True,
            )
    return equal


def column(seconds):
    return f"{np.median(seconds):.3f} s ({min(seconds):.3f} to {max(seconds):.3f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", help="starhist")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases", default="500x40,1000x40", help="particles x frames")
    parser.add_argument("--lags", default="0,2,4,6,8,10")
    options = parser.parse_args()
    lags = [int(lag) for lag in options.lags.split(",")]
    print(f"lags {options.lags}, one thread each, {options.rounds} rounds in turns, load {os.getloadavg()[0]:.1f}")
    cases = [map(int, case.split("x")) for case in options.cases.split(",")]
    equal = [compare(options.program, *case, lags, options.rounds) for case in cases]
    sys.exit(0 if all(equal) else 1)


if __name__ == "__main__":
    main()
