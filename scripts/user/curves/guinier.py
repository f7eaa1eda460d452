"""Radius of gyration and forward intensity by Guinier's law."""

from dataclasses import dataclass

import numpy as np

FEWEST = 4  # points of a fit
LARGEST = 1.3  # value of q Rg up to which the law holds within about 2 % for globular bodies


@dataclass
class GuinierFit:
    rg: float  # radius of gyration [length unit of 1/q]
    intensity: float  # I(0), in the unit of the intensities
    points: int  # of the fit
    q_last: float  # largest q of the fit


def guinier_fit(q, intensity):
    """Fits ln I(q) = ln I(0) - (q Rg)^2 / 3 to all points with q Rg <= 1.3 (Guinier, Ann. Phys. 12, 161, 1939).

    q rises; points whose intensity is not positive or not defined are left out. Returns None if fewer than four
    points lie in the range of the law, or if the intensity does not fall there.
    """
    usable = np.isfinite(intensity) & (intensity > 0)
    x, y = q[usable] ** 2, np.log(intensity[usable])
    best = None
    for points in range(FEWEST, len(x) + 1):
        slope, offset = np.polyfit(x[:points], y[:points], 1)
        if slope >= 0 or x[points - 1] * -3 * slope > LARGEST**2:
            break
        best = GuinierFit(float(np.sqrt(-3 * slope)), float(np.exp(offset)), points, float(np.sqrt(x[points - 1])))
    return best
