"""Differences of two curves without counts."""

import numpy as np

from comparison.curve_causes import FACTORS, Cause
from starhist_program import ResultError

GAIN = 0.5  # largest ratio of the deviations with and without a cause


def curve_causes(one, other, path):
    """Returns (causes, r, difference after them) of two curves (r, values, unit of r or "")."""
    (r, value, unit), (other_r, other_value, other_unit) = one, other
    width = np.median(np.diff(other_r))
    scales = {1.0: ""}
    if unit and other_unit:
        scales = {FACTORS[other_unit] / FACTORS[unit]: other_unit}
    elif not (unit and other_unit):
        scales |= {10.0: "nm", 0.1: "A"}
    best = None
    for scale in scales:
        for shift in (0.0, 0.5, -0.5):
            moved = (other_r + shift * width) * scale
            inside = (r >= moved[0]) & (r <= moved[-1])
            if inside.sum() < 8:
                continue
            there = np.interp(r[inside], moved, other_value)
            far = np.sqrt(np.mean((there - value[inside]) ** 2)) + 1e-15
            price = 1 if scale == 1 and shift == 0 else 1 / GAIN
            if best is None or far * price < best[0]:
                best = (far * price, scale, shift, inside, there)
    if best is None:
        raise ResultError(
            f"{path}: its r overlaps the reference's in fewer than 8 rows (other units?): pass curves of one range"
        )
    _, scale, shift, inside, there = best
    causes = []
    if scale != 1:
        causes.append(Cause("unit", f"r is {1 / scale:.6g} times the reference's r: convert it"))
    if shift:
        causes.append(Cause("bins", f"r is shifted by half a bin: add {shift:+.1f} bin widths"))
    outer = slice(len(there) // 2, None)
    factor = there[outer].sum() / value[inside][outer].sum() if value[inside][outer].sum() else 1.0
    plain, scaled = there - value[inside], there / factor - value[inside]
    if factor > 0 and (scaled**2).mean() < GAIN**2 * (plain**2).mean():
        causes.append(Cause("factor", f"values are {factor:.6g} times the reference's (norm, density or volume)"))
        plain = scaled
    return causes, r[inside], plain
