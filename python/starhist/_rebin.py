"""Merges bins of results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Rebinned:
    """Contents of a result whose bins were merged: it cannot be saved."""

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
    nearest = np.clip(np.round((wanted - edges[0]) / (edges[1] - edges[0])), 0, len(edges) - 1).astype(np.intp)
    far = abs(edges[nearest] - wanted) > 1e-6 * (edges[1] - edges[0])
    if far.any():
        k = int(np.flatnonzero(far)[0])
        raise ValueError(f"{wanted[k]:g} is not an edge of the counted bins: the nearest is {edges[nearest[k]]:g}")
    if len(np.unique(nearest)) != len(nearest):
        raise ValueError("edges are closer than the counted bins")
    kept: npt.NDArray[np.intp] = nearest
    return kept


def merged_g(
    edges: Floats, counts: npt.NDArray[np.uint64], g: Floats, at: npt.NDArray[np.intp], dimensions: int
) -> Floats:
    """g(r) in merged bins: the mean of g weighted by the volumes of the shells, in two dimensions by the areas of
    annuli. Shells that were counted without a pair have the volume of whole shells."""
    whole = np.diff(edges**dimensions)
    merged = np.full((len(g), len(at) - 1), np.nan)
    for k, (n, values) in enumerate(zip(counts.astype(np.float64), g)):
        if not np.isfinite(values).any():
            continue
        filled = (n > 0) & np.isfinite(values) & (values > 0)
        if not filled.any():
            merged[k] = np.where(np.isfinite(np.add.reduceat(values, at[:-1])), 0.0, np.nan)
            continue
        exact = n[filled] / values[filled]
        volume = whole * np.median(exact / whole[filled])
        volume[filled] = exact
        sums = np.concatenate([[0.0], np.cumsum(np.where(np.isfinite(values), n, 0))])[at]
        volumes = np.concatenate([[0.0], np.cumsum(volume)])[at]
        merged[k] = np.diff(sums) / np.diff(volumes)
        undefined = np.concatenate([[0], np.cumsum(~np.isfinite(values))])[at]
        merged[k, np.diff(undefined) > 0] = np.nan
    return merged
