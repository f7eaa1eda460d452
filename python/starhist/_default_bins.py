"""Default bins of rdf(), as the program's (driver/options/default_bins.hh)."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ._arrays import as_box, edges_of

WIDTHS = {"A": 0.02, "nm": 0.002, "pm": 2.0}
"""Default bin width by length unit."""
UNKNOWN_UNIT_BINS = 500


def default_bins(
    r_max: float | None,
    bins: int | None,
    box: Any,
    length_unit: str,
    bin_width: float | None = None,
    periodic: Any = (True, True, True),
) -> tuple[float, int]:
    """Returns r_max and bins, with defaults for those that are None. box, periodic: of the first frame.

    Raises ValueError if r_max is None without a box that is periodic along all axes, or bin_width does not divide r_max.
    """
    width = WIDTHS.get(length_unit) if bin_width is None else bin_width
    if r_max is None:
        if box is None or not all(periodic):
            raise ValueError(
                "r_max is missing (its default needs a box that is periodic along all axes): pass the largest distance to "
                "count as r_max="
            )
        r_max = 0.99 * _inscribed_radius(box)
        if width is not None and bins is None and r_max > width:
            bins = math.floor(r_max / width * (1 + 1e-12))
            return bins * width, bins
        digits = 2 - math.floor(math.log10(r_max))
        r_max = math.floor(r_max * 10**digits * (1 + 1e-12)) / 10**digits
    if bin_width is not None:
        bins = round(r_max / bin_width)
        if bins < 1 or abs(r_max / bin_width - bins) > 1e-9 * bins:
            nearest = max(1, math.ceil(r_max / bin_width)) * bin_width
            raise ValueError(f"bin_width={bin_width!r} does not divide r_max={r_max!r}: pass r_max={nearest:.10g}")
    if bins is None:
        bins = UNKNOWN_UNIT_BINS if width is None else max(1, math.ceil(float(r_max) / width - 1e-9))
    return r_max, bins


def _inscribed_radius(box: Any) -> float:
    """Half the shortest lattice vector."""
    edges = _reduced(edges_of(as_box(box)))
    steps = [step for step in itertools.product((-2, -1, 0, 1, 2), repeat=3) if any(step)]
    return 0.5 * float(np.linalg.norm(np.array(steps) @ edges, axis=1).min())


def _reduced(edges: Any) -> Any:
    """The same lattice by edges that cannot be shortened by multiples of each other."""
    for _ in range(100):
        edges = edges[np.argsort(np.linalg.norm(edges, axis=1))]
        before = edges.copy()
        for j in (1, 2):
            for i in range(j):
                edges[j] -= np.round(edges[j] @ edges[i] / (edges[i] @ edges[i])) * edges[i]
        if np.array_equal(edges, before):
            break
    return edges
