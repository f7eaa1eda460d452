"""Reads result files and trajectory files, by running the program of the package."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._analysis import AnyPath
from ._messages import in_words_of_python
from ._output import count, exported
from ._warnings import (
    warn,
    warn_if_nothing_defined,
    warn_of_half_box,
    warn_of_recorded,
    warn_of_undefined,
)
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
    unit = table["length_unit"]
    result.length_unit = "" if unit == "unknown" else unit
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
    shape = result.counts.shape
    caveats: list[str] = []
    try:
        g = _curves(path, "g", caveats, "--normalization", result.normalization)
    except ValueError:  # no volume
        if result.normalization == "per-frame":
            raise
        undefined = np.full(shape[1], np.nan)
        g = iter([("", undefined, undefined)] * shape[0])
    result.g, result.g_errors = np.empty(shape), np.empty(shape)
    for k in range(shape[0]):
        _, result.g[k], result.g_errors[k] = next(g)
    result.n, result.n_errors = np.empty(shape), np.empty(shape)
    result.n_reverse, result.n_reverse_errors = np.empty(shape), np.empty(shape)
    n = _curves(path, "coordination", caveats)
    for k, pair in enumerate(result.pairs):
        label, *forward = next(n)
        reverse = forward if _is_like(pair, label) else next(n)[1:]
        result.n[k], result.n_errors[k] = forward
        result.n_reverse[k], result.n_reverse_errors[k] = reverse
    warn(caveats)


def _is_like(pair: str, label: str) -> bool:
    """Whether a pair consists of one species with itself.

    Species names may contain hyphens: "A-B-A-B" may be A-B with itself, or A-B-A with B. `label` is the
    label of the pair's first coordination curve, such as "B around A". Both texts together are
    unambiguous.
    """
    name = pair[: len(pair) // 2]
    names = {name, name[1:-1]} if name[:1] == "(" and name[-1:] == ")" else {name}
    return pair == f"{name}-{name}" and any(label == f"{name} around {name}" for name in names)


def _curves(path: str, quantity: str, caveats: list[str], *options: str) -> Iterator[tuple[str, Floats, Floats]]:
    """Yields label, values and standard errors of each curve; NaN where undefined.

    Appends warnings about the standard errors to `caveats`.
    """
    try:
        table = exported(path, quantity, "--errors", *options)
        curves = table["curves"]
        values, errors = curves[::2], curves[1::2]
        caveats += [in_words_of_python(table["errors_caveat"])] if "errors_caveat" in table else []
    except ValueError:  # there is one block
        values = exported(path, quantity, *options)["curves"]
        errors = [{"value": [None] * len(curve["value"])} for curve in values]
    return (
        (value["label"], np.array(value["value"], dtype=np.float64), np.array(error["value"], dtype=np.float64))
        for value, error in zip(values, errors)
    )


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
    with tempfile.TemporaryDirectory(prefix="starhist-") as folder:
        file = os.path.join(folder, "result.h5")
        count("rdf", options, names, file, temporary)
        result, _ = _read(file, normalization)
    if warn_if_open:
        warn_if_nothing_defined(result)
    return result
