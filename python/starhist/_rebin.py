"""Merges bins of results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._analysis import tabulated

if TYPE_CHECKING:
    from .result import Result

Floats = npt.NDArray[np.float64]


@dataclass
class Rebinned:
    """Contents of a result whose bins were merged: it cannot be saved."""

    counted: Result
    """The result with the counted bins."""

    def write(self, path: str, overwrite: bool, elements: Mapping[str, str]) -> None:
        raise ValueError(
            "bins were merged, and a result file needs the counted ones: save or analyse the original result"
        )


def edges_of(edges: Floats, to: Any) -> npt.NDArray[np.intp]:
    """Indices of the edges that are kept. `to`: number of bins to merge, or edges."""
    if np.ndim(to) == 0:
        number = int(to)
        if number != to or not 1 <= number < len(edges):
            raise ValueError(f"rebin({to!r}): pass the number of bins to merge, 1 to {len(edges) - 1}, or edges")
        return np.arange(0, len(edges), number)
    wanted = np.asarray(to, dtype=np.float64)
    if wanted.ndim != 1 or len(wanted) < 2 or not (np.diff(wanted) > 0).all():
        raise ValueError("edges must increase, and there must be two or more")
    above = np.clip(np.searchsorted(edges, wanted), 1, len(edges) - 1)
    nearest = np.where(wanted - edges[above - 1] < edges[above] - wanted, above - 1, above)
    far = abs(edges[nearest] - wanted) > 1e-6 * (edges[above] - edges[above - 1])
    if far.any():
        k = int(np.flatnonzero(far)[0])
        raise ValueError(f"{wanted[k]:g} is not an edge of the counted bins: the nearest is {edges[nearest[k]]:g}")
    if len(np.unique(nearest)) != len(nearest):
        raise ValueError("edges are closer than the counted bins")
    kept: npt.NDArray[np.intp] = nearest
    return kept


def merged_g(result: Result, edges: Floats) -> tuple[Floats, Floats]:
    """g(r) in merged bins, and its standard errors: NaN without a volume, errors also with fewer than two blocks."""
    shape = (len(result.pairs), len(edges) - 1)
    if not np.isfinite(result.g).any():
        return np.full(shape, np.nan), np.full(shape, np.nan)
    joined = ",".join(f"{edge:.12g}" for edge in edges)
    table = tabulated(result, ["export", "--rebin", joined, "--normalization", result.normalization])
    undefined = np.full(shape[1], np.nan)
    g = np.array([table.curves[pair] for pair in result.pairs])
    errors = np.array([table.errors.get(pair, undefined) for pair in result.pairs])
    return g, errors
