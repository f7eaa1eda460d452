"""Where the peaks of g(r) are; used by plot_rdf.py and report.py.

A curve has r, value and counts: arrays with an element for each bin.
"""
import numpy as np


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


def shell_end(curve, is_g):
    """Bin of the minimum after the first peak, where the first shell of neighbours ends."""
    peak = first_peak(curve, is_g)
    if peak is None:
        return len(curve.value) - 1
    width = max(3, len(curve.value) // 100)
    smooth = np.convolve(curve.value, np.ones(width) / width, mode="same")
    start = int(np.searchsorted(curve.r, peak[0]))
    rising = np.flatnonzero(np.diff(smooth[start + width:]) > 0)
    return start + width + int(rising[0]) if rising.size else len(curve.value) - 1


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
