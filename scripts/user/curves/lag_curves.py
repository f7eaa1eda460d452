"""Curves by lag of a result of `starhist vanhove`, read by `starhist export`."""

from dataclasses import dataclass

import numpy as np

from curves.rdf_curves import as_array, caveats_of, curves_of
from starhist_program import ResultError, asked, with_errors


@dataclass
class LagCurves:
    """Values of each pair or species, by lag and bin; only by lag for msd."""

    quantity: str
    unit: str  # of lengths; "" if unknown
    time_unit: str  # "" if unknown
    lags: np.ndarray  # [lags]; in frames
    times: np.ndarray  # [lags]; NaN if unknown
    r: np.ndarray  # [bins]; bin centres; empty for msd
    curves: list  # of (label, values, standard errors or None)
    caveat: str = ""  # caveats_of() its table
    isotropic: str = ""  # Result.isotropic


def is_lag_result(program, path):
    """Whether `path` is a result of starhist vanhove; no other has mean squared displacements."""
    return asked(program, "export", "--quantity", "msd", "--", path)[0] is not None


def read_lag_curves(program, path, quantity, chosen=()):
    """LagCurves of a quantity. chosen: ("--pairs", "O-O") or ("--species", "O"); (): all."""
    by_bin = quantity != "msd"
    table, problem = with_errors(program, "export", path, quantity, *["--map"] * by_bin, *chosen)
    if table is None:
        raise ResultError(problem)
    lags = np.array(table["lag"])
    rows = np.flatnonzero(np.diff(lags, prepend=-1))  # the first of each lag
    shape = (len(rows), -1) if by_bin else (-1,)
    return LagCurves(
        quantity,
        table["length_unit"].replace("unknown", ""),
        table["time_unit"].replace("unknown", ""),
        lags[rows],
        as_array(table["time"])[rows],
        as_array(table["r"])[: rows[1] if len(rows) > 1 else None] if by_bin else np.array([]),
        [
            (label, as_array(values).reshape(shape), errors and as_array(errors).reshape(shape))
            for label, values, errors in curves_of(table)
        ],
        caveats_of(table),
        table.get("isotropic_caveat", ""),
    )
