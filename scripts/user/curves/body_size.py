"""Size of a finite body from its pair distances: largest distance and radius of gyration."""

from dataclasses import dataclass

import numpy as np

from curves.jackknife import jackknife, without_each
from error_text import with_error


@dataclass
class BodySize:
    """Lengths are in the unit of the result."""

    d_max: tuple  # bin of the largest distance in any frame: its lower and upper edge
    rg: float | None = None  # radius of gyration, all particles with equal weights; None: distances are missing
    rg_error: float | None = None  # standard error; None: fewer than two blocks


def mean_squares(edges):
    """Mean of r^2 in each bin, for distances spread evenly over it."""
    a, b = edges[:-1], edges[1:]
    return (a * a + a * b + b * b) / 3


def size_of(pairs, counts):
    """Returns the BodySize of the particles in `pairs` (PairCounts), or None if distances lie outside the bins.

    Rg^2 is the sum of r^2 over the pairs divided by N^2, averaged over the frames. It needs every pair of
    the particles, so it is None if a pair of species was not counted, pairs were excluded, or N varies.
    """
    total = sum(pair.counts for pair in pairs)
    if not total.any() or any((pair.counts.sum(axis=1) != pair.pairs).any() for pair in pairs):
        return None
    last = int(np.flatnonzero(total.sum(axis=0))[-1])
    size = BodySize((float(counts.edges[last]), float(counts.edges[last + 1])))
    species = sorted({index for pair in pairs for index in pair.species})
    number = counts.particle_number[:, species].sum(axis=1)
    if (number % counts.frames).any():
        return size
    n = number // counts.frames
    if (sum(pair.pairs for pair in pairs) != n * (n - 1) // 2 * counts.frames).any():
        return size
    squares, norm = total @ mean_squares(counts.edges), (n * n * counts.frames).astype(float)
    size.rg = float(np.sqrt(squares.sum() / norm.sum()))
    if len(norm) > 1:
        size.rg_error = float(jackknife(np.sqrt(without_each(squares) / without_each(norm)), counts.frames))
    return size


def bodies_of(result):
    """Returns [(name, BodySize or None)] of each curve of p(r), and of all its particles if it has several curves."""
    bodies = [(curve.pair, curve.size) for curve in result.curves]
    return bodies + ([("all particles", result.size)] if result.size else [])


def size_lines(result):
    """Returns a line of text for each of bodies_of()."""
    unit = f" {result.unit}" if result.unit else ""
    lines = []
    for name, size in bodies_of(result):
        if size is None:
            lines.append(
                f"{name}: D_max and Rg are unknown (distances beyond the last bin): count with a larger --r-max"
            )
            continue
        low, high = size.d_max
        rg = "" if size.rg is None else f", Rg = {with_error(size.rg, size.rg_error)}{unit}"
        lines.append(f"{name}: D_max = {high:.6g}{unit} (within {high - low:.3g}{unit}){rg}")
    return lines


def size_rows(result):
    """Returns a dictionary for each of bodies_of(); unknown sizes are None."""
    return [
        {
            "of": name,
            "d_max": size and size.d_max[1],
            "d_max_uncertainty": size and size.d_max[1] - size.d_max[0],
            "rg": size and size.rg,
            "rg_error": size and size.rg_error,
        }
        for name, size in bodies_of(result)
    ]
