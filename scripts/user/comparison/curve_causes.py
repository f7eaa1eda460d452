"""Finds why the curve of another program differs from exact counts of the same frames: units, bins, norm, ..."""

from dataclasses import dataclass, field

import numpy as np

from starhist_program import ResultError

FACTORS = {"A": 1e-10, "nm": 1e-9, "pm": 1e-12, "um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0, "bohr": 5.29177210903e-11}
OTHER_FRAMES = "the curve is not of the same frames: its difference exceeds rounding"
UNKNOWN_SCALES = {0.1: "a tenth of the result's unit", 10.0: "ten times the result's unit"}
OFFSETS = {"lower edge": 0.0, "centre": 0.5, "upper edge": 1.0}  # place of r in its bin
# Largest deviation of a curve of the same frames, in units of the counting noise: if its bins are sums of the counts'
# bins, so that only pairs at edges differ, and if its bins are interpolated.
SAME_FRAMES, SAME_FRAMES_INTERPOLATED = 0.3, 0.5
# Ratio of deviations from which another unit or place of r is reported: interpolation smooths the counts, and other
# frames differ by noise.
GAIN = 1.3


@dataclass
class Cause:
    kind: str  # unit, bins, norm, volume, factor, self pairs, exclusions, ties
    text: str  # message for people: the difference, and the option of starhist that reproduces it


MEAN_VOLUME = Cause("volume", "g(r) is divided by the mean volume, not by the mean of 1/V: --normalization mean-volume")


@dataclass
class Explanation:
    """How `value` is computed from the counts; see causes_of()."""

    causes: list
    r: np.ndarray  # centres of the curve's bins, in the unit of the counts
    value: np.ndarray  # of the curve
    ours: np.ndarray  # g(r) from the counts in the same bins, with the defaults of starhist
    explained: np.ndarray  # g(r) from the counts with all causes applied
    same_frames: bool
    exact_bins: bool
    notes: list = field(default_factory=list)


@dataclass
class Exact:
    """Counts of a pair, and the numbers by which programs divide."""

    edges: np.ndarray
    counts: np.ndarray  # summed over the blocks
    norm: float  # sum of pairs over volume
    pairs: float  # of all frames
    frames: int
    number: float  # particles of a pair of one species, per frame; 0 for two species
    volume: float  # g(r) divided by the mean volume, relative to g(r) divided by the mean of 1/V
    dimensions: int = 3  # of the shells: 2 for distances in a plane
    kept: float = 1.0  # fraction of all pairs of such particles that is counted: not 1 with --exclude-same

    def within(self, x):
        """Pairs closer than x, interpolated within bins as for a constant density."""
        total = np.concatenate([[0.0], np.cumsum(self.counts)])
        return np.interp(np.clip(x, 0, None) ** self.dimensions, self.edges**self.dimensions, total)

    def shells(self, low, high):
        """Volumes of shells, or areas of annuli."""
        d = self.dimensions
        return {2: np.pi, 3: 4 / 3 * np.pi}[d] * (high**d - np.clip(low, 0, None) ** d)

    def on_edges(self, x):
        width = self.edges[1] - self.edges[0]
        return bool((abs(x / width - np.round(x / width)) < 1e-3).all())


def exact_of(pair, counts, volume, dimensions=3):
    """Returns the Exact of PairCounts. volume, dimensions: see Exact."""
    first, second = (counts.particle_number[:, k].sum() / counts.frames.sum() for k in pair.species)
    like = pair.species[0] == pair.species[1]
    number = first if like else 0.0
    all_pairs = first * (first - 1) / 2 if like else first * second  # per frame
    excludes = counts.provenance.get("option --exclude-same", "none") != "none"
    return Exact(
        counts.edges,
        pair.counts.sum(axis=0).astype(float),
        float(pair.pairs_over_volume.sum()),
        float(pair.pairs.sum()),
        int(counts.frames.sum()),
        float(number),
        volume,
        dimensions,
        float(pair.pairs.sum() / counts.frames.sum() / all_pairs) if excludes and all_pairs else 1.0,
    )


@dataclass
class _Trial:
    """A unit and a place of r in the bins, and g(r) of the counts with them."""

    scale: float
    offset: float
    low: np.ndarray
    high: np.ndarray
    exact_bins: bool  # whether low and high are edges of the counts' bins
    ideal: np.ndarray  # pairs in each bin for g(r) = 1
    value: np.ndarray
    pairs: np.ndarray
    g: np.ndarray
    factor: float
    misfit: float
    rest: np.ndarray  # value / factor - g

    @property
    def is_same(self):
        """Whether the curve differs from the counts by less than curves of independent frames."""
        bulk = _bulk(self.g)
        noise = np.sqrt((self.g[bulk] ** 2 / np.maximum(self.pairs[bulk], 1)).mean())
        return bool(self.misfit < (SAME_FRAMES if self.exact_bins else SAME_FRAMES_INTERPOLATED) * noise)


def _trial(exact, r, value, scale, offset):
    r = r * scale
    width = np.median(np.diff(r))
    low, high = r - offset * width, r + (1 - offset) * width
    low = np.where(abs(low) < 1e-6 * width, 0, low)  # 0.05 - 0.1 / 2 is not 0
    used = (high <= exact.edges[-1] * (1 + 1e-9)) & (high > 1e-3 * width) & np.isfinite(value)
    if low.min() < -0.75 * width or used.sum() < 8:
        return None
    low, high, value = np.clip(low[used], 0, None), high[used], value[used]
    pairs = exact.within(high) - exact.within(low)
    ideal = exact.norm * exact.shells(low, high)
    g = pairs / ideal
    factor = _factor(value, g, ideal)
    if not factor > 0:
        return None
    rest = value / factor - g
    kept = np.sort(abs(rest)[_bulk(g)])
    misfit = float(np.sqrt((kept[: max(4, int(0.85 * len(kept)))] ** 2).mean()))
    exact_bins = exact.on_edges(np.concatenate([low, high]))
    return _Trial(scale, offset, low, high, exact_bins, ideal, value, pairs, g, factor, misfit, rest)


def _bulk(g):
    """Bins beyond the first where g(r) is not zero: self pairs and empty bins are left out."""
    filled = np.flatnonzero(g > 0)
    bulk = np.zeros(len(g), bool)
    bulk[(filled[0] if filled.size else 0) :] = True
    bulk[0] = False
    return bulk


def _factor(value, g, ideal):
    """Ratio of the curve to g(r) in the outer half of the bins: sums are insensitive to ties and rounding."""
    outer = slice(len(g) // 2, None)
    norm = (g[outer] * ideal[outer]).sum()
    return float((value[outer] * ideal[outer]).sum() / norm) if norm > 0 else 0.0


def best_trial(exact, r, value, own_unit):
    """Returns (the _Trial whose unit and bins describe the curve best, {scale of r: unit})."""
    known = FACTORS.get(own_unit)
    scales = {1.0: own_unit, **UNKNOWN_SCALES}
    if known:
        scales = {size / known: name for name, size in FACTORS.items()}
    trials = [
        trial
        for scale in scales
        for offset in OFFSETS.values()
        if (trial := _trial(exact, r, value, scale, offset)) is not None
    ]
    if not trials:
        raise ResultError(
            f"r of the curve ({r[0]:.4g} to {r[-1]:.4g}) and the bins of the result (up to {exact.edges[-1]:.4g} "
            f"{own_unit}) share fewer than 8 bins: count with a larger --r-max"
        )
    best = min(
        trials,
        key=lambda trial: trial.misfit * (1 if trial.offset == 0.5 else 1.02) * (1 if trial.exact_bins else GAIN),
    )
    if not best.is_same:
        plain = [trial for trial in trials if (trial.scale, trial.offset) == (1.0, 0.5)]
        best = next((trial for trial in plain if trial.misfit < GAIN * best.misfit), best)
    return best, scales


def causes_of(exact, r, value, unit, own_unit, step):
    """Returns the Explanation of a curve.

    exact: Exact; r, value: of the curve; unit: of r, "" if unknown; own_unit: of the counts; step: size of the
    last digit of `value`, 0 for full precision.
    """
    trial, scales = best_trial(exact, r, value, own_unit)
    causes, notes = [], []
    found_unit = scales[trial.scale]
    if trial.scale in UNKNOWN_SCALES and own_unit not in FACTORS:
        causes.append(Cause("unit", f"r is in {found_unit}, which is unknown: count or compare with --unit"))
    elif found_unit != own_unit:
        named = (
            "" if unit == found_unit else f", although it specifies {unit}" if unit else ", which it does not specify"
        )
        causes.append(Cause("unit", f"r is in {found_unit}{named}; the result in {own_unit}: --out-unit {found_unit}"))
    width = trial.high[-1] - trial.low[-1]
    if trial.offset != 0.5 or trial.high[0] < 0.75 * width:
        causes.append(_bin_cause(trial, width, own_unit))
    rounding = 0.5 * step / trial.factor
    self_pairs = _self_pairs(trial, exact)
    if self_pairs:
        causes.append(
            Cause("self pairs", "each particle is counted as its own neighbour at r = 0: starhist omits self pairs")
        )
    excluded, region = _excluded(trial, exact, self_pairs, rounding)
    if excluded:
        where = f"{abs(excluded):g} pairs per frame up to r = {f'{trial.high[region - 1]:.4g} {own_unit}'.rstrip()}"
        causes.append(
            Cause("exclusions", f"the curve lacks {where}: rdf --exclude-same molecule (or residue)")
            if excluded > 0
            else Cause(
                "exclusions", f"the curve includes {where}, which the result lacks: count without --exclude-same"
            )
        )
    causes += _norm_causes(trial, exact, excluded, step)
    moved = _ties(trial, 1 if self_pairs else 0, region, rounding) if trial.is_same and trial.exact_bins else 0
    if moved:
        causes.append(
            Cause(
                "ties",
                f"pairs at a bin edge are in the neighbouring bin (about {moved:.0f}; single precision, or bins closed "
                "above): sums over neighbouring bins are equal",
            )
        )
    if not trial.is_same:
        notes.append(OTHER_FRAMES + ("; the causes are the closest match" if causes else ""))
    if not trial.exact_bins:
        notes.append(
            f"bins of the curve begin between bins of the result, which were interpolated: count with --bin-width "
            f"{_finer(trial):.6g} for exact numbers"
        )
    return Explanation(
        causes,
        (trial.low + trial.high) / 2,
        trial.value,
        trial.g,
        _explained(trial, exact, self_pairs, region),
        trial.is_same,
        trial.exact_bins,
        notes,
    )


def _finer(trial):
    """Bin width that has all edges of the curve's bins."""
    width = trial.high[-1] - trial.low[-1]
    return width / 2 if abs(trial.low[-1] / width - round(trial.low[-1] / width)) > 0.25 else width


def _bin_cause(trial, width, unit):
    unit = f" {unit}" if unit else ""
    if trial.offset == 0.5:
        return Cause(
            "bins",
            f"bins are centred on multiples of {width:.4g}{unit}, the first has half the width: count with --bin-width "
            f"{width / 2:.4g} and merge pairs of bins, beginning with the second",
        )
    name = "lower" if trial.offset == 0 else "upper"
    return Cause(
        "bins", f"r is the {name} edge of each bin, not its centre: add {0.5 - trial.offset:+.1f} bin widths to r"
    )


def _self_pairs(trial, exact):
    """Whether the first bin, which begins at 0, holds each particle once more."""
    if not exact.number or trial.low[0] > 0:
        return False
    more = trial.rest[0] * trial.ideal[0]  # pairs; ordered pairs are counted twice, a particle itself once
    return abs(more / (0.5 * exact.number * exact.frames) - 1) < 0.05


def _excluded(trial, exact, self_pairs, rounding):
    """Returns (pairs per frame that the curve lacks [< 0: has in addition], number of bins up to the last of them)."""
    more = trial.rest * trial.ideal
    if self_pairs:
        more[0] = 0
    limit = _limits(trial, rounding) * (1 if trial.is_same else 4)
    half = len(more) // 2
    far = abs(more[:half]) > limit[:half]
    if not far.any():
        return 0, 0
    # Ties cancel in the sum; excluded pairs do not.
    region = int(np.flatnonzero(far)[-1]) + 1
    lost = -more[:region].sum()
    per_frame = lost / exact.frames
    doubt = np.sqrt((limit[:region] ** 2).sum()) / exact.frames
    scale = trial.pairs[:region].sum() / exact.frames
    if abs(per_frame) < max(0.5, 3 * doubt, 0.02 * scale):
        return 0, 0
    whole = round(per_frame)
    return (whole if whole and abs(per_frame - whole) < max(0.05, 3 * doubt, 0.01 * abs(whole)) else per_frame), region


def _explained(trial, exact, self_pairs, region):
    """Values that the counts give with all causes; in the first `region` bins, where pairs are excluded, the curve's."""
    pairs = trial.pairs + 0.0
    if self_pairs:
        pairs[0] += 0.5 * exact.number * exact.frames
    value = pairs / trial.ideal * trial.factor
    value[:region] = trial.value[:region]
    return value


def _limits(trial, rounding):
    """Largest difference of the pairs in a bin that rounding and ties explain."""
    blur = 0 if trial.exact_bins else 0.25
    return 1.5 + 2 * rounding * trial.ideal + (0.15 + blur) * trial.pairs + 3 * np.sqrt(trial.pairs) * 0.5


def _norm_causes(trial, exact, excluded, step):
    """Causes of the constant factor between the curve and g(r)."""
    ideal = trial.ideal
    outer = slice(len(ideal) // 2, None)
    total = (trial.g * ideal)[outer].sum()
    doubt = np.sqrt((ideal[outer] ** 2).sum()) * step / np.sqrt(12) / total / trial.factor
    doubt += 1.0 * np.sqrt(max(1.0, 0.01 * trial.pairs[-1])) / max(1.0, trial.pairs[outer].sum())
    if not trial.exact_bins:
        doubt += 0.5 * np.sqrt(trial.pairs[-1]) / max(1.0, trial.pairs[outer].sum())
    if not (trial.is_same and trial.exact_bins):
        doubt += 3 * trial.misfit / np.sqrt(len(ideal[outer])) / trial.g[outer].mean()
    n = exact.number
    squared = Cause("norm", "g(r) is divided by N^2 pairs; starhist divides by N(N - 1): multiply by N/(N - 1)")
    twice = Cause("factor", "each pair is counted twice: divide by 2")
    once = Cause("factor", "each pair is counted once, although g(r) needs both directions: multiply by 2")
    density = Cause("factor", "the curve is a number density, not g(r): divide by the density")
    options = [(1.0, [])]
    if n > 1:
        options.append(((n - 1) / n, [squared]))
    options += [(value * exact.volume, [*causes, MEAN_VOLUME]) for value, causes in options]
    if excluded:
        share = excluded * exact.frames / exact.pairs
        less = Cause("norm", "g(r) is divided by the pairs without the excluded ones, as by rdf --exclude-same")
        options += [(value / (1 - share), [*causes, less]) for value, causes in options]
    if exact.kept < 1:
        everyone = Cause(
            "norm",
            "g(r) is divided by all pairs, although excluded ones are not counted; starhist divides by the counted "
            f"kinds of pairs: multiply by {1 / exact.kept:.6g}",
        )
        options += [(value * exact.kept, [*causes, everyone]) for value, causes in options]
    options += [(value * by, [*causes, why]) for value, causes in options for by, why in ((2.0, twice), (0.5, once))]
    if n:
        options.append((n * exact.norm / exact.pairs, [density]))
    fits = [(len(causes), abs(trial.factor / value - 1), causes) for value, causes in options]
    close = [fit for fit in fits if fit[1] <= 3.5 * doubt + 1e-7]
    if close:
        return min(close, key=lambda fit: fit[:2])[2]
    nearest = min(fits, key=lambda fit: fit[1])
    if nearest[1] <= 8 * doubt + 1e-6:
        return nearest[2]
    return [
        Cause("factor", f"the curve is {trial.factor:.6g} times g(r): another volume, density or number of particles")
    ]


def _ties(trial, first, region, rounding):
    """Returns the number of pairs that are in a neighbouring bin; 0 if rounding explains the difference."""
    refined = _factor(trial.value, trial.g, trial.ideal)
    more = ((trial.value / refined - trial.g) * trial.ideal)[max(first, region) :]
    limit = (0.6 + 1.2 * rounding * trial.ideal)[max(first, region) :]
    far = abs(more) > limit
    if far.sum() < 2:
        return 0
    more = np.where(far, more, 0)
    if abs(np.cumsum(more)).max() > 3 * abs(more).max() + 2:
        return 0
    return abs(more).sum() / 2
