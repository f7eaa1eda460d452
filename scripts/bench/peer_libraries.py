#!/usr/bin/env python3
"""g(r) of one pair by a Python library; run by compare_peers.py with an interpreter that has the library.

    peer_libraries.py LIBRARY --version
    peer_libraries.py LIBRARY IN.npz OUT.npz

IN: a [frames, N, 3] and, for two species, b; cells [frames, 3, 3]; r_max, bins, threads. OUT: counts of
unordered pairs per bin (freud: by frame too), g, and the cells as the library understands them. Prints the
seconds of the library's own call; importing, reading and handing over of arrays are not in it.
"""

import importlib
import json
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")


def mdanalysis(given, like):
    import MDAnalysis
    from MDAnalysis.analysis.rdf import InterRDF
    from MDAnalysis.lib.mdamath import triclinic_box, triclinic_vectors

    x = given["a"] if like else np.concatenate([given["a"], given["b"]], axis=1)
    boxes = np.array([triclinic_box(*cell) for cell in given["cells"]], dtype="f4")
    universe = MDAnalysis.Universe.empty(x.shape[1], trajectory=True)
    universe.load_new(x.astype("f4"), dimensions=boxes)
    n = given["a"].shape[1]
    first = universe.atoms[:n]
    rdf = InterRDF(
        first,
        first if like else universe.atoms[n:],
        nbins=int(given["bins"]),
        range=(0.0, float(given["r_max"])),
        exclusion_block=(1, 1) if like else None,
    )
    start = time.perf_counter()
    rdf.run()
    seconds = time.perf_counter() - start
    return (
        seconds,
        rdf.results.count / (2 if like else 1),
        rdf.results.rdf,
        np.array([triclinic_vectors(box) for box in boxes]),
    )


def shell_ratio(cubes, r_max):
    """Returns the factors that correct g(r) of a library whose shell volumes come from `cubes` of its edges, in float32.

    That is a matter of definition, not of counting: with r / width float32 roundings in the thickness
    of a shell, g differs by some 1e-5 at 200 bins.
    """
    exact = np.linspace(0.0, r_max, len(cubes)) ** 3
    return np.diff(cubes).astype(float) / np.diff(exact)


def mdtraj(given, like):
    import mdtraj as md

    x = given["a"] if like else np.concatenate([given["a"], given["b"]], axis=1)
    trajectory = md.Trajectory(x.astype("f4"), None)
    trajectory.unitcell_vectors = given["cells"].astype("f4")
    n, total = given["a"].shape[1], x.shape[1]
    pairs = (
        np.stack(np.triu_indices(n, 1), axis=1)
        if like
        else np.stack(np.meshgrid(np.arange(n), np.arange(n, total), indexing="ij"), axis=-1).reshape(-1, 2)
    )
    r_max, bins = float(given["r_max"]), int(given["bins"])
    start = time.perf_counter()
    _, g = md.compute_rdf(trajectory, pairs, r_range=(0.0, r_max), n_bins=bins)
    seconds = time.perf_counter() - start
    # NumPy makes float32 edges of float32 distances, and mdtraj shells of those.
    edges = np.histogram(np.zeros(1, dtype="f4"), range=np.array([0.0, r_max]), bins=bins)[1]
    cubes = np.power(edges, 3)
    counts = g * (len(pairs) * np.sum(1.0 / trajectory.unitcell_volumes) * (4 / 3 * np.pi * np.diff(cubes)))
    return seconds, counts, g * shell_ratio(cubes, r_max), trajectory.unitcell_vectors


def freud(given, like):
    import freud as library

    library.parallel.set_num_threads(int(given["threads"]))
    frames = []
    for k, cell in enumerate(given["cells"]):
        box = library.box.Box.from_matrix(cell.T)
        frames.append((box, box.wrap(given["a"][k]), None if like else box.wrap(given["b"][k])))
    counts, g, seconds = [], 0.0, 0.0
    rdf = library.density.RDF(bins=int(given["bins"]), r_max=float(given["r_max"]))
    for box, a, b in frames:
        start = time.perf_counter()
        rdf.compute(system=(box, a), query_points=b)
        seconds += time.perf_counter() - start
        counts.append(rdf.bin_counts / (2 if like else 1))
        # freud divides by N^2 where pairs of distinct particles are N (N - 1).
        g = g + rdf.rdf.astype(float) * (len(a) / (len(a) - 1) if like else 1.0) / len(frames)
    bins = int(given["bins"])
    edges = np.arange(bins + 1, dtype="f4") * (np.float32(given["r_max"]) / np.float32(bins))
    return (
        seconds,
        np.sum(counts, axis=0),
        g * shell_ratio(edges * edges * edges, float(given["r_max"])),
        np.array([box.to_matrix().T for box, _, _ in frames]),
        np.array(counts),
    )


LIBRARIES = {"mdanalysis": ("MDAnalysis", mdanalysis), "mdtraj": ("mdtraj", mdtraj), "freud": ("freud", freud)}


def main():
    module, function = LIBRARIES[sys.argv[1]]
    if sys.argv[2] == "--version":
        library = importlib.import_module(module)
        print(getattr(library, "__version__", None) or importlib.import_module("mdtraj.version").full_version)
        return
    given = dict(np.load(sys.argv[2]))
    seconds, counts, g, cells, *by_frame = function(given, "b" not in given)
    np.savez(sys.argv[3], counts=counts, g=g, cells=cells, **({"by_frame": by_frame[0]} if by_frame else {}))
    print(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main()
