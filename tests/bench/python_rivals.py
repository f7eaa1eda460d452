#!/usr/bin/env python3
"""Counts and times of the module starhist beside other packages of Python, on the same arrays.

    PYTHONPATH=build/python VENV/bin/python tests/bench/python_rivals.py [--particles 1000,10000,100000]
        [--repeat 3] [--threads 2] [--bins 200] [--seconds 60] [--most-pairs 5e8] [--only rivals|frames|start]

rivals: uniformly random particles, 100 in a cubic nanometre, alike, in a periodic cube; all pairs to 1 nm
    and to just below half the box. The numbers are those of float32 for all packages, so that none rounds
    its input. Packages that are not installed are left out: MDAnalysis, freud-analysis, mdtraj, ase,
    ripple-hpc. What is timed is the call that makes counts or g(r) of arrays in memory, of starhist rdf()
    with g and errors. What a package needs before (a Universe, lists of pairs, Atoms, a memory-mapped
    copy) is not in it. Others than starhist are left out where their arrays of pairs would not fit, or
    beyond --most-pairs in range, which take minutes. A call of more than --seconds is made once.
    The time of cores, of all threads, tells more than the time where other programs run beside.
    Counts are of unordered pairs, from each package's own, or from its g(r) by its norm. `moved` is the
    sum over all edges of bins of the difference of the pairs below it: pairs that are in the bin beside.
frames: Counter.add of frames of 1000 particles and result(), StarPU running, beside `starhist rdf` of a file
    of the same frames, as the time that it prints, from the opening of the file to the result. The
    ratio is the median of the ratios of neighbouring runs. The time of cores of the program is of the
    whole process.
start: the first call in a process, which starts StarPU, less the same call again.

Calls of all packages alternate, A B C A B C. Times are medians and, in brackets, least and most. The
load of the machine is printed before and after.
"""

import argparse
import importlib.metadata
import importlib.util
import os
import pathlib
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

import starhist
from starhist import program

DENSITY = 100.0  # particles in a cubic nanometre, as the atoms of water
MOST_PAIRS = {"MDAnalysis": 1e8, "mdtraj": 5e7, "ase": 5e6}  # whose arrays fit into some GB


class System:
    """Frames of random particles in a cube, of numbers that float32 has."""

    def __init__(self, particles, frames, r_max, bins, threads, folder):
        self.edge = float(np.float32((particles / DENSITY) ** (1 / 3)))
        self.r_max = r_max if r_max else float(np.float32(0.499 * self.edge))
        random = np.random.default_rng(particles)
        self.positions = (random.random((frames, particles, 3)) * self.edge).astype(np.float32)
        self.bins, self.threads, self.folder = bins, threads, folder
        self.particles, self.frames = particles, frames
        self.edges = np.linspace(0, self.r_max, bins + 1)
        self.shells = 4 / 3 * np.pi * np.diff(self.edges**3)

    def pairs_in_range(self):
        return self.particles**2 / 2 * self.frames * min(1.0, 4 / 3 * np.pi * (self.r_max / self.edge) ** 3)


# Each returns a function without arguments, which is timed, and one that makes counts of its result.


def of_starhist(system):
    def call():
        return starhist.rdf(system.positions, box=[system.edge] * 3, r_max=system.r_max, bins=system.bins)

    return call, lambda result: result.counts[0]


def of_mdanalysis(system):
    import MDAnalysis
    from MDAnalysis.analysis.rdf import InterRDF

    universe = MDAnalysis.Universe.empty(system.particles, trajectory=True)
    universe.load_new(system.positions, dimensions=np.array([[system.edge] * 3 + [90] * 3] * system.frames))
    settings = {"nbins": system.bins, "range": (0.0, system.r_max), "exclusion_block": (1, 1)}
    return lambda: InterRDF(universe.atoms, universe.atoms, **settings).run(), lambda rdf: rdf.results.count / 2


def of_freud(system):
    import freud

    freud.parallel.set_num_threads(system.threads)
    box = freud.box.Box.cube(system.edge)
    points = [box.wrap(frame) for frame in system.positions]

    def call():
        rdf = freud.density.RDF(bins=system.bins, r_max=system.r_max)
        for frame in points:
            rdf.compute((box, frame), reset=False)
        return rdf.bin_counts, rdf.rdf

    return call, lambda result: result[0] / 2


def of_mdtraj(system):
    import mdtraj

    trajectory = mdtraj.Trajectory(system.positions, None)
    trajectory.unitcell_vectors = np.array([np.eye(3) * system.edge] * system.frames, dtype=np.float32)
    pairs = np.stack(np.triu_indices(system.particles, 1), axis=1)
    # Its shells are of the edges that NumPy makes of float32 distances.
    edges = np.histogram(np.zeros(1, "f4"), range=np.array([0.0, system.r_max]), bins=system.bins)[1]
    shells = 4 / 3 * np.pi * np.diff(np.power(edges, 3))

    def call():
        return mdtraj.compute_rdf(trajectory, pairs, r_range=(0.0, system.r_max), n_bins=system.bins)[1]

    norm = len(pairs) * np.sum(1.0 / trajectory.unitcell_volumes) * shells
    return call, lambda g: g * norm


