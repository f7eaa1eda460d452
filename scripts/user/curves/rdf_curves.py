"""Curves of a result file for plots, tables of peaks and reports, read by `starhist export`."""

from dataclasses import dataclass

import numpy as np

from curves.body_size import BodySize, size_of
from curves.bonded_peaks import bonded_bins
from curves.jackknife import jackknife, without_each
from curves.rdf_extrema import Blocks
from known_words import listed
from result_counts import read_counts
from shown_text import shown
from starhist_program import ResultError, asking, with_errors
from units import symbol


@dataclass
class Curve:
    """g(r) or p(r) of one pair, and the counts from which it is computed."""

    pair: str
    r: np.ndarray
    value: np.ndarray
    counts: np.ndarray
    edges: np.ndarray
    particles: list  # (species, sum of N over the frames) of its one or two species
    error: np.ndarray | None = None  # standard errors of value
    bonded: int = 0  # bins from the first that hold peaks of bonded neighbours
    size: BodySize | None = None  # of its particles; None with g(r), and if distances lie outside the bins
    n_end: float = float("inf")  # ResultCounts.n_end
    below: int = 0  # pairs closer than the first bin
    bins_note: str = ""  # "bins of 0.01 nm" if bins were merged for the figure

    @property
    def title(self):
        return f"{self.pair} ({self.bins_note})" if self.bins_note else self.pair

    @property
    def r_max(self):
        return self.edges[self.r.size]

    @property
    def directions(self):
        """ "B around A" for each direction of the pair."""
        species = [name for name, _ in self.particles]
        return [f"{b} around {a}" for a, b in (zip(species, reversed(species)) if len(species) > 1 else [species * 2])]


@dataclass
class Result:
    curves: list
    is_g: bool
    unit: str  # of lengths; "" if unknown
    blocks: int = 0  # number of blocks
    caveat: str = ""  # caveats_of() its table
    isotropic: str = ""  # note that g beyond half the box is right only for isotropic systems; or ""
    size: BodySize | None = None  # of the particles of all curves of p(r), if there are several
    plane: str = ""  # ResultCounts.plane
    geometry: str = ""  # ResultCounts.geometry

    @property
    def dimensions(self):
        """Of the space in which the curves are normalised: 3 for g(r), 2 for g(r) in a plane, 1 for p(r)."""
        return (2 if self.plane else 3) if self.is_g else 1


def space_of(result):
    """The space of the distances and of the ideal gas. result: Result or ResultCounts."""
    return f"the plane {result.plane}" if result.plane else f"a {result.geometry}" if result.geometry else "space"


def curves_of(table):
    """Returns [(label, values, standard errors or None)] of a table of `starhist export`; undefined values are None."""
    columns = [(shown(curve["label"]), curve["value"]) for curve in table["curves"]]
    if "errors" not in table:
        return [(label, values, None) for label, values in columns]
    return [(label, values, errors) for (label, values), (_, errors) in zip(columns[::2], columns[1::2])]


def as_array(values):
    """Returns values as an array; undefined values become NaN."""
    return np.array(values, dtype=float)


def neighbour_curves(table):
    """Yields (label with the cut-off, values, standard errors or None) of a table of numbers of neighbours."""
    unit = symbol(table["length_unit"].replace("unknown", ""))
    cutoffs = [curve["cutoff"] for curve in table["curves"] if "cutoff" in curve]  # curves of errors lack it
    for (label, values, errors), cutoff in zip(curves_of(table), cutoffs):
        yield f"{label} below {cutoff:g} {unit}".rstrip(), as_array(values), errors and as_array(errors)


def defined(values):
    """Number of values up to the last defined one."""
    return int(np.flatnonzero(np.isfinite(values)).max(initial=-1)) + 1


def distance_distribution(pair, edges, frames):
    """Returns p(r), the fraction of the distances in each bin divided by the bin width, and its standard errors.

    The errors are None for fewer than two blocks. frames: of each block.
    """

    def fraction(counts, pairs):
        return counts / (np.maximum(1, pairs)[..., None] * np.diff(edges))

    value = fraction(pair.counts.sum(axis=0), pair.pairs.sum())
    return value, jackknife(fraction(without_each(pair.counts), without_each(pair.pairs)), frames)


