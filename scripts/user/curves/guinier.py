"""Radius of gyration and forward intensity by Guinier's law."""

from dataclasses import dataclass

import numpy as np

FEWEST = 4  # points of a fit
LARGEST = 1.3  # value of q Rg up to which the law holds within about 2 % for globular bodies
SCATTER = 0.1  # largest standard deviation of ln I from the line, relative to the fall of the line


class NoGuinierRange(Exception):
    """The intensity has no range of Guinier's law. The text gives reason and remedy."""


@dataclass
class GuinierFit:
    rg: float  # radius of gyration [length unit of 1/q]
    intensity: float  # I(0), in the unit of the intensities
    points: int  # of the fit
    q_last: float  # largest q of the fit


def guinier_fit(q, intensity, error=None):
    """Fits ln I(q) = ln I(0) - (q Rg)^2 / 3 up to q Rg = 1.3 (Guinier, Ann. Phys. 12, 161, 1939).

    q rises. Points whose intensity is not positive or not defined are left out. `error`: standard errors of the
    intensities, used as weights if all of them are positive. The fit ends at the largest q for which its line
    reaches q Rg <= 1.3 and describes the points. Raises NoGuinierRange.
    """
    usable = np.isfinite(intensity) & (intensity > 0)
    x, y = q[usable] ** 2, np.log(intensity[usable])
    weights = np.ones(x.size)
    if error is not None and (error[usable] > 0).all():
        weights = intensity[usable] / error[usable]
    best, steep = None, False
    for points in range(FEWEST, x.size + 1):
        slope, offset = np.polyfit(x[:points], y[:points], 1, w=weights[:points])
        fall = -slope * (x[points - 1] - x[0])
        if fall <= 1e-9:
            continue
        if 3 * -slope * x[points - 1] > LARGEST**2:
            steep = steep or points == FEWEST
            continue
        scatter = np.std(y[:points] - offset - slope * x[:points])
        if scatter <= SCATTER * fall:
            best = GuinierFit(float(np.sqrt(-3 * slope)), float(np.exp(offset)), points, float(np.sqrt(x[points - 1])))
    if best is None and (steep or x.size < FEWEST):
        raise NoGuinierRange(
            f"fewer than {FEWEST} points have q Rg < {LARGEST} (give analyze a smaller --q-min and --q-step)"
        )
    if best is None:
        raise NoGuinierRange("the intensity does not fall as Guinier's law at small q")
    return best
