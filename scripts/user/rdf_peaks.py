"""Where the peaks of g(r) are; used by plot_rdf.py and report.py.

A curve has r, value and counts: arrays with an element for each bin.
"""
from types import SimpleNamespace

import numpy as np

DRAWS = 200  # of the bootstrap: its errors are then uncertain by 5 %


def first_peak(curve, is_g):
    """(r, height) of the first maximum that stands out of the noise, or None.

    It stands out when the curve falls after it by a fifth of its height and by three
    standard errors of its counts; g(r) must also rise above 1.
    """
    best = None
    for r, value, count in zip(curve.r, curve.value, curve.counts):
        if best is None or value > best[1]:
            best = (r, value, count)
        elif best[2] > 0:
            drop = max(0.2 * best[1], 3 * best[1] / np.sqrt(best[2]))
            if value < best[1] - drop and (not is_g or best[1] > 1):
                return best[:2]
    return None


def bonded_bins(curve):
    """Bins up to a gap after which all is small compared with the peaks before it.

    Distances within a molecule make narrow peaks with next to nothing between them and
    the neighbours in other molecules.
    """
    highest = int(np.argmax(curve.value))
    gaps = np.flatnonzero(curve.value[highest:] < 0.01 * curve.value[highest])
    start = highest + int(gaps[0]) if gaps.size else 0
    return start if curve.value[highest] > 3 * curve.value[start:].max() > 0 else 0


def noise_of(value, counts):
    """Standard errors of the bins, as far as they are those of the counts."""
    return value / np.sqrt(np.maximum(counts, 1))


def smooth(value, width, power=1):
    """The average of each bin and its neighbours, with Gaussian weights of `width` bins.

    value: [..., bins]. At the ends the weights of the bins that are there count. With power 2 the
    squares of the weights are used, as the variance of the average needs them.
    """
    reach = int(np.ceil(3 * width))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    bins = value.shape[-1]
    norm = np.convolve(np.ones(bins), weights)[reach:reach + bins]
    length = bins + 2 * reach
    sums = np.fft.irfft(np.fft.rfft(value, length) * np.fft.rfft(weights ** power, length), length)
    # What the transform leaves of zeros is rounding.
    sums = np.where(np.abs(sums) < 1e-13 * np.max(np.abs(value), initial=0), 0, sums)
    return sums[..., reach:reach + bins] / norm ** power


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
        error = np.sqrt(np.maximum(smooth(noise ** 2, width, 2), 0))
        if np.median(error[start:]) <= span / 40:
            break
        width *= 1.5
    return width


def smoothed(value, counts, start):
    """(the curve, its standard errors) after smoothing by smoothing_width()."""
    noise = noise_of(value, counts)
    width = smoothing_width(value, counts, start)
    if width == 0:
        return value, noise
    return smooth(value, width), np.sqrt(np.maximum(smooth(noise ** 2, width, 2), 0))


def minimum_after(value, counts, start):
    """Bin of the first minimum of the smoothed curve after bin `start`, or None.

    A minimum is one if the curve rises after it by five standard errors, as the highest of many
    bins is compared with the lowest, and by a thirtieth of what it has fallen.
    """
    curve, error = smoothed(value, counts, start)
    lowest = start
    for k in range(start, len(curve)):
        if curve[k] < curve[lowest]:
            lowest = k
        rise = max(5 * np.hypot(error[k], error[lowest]), (curve[start] - curve[lowest]) / 30)
        if lowest > start and curve[k] - curve[lowest] > rise:
            return lowest
    return None


def shell_end(curve, is_g):
    """Bin of the minimum after the first peak, where the first shell of neighbours ends.

    The last bin if there is none.
    """
    peak = first_peak(curve, is_g)
    end = None
    if peak is not None:
        end = minimum_after(curve.value, curve.counts, int(np.searchsorted(curve.r, peak[0])))
    return len(curve.value) - 1 if end is None else end


def shell_errors(curve, is_g, blocks):
    """Standard errors of the end of the first shell and of the coordination numbers within it.

    Bootstrap over blocks (Efron, Ann. Stat. 7, 1 (1979)): blocks are drawn with replacement, each
    as often as it has frames, and each draw finds its own minimum, so the error of a coordination
    number includes that the minimum moves. The jackknife is not fit for the place of a minimum,
    which is no smooth function of the counts. blocks: counts [blocks, bins], frames [blocks] and
    particles [directions, blocks], sums over the frames of a block. Returns (error of r, [error of
    n in each direction]); None where one block has nearly all frames.
    """
    counts, frames, particles = blocks
    shares = frames / frames.sum()
    number = 1 / np.sum(shares ** 2)  # of equal blocks with as much scatter
    if number < 1.5:
        return None
    total = counts.sum(axis=0)
    draws = np.random.default_rng(1).multinomial(round(number), shares, size=DRAWS)
    found = []
    for times in draws:
        drawn = times @ counts
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.where(total > 0, curve.value * drawn / total, 0)
        end = shell_end(SimpleNamespace(r=curve.r, value=value, counts=drawn), is_g)
        within = drawn[:end + 1].sum()
        found.append([curve.r[end], *(within / max(1, times @ n) for n in particles)])
    # Draws vary less than blocks do, by (number - 1) / number.
    errors = np.std(found, axis=0) * np.sqrt(number / (number - 1))
    return errors[0], list(errors[1:])


def print_peaks(result):
    """A line per curve: where its first peak is, and how high."""
    quantity = "g" if result.is_g else "p"
    for curve in result.curves:
        peak = first_peak(curve, result.is_g)
        if peak is None:
            print(f"{curve.pair}: no peak stands out")
        else:
            unit = f" {result.unit}" if result.unit else ""
            print(f"{curve.pair}: first peak at r = {peak[0]:.4g}{unit}, "
                  f"{quantity} = {peak[1]:.4g}")
