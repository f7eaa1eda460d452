"""Bins for figures: as many bins merged as the counts of a curve ask for."""

from dataclasses import replace

import numpy as np

from curves.rdf_curves import as_array, curve_of, curves_of, sums_of
from shown_text import shown
from starhist_program import ResultError, with_errors
from units import symbol

NOISE = 1 / 25  # largest median noise of a bin that is drawn, of the range of the curve
FEWEST_BINS = 60  # of a curve after merging
FACTORS = (1, 2, 3, 4, 5, 10, 20)  # numbers of bins to merge


def merged_bins(value, counts, edges, bonded, dimensions=3):
    """Returns the number of bins to merge, at most for FEWEST_BINS: the smallest whose noise is below NOISE.

    dimensions: of distances. value, counts: [bins]; bonded: bins from the first that hold bonded peaks, which do not count.
    """
    size = len(value)
    possible = [factor for factor in FACTORS if size // factor >= FEWEST_BINS] or [1]
    centres = (edges[:-1] + edges[1:])[:size] / 2
    shells = centres ** (dimensions - 1)  # volumes, up to a factor
    for factor in possible:
        kept = size // factor * factor
        n = counts[:kept].reshape(-1, factor).sum(axis=1)
        shell = shells[:kept].reshape(-1, factor)
        g = (value[:kept].reshape(-1, factor) * shell).sum(axis=1) / shell.sum(axis=1)
        from_bin = max(-(-bonded // factor), int(np.argmax(n > 0)))
        n, g = n[from_bin:], g[from_bin:]
        noise = np.where(n > 0, g, g[n > 0].mean() if n.any() else 0) / np.sqrt(np.maximum(n, 1))
        if not n.any() or np.median(noise) <= NOISE * np.ptp(g):
            return factor
    return possible[-1]


def merged_counts(counts, factor):
    """Returns the ResultCounts with `factor` bins in one; surplus bins at the end are dropped."""
    bins = (len(counts.edges) - 1) // factor

    def merge(pair):
        sums = pair.counts[:, : bins * factor].reshape(len(pair.counts), bins, factor).sum(axis=2)
        return replace(pair, counts=sums)

    return replace(counts, edges=counts.edges[: bins * factor + 1 : factor], pairs=list(map(merge, counts.pairs)))


def for_display(program, path, result, counts, factor=None):
    """Returns the curves of the Result with bins merged for a figure, by `factor` or as merged_bins() chooses, and
    [(pair, width with unit)] of the curves that were merged by choice. counts: ResultCounts of the same pairs."""
    curves, chosen = [], []
    pairs = {shown(pair.label): pair for pair in counts.pairs}
    for curve in result.curves:
        merge = (
            factor or 1
            if not counts.equal_widths
            else factor or merged_bins(curve.value, curve.counts, curve.edges, curve.bonded, 2 if result.plane else 3)
        )
        if merge == 1:
            curves.append(curve)
            continue
        pair = pairs[curve.pair]
        fewer = merged_counts(replace(counts, pairs=[pair]), merge)
        values, errors = None, None
        if result.is_g:
            chosen_bins = ["--rebin", str(merge), "--pairs", pair.label]
            table, refusal = with_errors(program, "export", path, "g", *chosen_bins)
            if table is None:
                raise ResultError(refusal)
            [(_, values, errors)] = curves_of(table)
            values, errors = as_array(values), errors and as_array(errors)
        [pair] = fewer.pairs
        curves.append(curve_of(pair, fewer, values, errors, sums_of(pair, fewer, result.is_g)))
        curves[-1].size = curve.size  # from the bins of the result, as it is printed
        if factor is None:
            width = f"{fewer.edges[1] - fewer.edges[0]:.3g} {symbol(result.unit)}".rstrip()
            curves[-1].bins_note = f"bins of {width}"
            chosen.append((curve.pair, width))
    return curves, chosen
