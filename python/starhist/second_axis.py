"""SecondAxis: counts and g by distance and second axis, read from a result by the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._analysis import tabulated
from ._output import unit_of

if TYPE_CHECKING:
    from .result import Result

Floats = npt.NDArray[np.float64]


@dataclass
class SecondAxis:
    """Counts of pairs by distance and a second quantity, and their distribution.

    Attributes
    ----------
    name : str
        The second quantity, such as "cos(z)" or "dz".
    pairs : list of str
        Names of the pairs of species.
    r, values : numpy.ndarray of float64, shapes (bins,) and (axis2_bins,)
        Bin centres of the distance, in length_unit, and of the second quantity.
    counts : numpy.ndarray of uint64, shape (pairs, bins, axis2_bins)
        Number of pairs in each bin, summed over the frames. For cosines a pair of particles of the
        same species counts twice, once from each particle.
    g, g_errors : numpy.ndarray of float64, shape (pairs, bins, axis2_bins)
        Distribution, 1 for an ideal gas, and its standard errors; NaN where undefined.
    length_unit : str
        Unit of lengths; "": unknown.
    """

    name: str
    pairs: list[str]
    r: Floats
    values: Floats
    counts: npt.NDArray[np.uint64]
    g: Floats
    g_errors: Floats
    length_unit: str


def read_second_axis(result: Result) -> SecondAxis:
    """Returns the counts and g of a result that was counted with axis2=."""
    counts = tabulated(result, ["export", "--quantity", "axis2-counts"])
    name = str(counts.facts["axis2"])
    columns = int(counts.facts["axis2_bin_count"])
    pairs = list(counts.curves)
    shape = (len(pairs), counts.x.size // columns, columns)
    g, errors = _distribution(result)

    def shaped(curves: dict[str, Any]) -> Floats:
        unknown = np.full(counts.x.size, np.nan)
        return np.array([curves.get(pair, unknown) for pair in pairs]).reshape(shape)

    return SecondAxis(
        name, pairs, counts.x[::columns], np.array(counts.facts[name][:columns], dtype=np.float64),
        shaped(counts.curves).astype(np.uint64), shaped(g), shaped(errors), unit_of(counts.facts),
    )  # fmt: skip


def _distribution(result: Result) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns g and its errors by pair; empty dictionaries if the boxes have no volume."""
    try:
        table = tabulated(result, ["export", "--quantity", "axis2"])
    except ValueError:
        return {}, {}
    return table.curves, table.errors
