"""Analyses of a result by the program: peaks, structure factors, Kirkwood-Buff integrals, comparisons."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from ._figures import axes_or_current, axis_label, draw, draw_points, draw_residual, value_label
from ._output import output_and_notes, output_warned, with_names
from ._settings import program_options

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas

    from .result import Result
    from .vanhove import VanHove

Floats = npt.NDArray[np.float64]


class Peak(NamedTuple):
    """A maximum or minimum of g(r), or of p(r) without a box."""

    pair: str
    kind: str
    """"maximum" or "minimum"."""
    r: float
    """Position, in the result's length_unit."""
    r_error: float | None
    """Standard error of r; None: fewer than two blocks."""
    value: float
    """g(r), dimensionless, or p(r), in 1/length_unit."""
    value_error: float | None
    coordination: dict[str, tuple[float | None, float | None]]
    """Neighbours up to r and their standard error, by direction, such as "H around O". None: undefined, because r
    exceeds half the shortest lattice vector of the box."""


@dataclass(repr=False)
class Table:
    """Curves over a common axis, as printed by `starhist analyze`.

    Attributes
    ----------
    axis : str
        Name of the axis: "q", "r", "R" for integrals up to R, or "time" (of the lags), with unknown times "lag".
    x : numpy.ndarray of float64, shape (points,)
        The axis, in 1/length_unit for "q", time_unit for "time", frames for "lag" and length_unit otherwise.
    curves : dict of str to numpy.ndarray of float64, shape (points,)
        Values of each curve; NaN where undefined.
    errors : dict of str to numpy.ndarray of float64, shape (points,)
        Standard errors (jackknife over the blocks), under the same names; empty with fewer than two
        blocks.
    facts : dict
        Remaining properties of the calculation, such as method, window and units; with a measured curve
        R_w as "r_w".
    notes : list of str
        Messages of the program, for example about points or units.
    """

    axis: str
    x: Floats
    curves: dict[str, Floats]
    errors: dict[str, Floats] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        names = ", ".join(self.curves) if len(self.curves) < 7 else f"{len(self.curves)} curves"
        places = f" from {self.x[0]:g} to {self.x[-1]:g}" if len(self.x) else ""
        return f"<starhist.Table: {names} over {len(self.x)} {self.axis}{places}>"

    def __getitem__(self, name: str) -> Floats:
        if name not in self.curves:
            raise KeyError(f"{name} is not among the curves {', '.join(self.curves)}")
        return self.curves[name]

    def plot(
        self,
        curves: str | Sequence[str] | None = None,
        ax: matplotlib.axes.Axes | None = None,
        *,
        label: str | None = None,
    ) -> matplotlib.axes.Axes:
        """Draw curves, with bands of one standard error where known.

        A measured curve is drawn as points, with its residual in a panel below.

        Parameters
        ----------
        curves : str or sequence of str, optional
            Names of the curves; None: all.
        ax : matplotlib.axes.Axes, optional
            Axes to draw into; None: the current axes.
        label : str, optional
            Name in the legend; with several curves it precedes the curve's name. None: that name.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        KeyError
            If a name is unknown.
        ImportError
            If Matplotlib is not installed.
        """
        chosen = list(self.curves) if curves is None else [curves] if isinstance(curves, str) else list(curves)
        values = {name: self[name] for name in chosen}
        lowest = ax = axes_or_current(ax)
        unknown = np.full(self.x.shape, np.nan)
        if "experiment" in values and "residual" in values:
            lowest = draw_residual(ax, self.x, values.pop("residual"), self.errors.get("experiment", unknown))
        for name, y in values.items():
            shown = name if label is None else label if len(values) == 1 else f"{label} {name}"
            drawn = draw_points if name == "experiment" else draw
            drawn(ax, self.x, y, self.errors.get(name, unknown), shown)
        unit = self.facts.get("length_unit", "")
        units = {"time": self.facts.get("time_unit", ""), "lag": "frames"}
        lowest.set_xlabel(axis_label(self.axis, units.get(self.axis, unit)))
        ax.set_ylabel(value_label(self.facts.get("values", ""), unit))
        ax.legend()
        return ax

    def to_dataframe(self) -> pandas.DataFrame:
        """Return a table with one row per curve and point.

        Returns
        -------
        pandas.DataFrame
            Columns curve, the name of the axis, value, error.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas as pd

        points = len(self.x)
        unknown = np.full(points, np.nan)
        return pd.DataFrame(
            {
                "curve": np.repeat(list(self.curves), points),
                self.axis: np.tile(self.x, len(self.curves)),
                "value": np.concatenate(list(self.curves.values())),
                "error": np.concatenate([self.errors.get(name, unknown) for name in self.curves]),
            }
        )


class Comparison(NamedTuple):
    """Comparison of a pair with another result, or with the curve of another program."""

    other: str
    """Label or path of the other result or curve."""
    pair: str
    p: float | None
    """Probability of a larger difference between equal independent runs; None: too few blocks, or a curve."""
    largest: dict[str, float | None] | None
    """Largest difference: "r", "difference" and "standard_errors"."""
    causes: list[dict[str, str]]
    """Causes for which a curve of the same frames differs: "kind" and "text"."""
    notes: list[str]


AnyPath = Union[str, "os.PathLike[str]"]
ResultOrPath = Union["Result", AnyPath]
Names = Mapping[str, str]


def _existing(path: AnyPath) -> str:
    name = os.fspath(path)
    if not Path(name).exists():
        raise FileNotFoundError(f"{name} does not exist")
    return name


@contextlib.contextmanager
def saved(results: Sequence[ResultOrPath | VanHove], names: Sequence[str]) -> Iterator[tuple[list[str], Names]]:
    """Yields paths of the results, and `names` of the temporary files to which those in memory are written."""
    with tempfile.TemporaryDirectory(prefix="starhist-") as folder:
        paths, temporary = [], {}
        for k, (result, name) in enumerate(zip(results, names)):
            if isinstance(result, (str, os.PathLike)):
                path = _existing(result)
            else:
                path = os.path.join(folder, f"result-{k}.h5")
                result._file.write(path, False, result._elements)
                temporary[path] = name
            paths.append(path)
        yield paths, temporary


def _json(arguments: Sequence[str], names: Names) -> Any:
    return json.loads(output_warned(arguments, names))


def peaks(result: Result, pairs: str, prominence: float) -> list[Peak]:
    with saved([result], ["the result"]) as ((path,), names):
        chosen = ["--pairs", pairs] if pairs else []
        table = _json(["peaks", "--format", "json", "--prominence", repr(prominence), *chosen, "--", path], names)
    found: list[Peak] = []
    for row in table["extrema"]:
        n = {row["direction"]: (row["coordination"], row["coordination_error"])}
        place = (row["pair"], row["kind"], row["r"])
        if found and found[-1][:3] == place:
            found[-1].coordination.update(n)
        else:
            found.append(Peak(*place, row["r_error"], row["value"], row["value_error"], n))
    return found


def analyzed(
    result: Result | VanHove,
    quantity: str,
    options: Sequence[str],
    elements: Mapping[str, str] | None = None,
    experiment: AnyPath | None = None,
    own: Sequence[str] = (),
) -> Table:
    """Returns the Table of `starhist analyze --quantity QUANTITY OWN OPTIONS`, with errors if there are enough blocks.

    own: options for other arguments of the caller.
    """
    words = [*own, *program_options(options, "analyze")]
    named = ["--element", ",".join(f"{name}={element}" for name, element in elements.items())] if elements else []
    measured = [] if experiment is None else ["--experiment", _existing(experiment)]
    return tabulated(result, ["analyze", "--quantity", quantity, *named, *measured, *words])


def tabulated(result: Result | VanHove, arguments: Sequence[str]) -> Table:
    """Returns the Table printed by `starhist ARGUMENTS RESULT`, with errors if there are enough blocks."""
    with saved([result], ["the result"]) as ((path,), names):
        words = [*arguments, "--format", "json"]
        with contextlib.suppress(ValueError):
            return _table(*output_and_notes([*words, "--errors", "--", path], names))
        return _table(*output_and_notes([*words, "--", path], names))


def table_rows(result: Result, arguments: Sequence[str]) -> list[dict[str, Any]]:
    """Returns the rows printed by `starhist ARGUMENTS RESULT`; its messages become warnings."""
    with saved([result], ["the result"]) as ((path,), names):
        rows: list[dict[str, Any]] = _json([*arguments, "--format", "json", "--", path], names)["rows"]
        return rows


def _table(text: bytes, notes: list[str]) -> Table:
    table = json.loads(text)
    table.pop("source")  # a temporary file
    axis = next(name for name in ("q", "r", "R", "time") if name in table)
    if axis == "time" and None in table[axis]:
        axis = "lag"
    curves: dict[str, Floats] = {}
    errors: dict[str, Floats] = {}
    ending = " standard error"
    for curve in table.pop("curves"):
        values = np.array(curve["value"], dtype=np.float64)
        label = curve["label"]
        (errors if label.endswith(ending) else curves)[label.removesuffix(ending)] = values
    return Table(axis, np.array(table.pop(axis), dtype=np.float64), curves, errors, table, notes)


def compare(
    result: Result, others: Sequence[ResultOrPath], pairs: str, labels: Sequence[str] | None
) -> list[Comparison]:
    unnamed = [os.fspath(o) if isinstance(o, (str, os.PathLike)) else f"result {k + 2}" for k, o in enumerate(others)]
    names = unnamed if labels is None else list(labels)
    if len(names) != len(others):
        raise ValueError(f"there are {len(names)} labels for {len(others)} results: pass one for each")
    with saved([result, *others], ["result 1", *names]) as (paths, temporary):
        chosen = ["--pairs", pairs] if pairs else []
        table = _json(["compare", "--format", "json", *chosen, "--", *paths], temporary)
    known = dict(zip(paths[1:], names))
    return [_comparison(row, known, temporary) for row in table["comparisons"]]


def _comparison(row: dict[str, Any], known: Names, temporary: Names) -> Comparison:
    other = known.get(row["other"], row["other"])
    causes = [{**cause, "text": with_names(cause["text"], temporary)} for cause in row.get("causes", [])]
    notes = [with_names(note, temporary) for note in row["notes"]]
    return Comparison(other, row["pair"], row.get("p"), row["largest"], causes, notes)
