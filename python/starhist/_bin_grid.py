"""Bins on a range that does not begin at 0."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

FINEST = 100
"""Largest number of counted bins per bin."""


@dataclass(frozen=True)
class BinGrid:
    """Bins of equal width on [begin, end), counted as bins of equal width on [0, end)."""

    bins: int
    begin: float
    end: float
    below: int
    """Number of counted bins below `begin`."""
    per_bin: int
    """Number of counted bins per bin; more than 1 if `begin` is not a multiple of the bin width."""

    @classmethod
    def of(cls, bins: int, begin: float, end: float, name: str) -> BinGrid:
        """`name`: of `begin` in the message of the ValueError."""
        width = (end - begin) / bins
        exact = begin / width
        ratio = Fraction(exact).limit_denominator(FINEST)
        if abs(float(ratio) - exact) > 1e-9 * max(exact, 1):
            raise ValueError(
                f"{name} is {begin:g}, and no multiple of a fraction of the bin width {width:g} down to 1/{FINEST}, as "
                f"counting requires: pass 0, or {float(end * ratio / (bins + ratio)):.12g}"
            )
        return cls(bins, begin, end, ratio.numerator, ratio.denominator)

    @property
    def counted(self) -> int:
        """Number of bins to count on [0, end)."""
        return self.below + self.bins * self.per_bin

    @property
    def edges(self) -> npt.NDArray[np.float64]:
        return np.linspace(self.begin, self.end, self.bins + 1)

    def merged(self, counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Counts in the bins of the range, of `counts` in the counted bins (the last axis)."""
        merged: npt.NDArray[Any] = np.add.reduceat(counts, range(self.below, self.counted, self.per_bin), axis=-1)
        return merged
