"""Noise and smoothing of g(r) and p(r); used by rdf_extrema.py."""

import numpy as np


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