def of_ase(system):
    from ase import Atoms
    from ase.geometry.rdf import get_rdf

    images = [
        Atoms("H" * system.particles, positions=frame, cell=[system.edge] * 3, pbc=True)
        for frame in system.positions.astype(float)
    ]
    norm = system.frames * system.particles**2 / (2 * images[0].cell.volume) * system.shells
    return lambda: get_rdf(images, system.r_max, system.bins, no_dists=True), lambda g: g * norm


def of_ripple(system):
    import ripple
    from ase import Atoms

    images = [
        Atoms("H" * system.particles, positions=frame, cell=[system.edge] * 3, pbc=True)
        for frame in system.positions.astype(float)
    ]
    tag = f"{system.particles}-{system.r_max:.6f}"
    prepared = ripple.memmap_create(images, str(system.folder), tag, pos_dtype="float64")
    norm = system.frames * system.particles * (system.particles - 1) / (2 * system.edge**3) * system.shells

    def call():
        return ripple.rdf_cal(
            prepared, "H", "H", r_max=system.r_max, dr=system.r_max / system.bins, n_workers=system.threads
        )

    return call, lambda result: np.asarray(result.rdf)[: system.bins] * norm


PACKAGES = {
    "starhist": ("starhist", of_starhist),
    "MDAnalysis": ("MDAnalysis", of_mdanalysis),
    "freud": ("freud-analysis", of_freud),
    "mdtraj": ("mdtraj", of_mdtraj),
    "ase": ("ase", of_ase),
    "ripple": ("ripple-hpc", of_ripple),
}


def timed(call):
    """Seconds, seconds of cores, result."""
    begin, of_cores = time.perf_counter(), time.process_time()
    result = call()
    return time.perf_counter() - begin, time.process_time() - of_cores, result


def of_times(times):
    if len(times) == 1:
        return f"{times[0]:.3g} (once)"
    return f"{statistics.median(times):.3g} ({min(times):.3g} to {max(times):.3g})"


def compared(counts, expected):
    """What is to be said of a package's counts."""
    rounded = np.rint(2 * counts) / 2  # counts of ordered pairs may be odd
    if not np.allclose(counts, rounded, atol=0.1):
        return f"g(r) is none of whole counts, by up to {np.abs(counts - rounded).max():.2g}"
    moved = np.abs(np.cumsum(rounded - expected.astype(float))).sum()
    bins = np.count_nonzero(rounded != expected)
    return "equal" if bins == 0 else f"{moved:g} moved, {bins} bins differ"


