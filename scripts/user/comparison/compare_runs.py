"""Differences of g(r) or p(r) between two results, in standard errors, with a p-value for each pair."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np

from comparison.block_test import p_value
from curves.jackknife import jackknife, without_each
from curves.rdf_extrema import PROMINENCE, turning_points_of
from starhist_program import ResultError

MOST_RANGES = 8  # ranges of r whose coordination numbers are tested together
BLOCKS_PER_RANGE = 4  # degrees of freedom for each of them
FEWEST_BLOCKS = 5  # of both runs together, for a p-value
SAME_FRAMES = 0.6  # least correlation of the blocks of two runs over the same frames


@dataclass
class Difference:
    """`other` less `one`, over the bins that both have."""

    pair: str
    r: np.ndarray
    one: np.ndarray
    other: np.ndarray
    one_error: np.ndarray | None  # standard errors, corrected for correlated blocks; None: a run has one block
    other_error: np.ndarray | None
    p: float | None  # probability of a larger difference between equal runs; None: too few blocks
    correlation: float  # of neighbouring blocks
    blocks: tuple  # number of each run's blocks with such pairs
    note: str = ""

    @property
    def in_errors(self):
        """Difference in standard errors, 0 where the error is 0; None without errors."""
        if self.one_error is None or self.other_error is None:
            return None
        error = np.hypot(self.one_error, self.other_error)
        return np.divide(self.other - self.one, error, out=np.zeros_like(error), where=error > 0)


def common_edges(one, other):
    """Returns the edges of bins that both grids have: [edges]. Raises ResultError for fewer than four bins."""
    tolerance = 1e-6 * (one[1] - one[0])
    nearest = np.clip(np.searchsorted(other, one - tolerance), 0, len(other) - 1)
    shared = one[abs(other[nearest] - one) <= tolerance]
    if len(shared) < 5:
        raise ResultError(
            f"bins of {one[1] - one[0]:.6g} and {other[1] - other[0]:.6g} share only {len(shared)} edges (their widths "
            "have no common multiple in range): count both with the same --bin-width"
        )
    return shared


def _rebinned(curve, sums, edges):
    """Returns the neighbours in the bins between `edges`: [blocks, bins]."""
    at = np.searchsorted(curve.edges, edges - 1e-6 * (edges[1] - edges[0]))
    neighbours = np.add.reduceat(sums.neighbours, at[:-1], axis=1)
    neighbours[:, -1] = sums.neighbours[:, at[-2] : at[-1]].sum(axis=1)
    return neighbours


def _scale(curve, sums, edges, dimensions):
    """Factor of the neighbours per norm that gives the curve, in each of the wider bins."""
    total = sums.neighbours.sum(axis=0)
    volume = np.diff(curve.edges**dimensions)
    value = np.zeros(len(total))
    value[: len(curve.value)] = curve.value
    filled = (total > 0) & (value > 0)
    # Beyond half the box shells are cut, and smaller than `volume`.
    exact = total[filled] / sums.norm.sum() / value[filled]
    volume *= np.median(exact / volume[filled])
    volume[filled] = exact
    at = np.searchsorted(curve.edges, edges - 1e-6 * (edges[1] - edges[0]))
    return 1 / np.diff(np.concatenate([[0], np.cumsum(volume)])[at])


def ranges_of(total, norm, scale, bonded, most):
    """Returns the first bins of at most `most` ranges, which end at the extrema of the curve of both runs together.

    total: neighbours in each bin, norm and scale: see difference().

    Between an extremum and the next one a shift of a peak changes the number of neighbours in one direction.
    """
    curve = SimpleNamespace(value=total / norm * scale, counts=total, bonded=bonded)
    extrema = [k for k in turning_points_of(curve, PROMINENCE)[3] if k > bonded]
    first = max(bonded, int(np.argmax(total[bonded:] > 0)) + bonded)
    starts = [first, *(k for k in extrema if k > first)][:most]
    while len(starts) < min(most, 3):
        # Few extrema: the widest range is halved.
        ends = [*starts[1:], len(total)]
        widest = int(np.argmax(np.subtract(ends, starts)))
        if ends[widest] - starts[widest] < 2:
            break
        starts.insert(widest + 1, (starts[widest] + ends[widest]) // 2)
    return starts


def shared_frames(one, other):
    """Returns why p is undefined for two ResultCounts with common frames; "" without them.

    Independent runs may start from the same structure: a first frame that is the only common one is allowed.
    """
    shared = np.intersect1d(one.checksums, other.checksums)
    if not len(shared) or (
        len(shared) == 1
        and min(len(one.checksums), len(other.checksums)) > 1
        and one.checksums[0] == other.checksums[0] == shared[0]
    ):
        return ""
    first, second = (int(np.isin(counts.checksums, shared).sum()) for counts in (one, other))
    return (
        f"no p-value: {first} of {one.frames.sum()} and {second} of {other.frames.sum()} frames are in both results "
        "(p needs independent runs)"
    )


def _with_pairs(curve, sums):
    """Returns the Curve and its Blocks without those that have no such pair, and thus no curve."""
    kept = sums.norm > 0
    arrays = {name: getattr(sums, name)[kept] for name in ("neighbours", "below", "norm", "frames")}
    return curve, replace(sums, particles=[number[kept] for number in sums.particles], **arrays)


def difference(first, second, dimensions, dependent=""):
    """Returns the Difference of two (Curve, Blocks) of the same pair of species.

    dimensions: Result.dimensions. dependent: shared_frames() of the results, which have no p then.
    """
    first, second = _with_pairs(*first), _with_pairs(*second)
    (one, sums_1), (other, sums_2) = first, second
    end = min(one.edges[len(one.value)], other.edges[len(other.value)])
    edges = common_edges(one.edges, other.edges)
    edges = edges[edges <= end * (1 + 1e-9)]
    counts = [_rebinned(*run, edges) for run in (first, second)]
    scales = [_scale(*run, edges, dimensions) for run in (first, second)]
    norms = [sums_1.norm, sums_2.norm]
    values = [n.sum(axis=0) / norm.sum() * scale for n, norm, scale in zip(counts, norms, scales)]
    frames = [sums_1.frames, sums_2.frames]
    blocks = (len(frames[0]), len(frames[1]))
    found = Difference(one.pair, (edges[:-1] + edges[1:]) / 2, *values, None, None, None, 0.0, blocks)
    totals = [n.sum(axis=0) for n in counts]
    if (totals[0] == totals[1]).all() and np.isclose(norms[0].sum(), norms[1].sum(), rtol=1e-12, atol=0):
        same_bins = len(edges) == len(one.edges) == len(other.edges)
        found.note = "the results contain the same frames"
        if blocks[0] != blocks[1]:
            found.note += f" ({blocks[0]} and {blocks[1]} blocks)"
        found.note += ": their counts are equal" + (
            "" if same_bins else f" (compared in {len(edges) - 1} bins, whose edges are in both results)"
        )
        found.other = found.one
        found.one_error = found.other_error = np.zeros_like(found.one)
        return found
    if min(blocks) < 2 or sum(blocks) < FEWEST_BLOCKS:
        found.note = f"no p-value from {blocks[0]} and {blocks[1]} blocks: count with --blocks 16"
    else:
        most = int(np.clip((sum(blocks) - 2) // BLOCKS_PER_RANGE, 1, MOST_RANGES))
        bonded = int(np.searchsorted(edges, max(one.edges[one.bonded], other.edges[other.bonded]) - 1e-9))
        bonded = min(bonded, len(values[0]) - 2)
        starts = ranges_of(
            counts[0].sum(axis=0) + counts[1].sum(axis=0),
            norms[0].sum() + norms[1].sum(),
            (scales[0] + scales[1]) / 2,
            bonded,
            most,
        )
        averages = [np.add.reduceat(n, starts, axis=1) / norm[:, None] for n, norm in zip(counts, norms)]
        varies = np.max([np.ptp(average, axis=0) for average in averages], axis=0) > 0
        if varies.any() and not dependent:
            averages = [average[:, varies] for average in averages]
            found.p, found.correlation = p_value((averages[0], frames[0]), (averages[1], frames[1]))
            found.note = _same_frames(averages, frames)
    found.note = dependent or found.note
    widen = np.sqrt((1 + max(0, found.correlation)) / (1 - max(0, found.correlation)))
    if min(blocks) > 1:
        errors = [_errors(n, norm, scale, f) for n, norm, scale, f in zip(counts, norms, scales, frames)]
        found.one_error, found.other_error = (widen * error for error in errors)
    return found


def _errors(neighbours, norm, scale, frames):
    return jackknife(without_each(neighbours) / without_each(norm)[:, None] * scale, frames)


def _same_frames(averages, frames):
    """Returns a note if the blocks of both runs are so alike that they contain the same frames; otherwise ""."""
    if len(frames[0]) != len(frames[1]) or len(frames[0]) < FEWEST_BLOCKS or (frames[0] != frames[1]).any():
        return ""
    rests = [average - average.mean(axis=0) for average in averages]
    product = (rests[0] * rests[1]).sum(axis=0)
    norm = np.sqrt((rests[0] ** 2).sum(axis=0) * (rests[1] ** 2).sum(axis=0))
    if np.median(product / norm) < SAME_FRAMES:
        return ""
    return "both results contain the same frames: p is for independent runs and too large"