def curve_of(pair, counts, values, errors, sums):
    """Returns the Curve of a pair. values, errors: g(r) and its standard errors; values None: p(r) is computed.
    sums: Blocks of the pair."""
    edges, size = counts.edges, None
    if values is None:
        values, errors = distance_distribution(pair, edges, counts.frames)
        size = size_of([pair], counts)
    values = np.nan_to_num(values[: defined(values)])
    if errors is not None:
        errors = np.nan_to_num(errors[: len(values)]) if np.isfinite(errors).any() else None
    return Curve(
        shown(pair.label),
        ((edges[:-1] + edges[1:]) / 2)[: len(values)],
        values,
        pair.counts.sum(axis=0),
        edges,
        [(shown(species), int(number.sum())) for species, number in counts.centres_of(pair)],
        errors,
        bonded_bins(values, edges, sums),
        size,
        counts.n_end,
        int(pair.underflow.sum()),
    )


def sums_of(pair, counts, is_g):
    centres = [number.astype(float) for _, number in counts.centres_of(pair)]
    both = 2.0 if len(centres) == 1 else 1.0  # both of a like pair are neighbours of each other
    norm = pair.pairs_over_volume if is_g else pair.pairs
    return Blocks(
        both * pair.counts,
        both * pair.underflow,
        norm.astype(float),
        counts.frames.astype(float),
        centres,
        counts.n_end,
    )


def warnings_of(table, *more):
    """Warnings about the numbers of a table of export, about their standard errors, and the facts named in `more`."""
    return [table[name] for name in ("warning", "errors_caveat", *more) if name in table]


def caveats_of(table):
    """Warnings about a table of export: an unfinished run, missing parts, wrong numbers, standard errors; or ""."""
    missing = table.get("missing_parts")
    caveats = ["the run is unfinished"] if table.get("state") == "partial" else []
    caveats += [f"merged without the parts {missing}"] if missing else []
    return "; ".join([*caveats, *warnings_of(table)])


def coordination_table(program, path, chosen):
    """Table of n(r) with errors, which a result without g(r) has, too; None if the program refuses it."""
    return with_errors(program, "export", path, "coordination", *chosen)[0]


def check_in_space(path, counts):
    """Raises ResultError for distances in a plane, which have no p(r)."""
    if counts.plane:
        raise ResultError(
            f"{path}: has distances in the plane {counts.plane} without the area of a box, so neither g(r) nor p(r) is "
            "defined: use starhist export --quantity counts or coordination"
        )


def read_all(program, path, wanted="", normalization="pairs-over-volume"):
    """Returns (Result, [Blocks of rdf_extrema.py for each curve], ResultCounts) of the pairs `wanted`, "" for all.

    Pairs without distances are skipped. The curves are p(r) if the program refuses g(r).
    """
    counts = read_counts(program, path, wanted)
    chosen = ["--pairs", wanted] if wanted else []
    table, _ = with_errors(program, "export", path, "g", "--normalization", normalization, *chosen)
    is_g = table is not None
    if not is_g:
        check_in_space(path, counts)
    curves = (
        [(as_array(values), errors and as_array(errors)) for _, values, errors in curves_of(table)]
        if is_g
        else [(None, None)] * len(counts.pairs)
    )
    kept = [
        (pair, *curve)
        for pair, curve in zip(counts.pairs, curves)
        if pair.pairs.any() and (not is_g or defined(curve[0]))
    ]
    if not kept:
        raise ResultError(
            f"{path}: no curve to draw (no frame has a pair {listed(shown(pair.label) for pair in counts.pairs)})"
        )
    missing = [shown(pair.label) for pair in counts.pairs if wanted and not any(pair is each[0] for each in kept)]
    if missing:
        raise ResultError(
            f"{path}: {'g' if is_g else 'p'}(r) of {', '.join(missing)} is undefined (no frame has such a pair)"
        )
    sums = [sums_of(pair, counts, is_g) for pair, *_ in kept]
    result = Result(
        [curve_of(pair, counts, *curve, blocks) for (pair, *curve), blocks in zip(kept, sums)],
        is_g,
        counts.unit,
        len(counts.frames),
        caveats_of((table if is_g else coordination_table(program, path, chosen)) or {}),
        table.get("isotropic_caveat", "") if is_g else "",
        None if is_g or len(kept) < 2 else size_of([pair for pair, *_ in kept], counts),
        counts.plane,
        counts.geometry,
    )
    return result, sums, counts


def read_with_blocks(path, wanted="", **reading):
    """Returns (Result of the pairs `wanted`, [Blocks for each curve]). reading: arguments of asking()."""
    return read_all(asking(**reading), path, wanted)[:2]


def coordination(curve):
    """Returns [(label, n(r) at the upper bin edges)] for each direction of the pair; NaN beyond curve.n_end."""
    within = (curve.below + np.cumsum(curve.counts)) * (2 if len(curve.particles) == 1 else 1)
    within = np.where(curve.edges[1:] <= curve.n_end, within, np.nan)
    return [
        (label, within / max(1, total))
        for label, total in zip(curve.directions, (number for _, number in curve.particles))
    ]
