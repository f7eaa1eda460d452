"""Maxima and minima of g(r) with standard errors, for peaks, report and plot."""

from dataclasses import dataclass, field

import numpy as np

from error_text import with_error
from result_counts import equal_widths
from starhist_program import ResultError

DRAWS = 200  # bootstrap samples; their standard errors are then accurate to 5 %
PROMINENCE = 0.01  # default of --prominence
SIGMAS = 5  # least difference of neighbouring extrema, in standard errors of the counts
DRAWN_SIGMAS = 3  # least difference of neighbouring extrema, in standard deviations of bootstrap samples


@dataclass
class Extremum:
    """A maximum or minimum. Standard errors are None if there are too few blocks."""

    is_maximum: bool
    r: float
    value: float
    numbers: list  # coordination numbers within r, one for each direction of the pair; NaN beyond Blocks.n_end
    r_error: float | None = None
    value_error: float | None = None
    number_errors: list = field(default_factory=list)


@dataclass
class Blocks:
    """Sums over the frames of each block, for one pair."""

    neighbours: np.ndarray  # [blocks, bins]
    below: np.ndarray  # [blocks]; neighbours closer than the first bin
    norm: np.ndarray  # [blocks]; pairs over volume, by which counts become g
    frames: np.ndarray  # [blocks]
    particles: list  # for each direction: centres [blocks]
    n_end: float = np.inf  # ResultCounts.n_end


def noise_of(value, counts):
    """Standard errors of the bins due to counting statistics."""
    return value / np.sqrt(np.maximum(counts, 1))


def smooth(value, width, power=1):
    """The average of each bin and its neighbours, with Gaussian weights of `width` bins.

    value: [..., bins]. At the ends the weights of the bins that are there count. With power 2 the
    squares of the weights are used, as the variance of the average needs them.
    """
    reach = int(np.ceil(3 * width))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    bins = value.shape[-1]
    norm = np.convolve(np.ones(bins), weights)[reach : reach + bins]
    length = bins + 2 * reach
    sums = np.fft.irfft(np.fft.rfft(value, length) * np.fft.rfft(weights**power, length), length)
    # Rounding errors of the transform replace exact zeros.
    sums = np.where(np.abs(sums) < 1e-13 * np.max(np.abs(value), initial=0), 0, sums)
    return sums[..., reach : reach + bins] / norm**power


def smoothing_width(value, counts, start):
    """Bins of the Gaussian that smooths a curve no more than its noise asks for.

    It grows from one bin until the noise after bin `start` is a fortieth of the curve's range
    there; 0 for a curve that is shorter than the smallest Gaussian.
    """
    if len(value) < 7:
        return 0.0
    noise = noise_of(value, counts)
    span = np.ptp(value[start:]) if start < len(value) else 0.0
    width = 1.0
    while 6 * 1.5 * width < len(value) - start:
        error = np.sqrt(np.maximum(smooth(noise**2, width, 2), 0))
        if np.median(error[start:]) <= span / 40:
            break
        width *= 1.5
    return width


class Smoothing:
    """Smooths a curve by `width` bins, except for bonded peaks."""

    def __init__(self, value, counts, bonded):
        self.start = bonded
        rest, rest_counts = value[self.start :], counts[self.start :]
        filled = np.flatnonzero(rest_counts)
        first = int(filled[0]) if filled.size else 0
        self.width = smoothing_width(rest, rest_counts, first)

    def _rest(self, value, power):
        rest = value[..., self.start :]
        return smooth(rest, self.width, power) if self.width else rest

    def __call__(self, value):
        return np.concatenate([value[..., : self.start], self._rest(value, 1)], axis=-1)

    def error(self, noise):
        squares = np.concatenate([noise[..., : self.start] ** 2, self._rest(noise**2, 2)], axis=-1)
        return np.sqrt(np.maximum(squares, 0))


