"""Maxima and minima of g(r) with standard errors: those that peaks, report and plot tell."""

import math
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np

from rdf_smoothing import bonded_bins, noise_of, smooth, smoothing_width

DRAWS = 200  # of the bootstrap: its errors are then uncertain by 5 %
PROMINENCE = 0.01  # of extrema that nobody has chosen otherwise
SIGMAS = 5  # by which neighbouring extrema differ, of the noise of counts
DRAWN_SIGMAS = 3  # and of the scatter of the blocks


@dataclass
class Extremum:
    """One maximum or minimum. Standard errors are None where blocks are missing."""

    is_maximum: bool
    r: float
    value: float
    numbers: list  # coordination numbers within r, one for each direction of the pair
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


class Smoothing:
    """Bonded peaks as they are, and the rest smoothed by `width` bins."""

    def __init__(self, value, counts):
        self.start = bonded_bins(SimpleNamespace(value=value))
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
    """Bins of maxima and minima in turns, of which the first is a maximum.

    Neighbours differ by SIGMAS standard errors and by `least`. The ends of the curve are none.
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
    """(bin with a fraction, height, whether the bins resolve it) of the extremum in bin k of `smoothed`.

    By least squares a parabola goes through the raw curve in the bins beside k whose smoothed values
    are within `near` of that of k: a broad minimum takes many, a narrow peak few. Fewer than three
    such bins do not resolve it: then the highest or lowest bin is all that is known. The middle of
    bins of one value is the place of a flat minimum. A parabola that turns beyond its bins, or below
    zero, where no curve of counts is, says nothing: then it is bin k of `smoothed`.
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


def number_within(edges, neighbours, below, centres, r):
    within = np.interp(r, edges, np.concatenate([[0.0], np.cumsum(neighbours)])) + below
    return [within / max(1.0, n) for n in centres]


def draws_of(blocks):
    """(how often each block is drawn [draws, blocks], number of blocks of equal weight) or None."""
    shares = blocks.frames / blocks.frames.sum()
    number = 1 / np.sum(shares**2)
    if number < 1.5:
        return None
    return np.random.default_rng(1).multinomial(round(number), shares, size=DRAWS), number


def turning_points_of(curve, prominence):
    """(Smoothing, the smoothed curve, its standard errors, bins of maxima and minima in turns)

    There are counts, but no values, beyond the end of g(r).
    """
    counts = curve.counts[: len(curve.value)]
    smoothing = Smoothing(curve.value, counts)
    value = smoothing(curve.value)
    error = smoothing.error(noise_of(curve.value, counts))
    least = prominence * np.ptp(value[smoothing.start :])
    return smoothing, value, error, turning_points(value, error, least)


def first_shell(found):
    """(first maximum or None, the minimum after it, where the first shell of neighbours ends, or None)
    of what extrema() has found."""
    return (found[0] if found else None), (found[1] if len(found) > 1 else None)


def shell_bin(curve):
    """Bin of about the end of the first shell, for the scale of an axis; the last one if there is none."""
    bins = turning_points_of(curve, PROMINENCE)[3]
    return bins[1] if len(bins) > 1 else len(curve.value) - 1


def with_error(value, error):
    """ "0.2761 ± 0.0003": two digits of the error, and as many of the value; four digits without an error."""
    if error is None or not math.isfinite(error) or error <= 1e-12 * abs(value):
        return f"{value:.4g}"
    digits = min(12, max(0, 1 - math.floor(math.log10(error))))
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def print_first_peaks(result, blocks):
    """A line per curve of a Result of rdf_curves.py: where its first peak is, and how high."""
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
    """([Extremum], width of the smoothing in the curve's unit).

    prominence: what neighbouring extrema differ by at least, as a part of the range of the curve
    beyond bonded peaks. Standard errors are those of a bootstrap over the blocks (Efron, Ann. Stat.
    7, 1 (1979)): each draw finds its own places between the extrema beside, so the error of a
    coordination number includes that the minimum moves. An extremum that does not stand out of the
    draws is none.
    """
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
        # A quarter of the way to the nearer neighbour, and more than noise.
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
                    edges, blocks.neighbours.sum(axis=0), blocks.below.sum(), [n.sum() for n in blocks.particles], r
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
                            edges, count, often @ blocks.below, [often @ n for n in blocks.particles], own_r
                        ),
                    ]
                )
            errors = np.std(samples, axis=0) * widen
            # The place within a bin is as good as unknown where the bins do not resolve it.
            found[-1].r_error = errors[0] if resolved else np.hypot(errors[0], width / np.sqrt(12))
            found[-1].value_error = errors[1]
            found[-1].number_errors = list(errors[2:])
    return found, smoothing.width * width


def standing_out(bins, value, curves, widen):
    """The bins without the neighbours whose heights differ less than the draws scatter."""
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
            # A last extremum that is not sure of its neighbour goes alone.
            del bins[weakest + 1]
        else:
            del bins[weakest : weakest + 2]
    return bins
