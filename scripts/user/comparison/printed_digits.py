"""Rounding errors of numbers in text files, from their printed digits."""

import re

import numpy as np

NUMBER = re.compile(r"[-+]?(\d*)(?:\.(\d*))?([eEdD][-+]?\d+)?")
FULL = 15  # significant digits of numbers in full precision


def rounding_of(words):
    """Returns the largest rounding error of each word: half its last digit; 0 in full precision.

    Words of one number of decimals were printed with fixed decimals. Other words had the same number of significant
    digits before trailing zeros were removed, as by %g.
    """
    values = np.array([float(word) if word else np.nan for word in words])
    parts = [match.groups(default="") for word in words if word and (match := NUMBER.fullmatch(word))]
    parts = [part for part in parts if (part[0] + part[1]).strip("0")]
    if not parts:
        return np.zeros(len(values))
    decimals = {len(part[1]) for part in parts}
    significant = max(len((part[0] + part[1]).lstrip("0")) for part in parts)
    if significant >= FULL:
        return np.zeros(len(values))
    if len(decimals) == 1 and not any(part[2] for part in parts):
        return np.full(len(values), 0.5 * 10.0 ** -decimals.pop())
    sizes = np.floor(np.log10(np.where(np.isfinite(values) & (values != 0), abs(values), 1.0)))
    return np.where(values == 0, 0.0, 0.5 * 10.0 ** (sizes + 1 - significant))
