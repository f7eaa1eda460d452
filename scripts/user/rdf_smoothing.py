"""Bonded peaks, noise and smoothing of g(r); used by rdf_extrema.py and for axes.

A curve has r, value and counts: arrays with an element for each bin.
"""

import numpy as np


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