def turning_points(value, error, least):
    """Returns the bins of alternating maxima and minima; the first is a maximum.

    Neighbours differ by SIGMAS standard errors and by `least`. Ends of the curve are excluded.
    """
    found = []
    best, rising = 0, True
    for k in range(1, len(value)):
        sign = 1 if rising else -1
        if sign * (value[k] - value[best]) > 0:
            best = k
        elif sign * (value[best] - value[k]) > max(least, SIGMAS * np.hypot(error[k], error[best])):
            if best > 0:
                found.append(best)
            elif found == []:  # the curve falls from its first bin on
                found.append(None)
            best, rising = k, not rising
    return found[1:] if found[:1] == [None] else found


def place(raw, smoothed, k, near):
    """Returns (position [bins], height, whether the bins resolve it) of the extremum in bin k of `smoothed`.

    A parabola is fitted by least squares to the raw curve in the bins around k whose smoothed values
    are within `near` of the value at k: many bins for a broad minimum, few for a narrow peak. With
    fewer than three bins the extremum is not resolved, and the highest or lowest bin is returned.
    A flat minimum lies in the middle of its bins. If the vertex lies outside these bins or below
    zero, the fit is discarded, and bin k of `smoothed` is returned.
    """
    first = last = k
    while last + 1 < len(raw) and smoothed[last + 1] == smoothed[k]:
        last += 1
    if last > k:
        return (k + last) / 2, raw[k], True
    while first > 0 and abs(smoothed[first - 1] - smoothed[k]) <= near:
        first -= 1
    while last + 1 < len(raw) and abs(smoothed[last + 1] - smoothed[k]) <= near:
        last += 1
    if last - first < 2:
        beside = range(max(0, k - 1), min(len(raw), k + 2))
        is_maximum = all(smoothed[b] <= smoothed[k] for b in beside)
        k = (max if is_maximum else min)(beside, key=lambda b: raw[b])
        return k, raw[k], False
    x = np.arange(first, last + 1) - k
    curvature, slope, height = np.polyfit(x, raw[first : last + 1], 2)
    middle = -slope / (2 * curvature) if curvature else 0.0
    height += 0.5 * slope * middle
    if not first - k <= middle <= last - k or height < 0:
        return k, smoothed[k], True
    return k + middle, height, True


def number_within(edges, neighbours, below, centres, r, end):
    if r > end:
        return [np.nan] * len(centres)
    within = np.interp(r, edges, np.concatenate([[0.0], np.cumsum(neighbours)])) + below
    return [within / max(1.0, n) for n in centres]


def draws_of(blocks):
    """Returns (how often each block is drawn [draws, blocks], effective number of blocks); None for too few blocks."""
    shares = blocks.frames / blocks.frames.sum()
    number = 1 / np.sum(shares**2)
    if number < 1.5:
        return None
    return np.random.default_rng(1).multinomial(round(number), shares, size=DRAWS), number


def turning_points_of(curve, prominence):
    """Returns (Smoothing, smoothed curve, its standard errors, bins of alternating maxima and minima).

    The counts may extend beyond the end of g(r).
    """
    counts = curve.counts[: len(curve.value)]
    smoothing = Smoothing(curve.value, counts, curve.bonded)
    value = smoothing(curve.value)
    error = smoothing.error(noise_of(curve.value, counts))
    least = prominence * np.ptp(value[smoothing.start :])
    return smoothing, value, error, turning_points(value, error, least)


def first_shell(found):
    """Returns (first maximum or None, the minimum after it or None: the end of the first shell). found: extrema()."""
    return (found[0] if found else None), (found[1] if len(found) > 1 else None)


def shell_bin(curve):
    """Returns the approximate bin where the first shell ends, for the scale of an axis; by default the last bin."""
    bins = turning_points_of(curve, PROMINENCE)[3]
    return bins[1] if len(bins) > 1 else len(curve.value) - 1


def print_first_peaks(result, blocks):
    """Prints position and height of the first peak of each curve of a Result of rdf_curves.py."""
    quantity = "g" if result.is_g else "p"
    unit = f" {result.unit}" if result.unit else ""
    for curve, sums in zip(result.curves, blocks):
        maximum, _ = first_shell(extrema(curve, sums)[0])
        print(
            f"{curve.pair}: no peak stands out"
            if maximum is None
            else f"{curve.pair}: first peak at r = {with_error(maximum.r, maximum.r_error)}{unit}, "
            f"{quantity} = {with_error(maximum.value, maximum.value_error)}"
        )


