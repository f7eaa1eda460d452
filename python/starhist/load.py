"""Reads result files and trajectory files, by running the program of the package."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._analysis import AnyPath
from ._output import counted, exported, exported_curves, unit_of, values_of
from ._warnings import warn_if_nothing_defined, warn_of_half_box, warn_of_recorded, warn_of_undefined
from .result import NORMALIZATIONS, Floats, Result
from .save import Saved


def load(path: AnyPath, normalization: str = "pairs-over-volume") -> Result:
    """Read a result file that the program or :meth:`Result.save` has written.

    Parameters
    ----------
    path : path-like
        A result file of any version of starhist, or the .partial file of a killed run.
    normalization : {"pairs-over-volume", "mean-volume", "per-frame"}
        Normalization of g(r); see :meth:`Counter.result`.

    Returns
    -------
    Result

    Raises
    ------
    OSError
        If the file does not exist or cannot be read.
    ValueError
        If it is not a result file or is damaged, or the normalization is unknown or not possible.
    RuntimeError
        If the program fails.

    Examples
    --------
    >>> import starhist, tempfile, pathlib
    >>> result = starhist.rdf([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]], box=[1, 1, 1], r_max=0.5, bins=5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "rdf.h5"
    ...     result.save(file)
    ...     again = starhist.load(file)
    >>> bool((again.counts == result.counts).all())
    True
    """
    if normalization not in NORMALIZATIONS:
        raise ValueError(f"normalization is {normalization!r}: pass one of {', '.join(NORMALIZATIONS)}")
    result, table = _read(os.fspath(path), normalization)
    warn_of_recorded(table)
    return result


def _read(name: str, normalization: str) -> tuple[Result, Any]:
    """Returns a result and its table of counts, without the warnings that the run has recorded."""
    data = Path(name).read_bytes()
    table = exported(name, "counts")
    if "n" in table:
        raise ValueError(f"{name} is a result of coordination(): pass it to load_coordination()")
    if "time_unit" in table:
        raise ValueError(f"{name} is a result of vanhove(): pass it to load_vanhove()")
    result = Result()
    result.pairs = [curve["label"] for curve in table["curves"]]
    lowest, upper = table["r_lower"][0], table["r_upper"]
    explicit = table.get("bins") == "edges"
    result.edges = np.array([lowest, *upper]) if explicit else edges_of_table(lowest, upper)
    result.counts = np.array([curve["value"] for curve in table["curves"]], dtype=np.uint64)
    result.out_of_range = np.array([curve["out_of_range"] for curve in table["curves"]], dtype=np.uint64)
    result.frames = table["frames"]
    result.normalization = normalization
    result.plane = table.get("plane", "")
    result.geometry = table.get("geometry", "")
    result.length_unit = unit_of(table)
    result._file = Saved(data)
    _set_distributions(result, name)
    warn_of_undefined(result)
    warn_of_half_box(result)
    return result, table


def edges_of_table(r_min: float, upper: list[float]) -> Floats:
    """Bin edges as the program computes them; its tables print the decimals that were meant."""
    r_max, count = upper[-1], len(upper)
    below = round(r_min * count / (r_max - r_min))
    edges: Floats = (below + np.arange(count + 1)) * r_max / (below + count)
    return edges


def _set_distributions(result: Result, path: str) -> None:
    tables = []
    try:
        table, g, g_errors = exported_curves(path, "g", "--normalization", result.normalization)
        tables.append(table)
        result.g, result.g_errors = values_of(g), values_of(g_errors)
    except ValueError:  # no volume
        if result.normalization == "per-frame":
            raise
        result.g = np.full(result.counts.shape, np.nan)
        result.g_errors = result.g.copy()
    table, n, n_errors = exported_curves(path, "coordination")
    directions = zip([curve["label"] for curve in n], values_of(n), values_of(n_errors))
    result.n, result.n_errors, result.n_reverse, result.n_reverse_errors = np.empty((4, *result.counts.shape))
    for k, pair in enumerate(result.pairs):
        label, *forward = next(directions)
        reverse = forward if _is_like(pair, label) else next(directions)[1:]
        result.n[k], result.n_errors[k] = forward
        result.n_reverse[k], result.n_reverse_errors[k] = reverse
    warn_of_recorded(*tables, table, entry="errors_caveat")


def _is_like(pair: str, label: str) -> bool:
    """Whether a pair consists of one species with itself.

    Species names may contain hyphens: "A-B-A-B" may be A-B with itself, or A-B-A with B. `label` is the
    label of the pair's first coordination curve, such as "B around A". Both texts together are
    unambiguous.
    """
    name = pair[: len(pair) // 2]
    names = {name, name[1:-1]} if name[:1] == "(" and name[-1:] == ")" else {name}
    return pair == f"{name}-{name}" and any(label == f"{name} around {name}" for name in names)


def count_files(
    paths: Sequence[AnyPath],
    options: Sequence[str],
    normalization: str,
    warn_if_open: bool = True,
    temporary: Mapping[str, str] | None = None,
) -> Result:
    """Returns the result of `starhist rdf PATH... OPTIONS`, with a warning if boxes have no volume.

    temporary: names of temporary files in messages.

    Raises ValueError or RuntimeError with the message of the program; its warnings become warnings of Python.
    """
    names = [os.fspath(path) for path in paths]
    result = counted("rdf", options, names, lambda file: _read(file, normalization), temporary)
    if warn_if_open:
        warn_if_nothing_defined(result)
    return result
