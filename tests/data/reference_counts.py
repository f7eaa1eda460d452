#!/usr/bin/env python3
"""Writes the reference counts beside this script, by a loop over all pairs and images in double precision.

It needs NumPy and h5py, and shares no code with starhist: boxes are taken as they are, and every image that may be the
nearest is tried. --before prints the pairs that are in another bin than by floor(r N/R), as it was before
edges lay 2^-30 of a bin below whole numbers.
"""

import argparse
import itertools
import pathlib

import h5py
import numpy

FOLDER = pathlib.Path(__file__).resolve().parent
FILES = (
    ("water", "1.4", 280),
    ("water", "2.5", 1000),
    ("nacl-triclinic-npt", "1.0", 200),
    ("nacl-triclinic-npt", "2.2", 777),
)
SHIFT = 2.0**-30  # an edge lies by this part of a bin below a whole number of widths


def frames_of(path):
    """Names of the species, the species of each particle, then positions and edges of every fifth frame."""
    with h5py.File(path) as file:
        particles = next(iter(file["particles"].values()))
        species = particles["species"]
        names = {number: name for name, number in h5py.check_enum_dtype(species.dtype).items()}
        kind = numpy.array([names[number] for number in species[()].ravel()])
        positions = particles["position/value"]
        edges = particles["box/edges"]
        edges = edges["value"][()] if isinstance(edges, h5py.Group) else numpy.array([edges[()]] * len(positions))
        frames = []
        for k in range(0, len(positions), 5):
            edge = edges[k].astype(float)
            frames.append((positions[k].astype(float), numpy.diag(edge) if edge.ndim == 1 else edge))
        return sorted(set(kind)), kind, frames


def distances(a, others, edges, images):
    """Distances of the nearest images of position a and the others."""
    d = others - a
    d -= numpy.rint(d @ numpy.linalg.inv(edges)) @ edges
    least = numpy.full(len(d), numpy.inf)
    for image in images:
        shifted = d + image
        numpy.minimum(least, shifted[:, 0] ** 2 + shifted[:, 1] ** 2 + shifted[:, 2] ** 2, out=least)
    return numpy.sqrt(least)


def images_of(edges):
    """Lattice vectors that can lead from a rounded displacement to the nearest image."""
    if numpy.count_nonzero(edges - numpy.diag(numpy.diag(edges))) == 0:
        return [numpy.zeros(3)]  # rounding is exact for an orthogonal cell
    # No nearest image is longer than half the longest diagonal D of the cell, so its fractional coordinates are at most
    # D / width, and rounded ones at most 1/2.
    diagonals = [numpy.linalg.norm(numpy.array(signs) @ edges) for signs in itertools.product((-1, 1), repeat=3)]
    widths = 1 / numpy.linalg.norm(numpy.linalg.inv(edges), axis=0)
    most = [int(max(diagonals) / 2 / width + 0.5) for width in widths]
    return [numpy.array(n) @ edges for n in itertools.product(*(range(-m, m + 1) for m in most))]


def count(name, r_max, bins, before):
    species, kind, frames = frames_of(FOLDER / f"{name}.h5")
    pairs = list(itertools.combinations_with_replacement(range(len(species)), 2))
    counts = {pair: numpy.zeros(bins + 1, dtype=numpy.int64) for pair in pairs}
    near = dict.fromkeys(pairs, 0)
    members = [numpy.flatnonzero(kind == one) for one in species]
    for number, (positions, edges) in enumerate(frames):
        images = images_of(edges)
        for a, b in pairs:
            for place, i in enumerate(members[a]):
                others = members[b][place + 1 :] if a == b else members[b]
                exact = distances(positions[i], positions[others], edges, images) * bins / float(r_max)
                position = exact + SHIFT
                bin_of = numpy.minimum(numpy.floor(position), bins).astype(int)
                counts[a, b] += numpy.bincount(bin_of, minlength=bins + 1)
                whole = numpy.rint(position)
                near[a, b] += numpy.count_nonzero((abs(position - whole) < 1e-11) & (whole > 0) & (whole <= bins))
                old = numpy.minimum(numpy.floor(exact), bins).astype(int)
                for j in numpy.flatnonzero(old != bin_of) if before else ():
                    print(
                        f"{name} {r_max} {bins}: frame {5 * number}, {species[a]}-{species[b]}: "
                        f"from bin {old[j]} to {bin_of[j]}"
                    )
    volumes = [abs(numpy.dot(edges[0], numpy.cross(edges[1], edges[2]))) for _, edges in frames]
    head = (
        f"# frames {len(frames)} N {len(kind)} species {len(species)} r_max {float(r_max):.17g} bins {bins} "
        f"sum_volume {sum(volumes):.17g} sum_inverse_volume {sum(1 / v for v in volumes):.17g}"
    )
    lines = [head]
    for pair in pairs:
        of_pair = counts[pair]
        lines.append(
            f"pair {pair[0]} {pair[1]} total {of_pair.sum()} out {of_pair[-1]} near {near[pair]} : "
            + " ".join(map(str, of_pair[:-1]))
        )
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", action="store_true", help="print the pairs that are in another bin than before")
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    arguments = parser.parse_args()
    for name, r_max, bins in FILES:
        path = FOLDER / f"{name}.r{r_max}.b{bins}.txt"
        text = count(name, r_max, bins, arguments.before)
        if not arguments.check:
            path.write_text(text)
        elif path.read_text().splitlines()[1:] != text.splitlines()[1:]:
            raise SystemExit(f"{path}: other counts")


if __name__ == "__main__":
    main()