def compare_rivals(system, repeat, seconds, most_pairs):
    """Rows of the table: package, times, times of cores, their ratio, counts."""
    calls, notes = {}, {}
    wanted = [name for name in PACKAGES if name == "starhist" or importlib.util.find_spec(name)]
    all_pairs = system.frames * system.particles * (system.particles - 1) / 2
    for name in wanted:
        pairs = all_pairs if name == "mdtraj" else system.pairs_in_range()
        if pairs > MOST_PAIRS.get(name, np.inf):
            notes[name] = f"left out: {pairs:.1e} pairs in arrays"
            continue
        if name != "starhist" and system.pairs_in_range() > most_pairs:
            notes[name] = f"left out: {system.pairs_in_range():.1e} pairs"
            continue
        try:
            calls[name] = PACKAGES[name][1](system)
        except Exception as error:  # of another package: any
            notes[name] = f"left out: {type(error).__name__}: {error}"
    times, of_cores, results = {name: [] for name in calls}, {name: [] for name in calls}, {}
    for _ in range(repeat):
        for name, (call, _) in calls.items():
            if name in notes or (times[name] and times[name][0] > seconds):
                continue
            try:
                took, cores, results[name] = timed(call)
                times[name].append(took)
                of_cores[name].append(cores)
            except Exception as error:
                notes[name] = f"failed: {type(error).__name__}: {error}"
    expected = calls["starhist"][1](results["starhist"])
    own = statistics.median(of_cores["starhist"])
    for name in wanted:
        if name in notes:
            yield name, "", "", "", notes[name]
        else:
            yield (
                name,
                of_times(times[name]),
                of_times(of_cores[name]),
                f"{statistics.median(of_cores[name]) / own:.3g}",
                compared(np.asarray(calls[name][1](results[name]), float), expected),
            )


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def rivals(options, folder):
    for particles in options.particles:
        for r_max in (1.0, None):
            frames = max(1, min(20, 20_000 // particles))
            system = System(particles, frames, r_max, options.bins, options.threads, folder)
            print(
                f"\n{particles} particles, {frames} frames, edge {system.edge:.6g} nm, r_max {system.r_max:.6g} nm, "
                f"{options.bins} bins, {system.pairs_in_range():.3g} pairs in range, load {os.getloadavg()[0]:.1f}"
            )
            print_row("package", "time [s]", "time of cores [s]", "time of cores / starhist's", "counts")
            print_row(*["---"] * 5)
            for row in compare_rivals(system, options.repeat, options.seconds, options.most_pairs):
                print_row(*row)


def program_seconds(path, system, folder, threads):
    """Seconds, seconds of cores of the whole process, result."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [program.path(), "rdf", path, "-o", folder / "frames-result.h5", "--force", "--r-max", repr(system.r_max),
         "--bins", str(system.bins)],
        env={**os.environ, "STARPU_NCPU": str(threads), "STARPU_NCUDA": "0"}, capture_output=True, text=True, check=True)  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cores = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    seconds = float(re.search(r"^([\d.]+) s, ", done.stdout + done.stderr, re.MULTILINE).group(1))
    return seconds, cores, starhist.load(folder / "frames-result.h5")


def frames_per_second(options, folder):
    import h5py

    print()
    print_row(
        "frames of 1000 particles",
        "Counter [frames/s]",
        "starhist rdf [frames/s]",
        "ratio",
        "cores, Counter [ms/frame]",
        "cores, starhist rdf [ms/frame]",
        "counts",
    )
    print_row(*["---"] * 7)
    for frames in (100, 1000, 5000):
        system = System(1000, frames, 1.0, options.bins, options.threads, folder)
        path = folder / f"frames-{frames}.h5"
        with h5py.File(path, "w") as file:
            file.create_group("h5md").attrs["version"] = [1, 1]
            box = file.create_group("particles/all/box")
            box.attrs["dimension"], box.attrs["boundary"] = 3, np.array([b"periodic"] * 3)
            box["edges"] = np.eye(3) * system.edge
            position = file.create_group("particles/all/position")
            position["value"] = system.positions
            position["step"] = np.arange(frames)

        def count(system=system):
            counter = starhist.Counter(r_max=system.r_max, bins=system.bins)
            for frame in system.positions:
                counter.add(frame, [system.edge] * 3)
            return counter.result()

        ours, theirs, our_cores, their_cores = [], [], [], []
        for _ in range(max(options.repeat, 9)):
            took, cores, result = timed(count)
            ours.append(frames / took)
            our_cores.append(1e3 * cores / frames)
            took, cores, by_program = program_seconds(path, system, folder, options.threads)
            theirs.append(frames / max(took, 0.005))
            their_cores.append(1e3 * cores / frames)
        ratio = statistics.median(one / other for one, other in zip(ours, theirs))
        print_row(
            frames,
            of_times(ours),
            of_times(theirs),
            f"{ratio:.2f}",
            of_times(our_cores),
            of_times(their_cores),
            "equal" if (result.counts == by_program.counts).all() else "DIFFERENT",
        )


START = """
import time
begin = time.perf_counter()
import starhist
imported = time.perf_counter()
first = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]]
starhist.rdf(first, box=[1, 1, 1], r_max=0.4, bins=10)
once = time.perf_counter()
starhist.rdf(first, box=[1, 1, 1], r_max=0.4, bins=10)
print(imported - begin, (once - imported) - (time.perf_counter() - once))
"""


def start(options):
    times = []
    for _ in range(max(options.repeat, 7)):
        done = subprocess.run([sys.executable, "-c", START], env={**os.environ, "STARPU_NCPU": str(options.threads)},
                              capture_output=True, text=True, check=True)  # fmt: skip
        times.append([float(word) for word in done.stdout.split()])
    imports, firsts = zip(*times)
    print(f"\nimport starhist, with NumPy: {of_times(imports)} s. First call, StarPU's start: {of_times(firsts)} s.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--particles", default="1000,10000,100000", type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bins", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--most-pairs", type=float, default=5e8)
    parser.add_argument("--only", choices=["rivals", "frames", "start"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    versions = [
        f"{name} {importlib.metadata.version(package)}"
        for name, (package, _) in PACKAGES.items()
        if name != "starhist" and importlib.util.find_spec(name)
    ]
    print(
        f"starhist {starhist.__version__}, {', '.join(versions)}, NumPy {np.__version__}, Python {platform.python_version()}"
    )
    print(f"{vars(options)}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d %H:%M %Z')}, load {os.getloadavg()}")
    starhist.start(workers=options.threads, gpus=0)
    with tempfile.TemporaryDirectory(prefix="starhist-rivals-") as name:
        folder = pathlib.Path(name)
        if options.only in (None, "start"):
            start(options)
        if options.only in (None, "frames"):
            frames_per_second(options, folder)
        if options.only in (None, "rivals"):
            rivals(options, folder)
    print(f"\n{time.strftime('%H:%M %Z')}, load {os.getloadavg()}")


if __name__ == "__main__":
    main()