def extrema(curve, blocks, prominence=PROMINENCE):
    """Returns ([Extremum], width of the smoothing in the curve's unit).

    prominence: smallest height difference of neighbouring extrema, as a fraction of the curve's range
    beyond bonded peaks. Standard errors come from a bootstrap over the blocks (Efron, Ann. Stat. 7, 1
    (1979)): each sample locates the extremum between its neighbours, so the error of a coordination
    number includes the uncertainty of the minimum's position. Extrema that are not significant in the
    samples are dropped. Raises ResultError for bins of unequal width.
    """
    if not equal_widths(curve.edges):
        raise ResultError(
            f"{curve.pair}: positions of peaks need bins of equal width, and these have explicit edges: count with "
            "--bins N or --bin-width"
        )
    smoothing, value, error, bins = turning_points_of(curve, prominence)
    drawn = draws_of(blocks)
    if drawn is not None:
        times, number = drawn
        widen = np.sqrt(number / (number - 1))
        neighbours = times @ blocks.neighbours
        total = blocks.neighbours.sum(axis=0)[: len(value)]
        with np.errstate(divide="ignore", invalid="ignore"):
            raw = np.where(total > 0, curve.value * neighbours[:, : len(value)] / total, 0)
            raw *= (blocks.norm.sum() / (times @ blocks.norm))[:, None]
        raw = np.nan_to_num(raw)
        curves = smoothing(raw)
        bins = standing_out(bins, value, curves, widen)
    edges, width = curve.edges, curve.edges[1] - curve.edges[0]
    borders = [0, *bins, len(value) - 1]
    found = []
    for i, k in enumerate(bins):
        sign = 1 if value[k] >= max(value[borders[i]], value[borders[i + 2]]) else -1
        # A quarter of the height difference to the nearer neighbour, but more than noise.
        depth = min(abs(value[k] - value[border]) for border in (borders[i], borders[i + 2]))
        near = max(depth / 4, SIGMAS / 2 * error[k])
        at, height, resolved = place(curve.value, value, k, near)
        r = edges[0] + (at + 0.5) * width
        found.append(
            Extremum(
                sign > 0,
                r,
                height,
                number_within(
                    edges,
                    blocks.neighbours.sum(axis=0),
                    blocks.below.sum(),
                    [n.sum() for n in blocks.particles],
                    r,
                    blocks.n_end,
                ),
            )
        )
        if drawn is not None:
            samples = []
            for own_raw, own, count, often in zip(raw, curves, neighbours, times):
                first, last = borders[i], borders[i + 2]
                own_bin = first + int(np.argmax(sign * own[first : last + 1]))
                own_at, own_height, _ = place(own_raw, own, own_bin, near)
                own_r = edges[0] + (own_at + 0.5) * width
                samples.append(
                    [
                        own_r,
                        own_height,
                        *number_within(
                            edges, count, often @ blocks.below, [often @ n for n in blocks.particles], own_r, np.inf
                        ),
                    ]
                )
            errors = np.std(samples, axis=0) * widen
            # If the bins do not resolve the extremum, its position within the bin is unknown.
            found[-1].r_error = errors[0] if resolved else np.hypot(errors[0], width / np.sqrt(12))
            found[-1].value_error = errors[1]
            found[-1].number_errors = list(errors[2:])
    return found, smoothing.width * width


def standing_out(bins, value, curves, widen):
    """Removes neighbouring extrema whose height difference is not significant in the bootstrap samples."""
    bins = list(bins)
    while len(bins) > 1:
        steps = [
            abs(value[b] - value[a]) / max(DRAWN_SIGMAS * widen * np.std(curves[:, b] - curves[:, a]), 1e-300)
            for a, b in zip(bins, bins[1:])
        ]
        weakest = int(np.argmin(steps))
        if steps[weakest] >= 1:
            break
        if weakest + 2 == len(bins):
            # The last extremum is removed without its neighbour.
            del bins[weakest + 1]
        else:
            del bins[weakest : weakest + 2]
    return bins
