"""Draws curves with bands of their standard errors, measured points and residuals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import matplotlib.axes

Floats = npt.NDArray[np.float64]

_SYMBOLS = {"A": "\u00c5", "um": "\u00b5m", "sigma": "\u03c3"}
"""Units as `starhist plot` writes them in figures, if they differ from the names in files."""


def axes_or_current(ax: matplotlib.axes.Axes | None) -> matplotlib.axes.Axes:
    import matplotlib.pyplot as plt

    return plt.gca() if ax is None else ax


def draw(ax: matplotlib.axes.Axes, x: Floats, y: Floats, error: Floats, label: str) -> None:
    """Draws a curve, and a band of one standard error if any is known."""
    (line,) = ax.plot(x, y, label=label)
    if np.isfinite(error).any():
        ax.fill_between(x, y - error, y + error, color=line.get_color(), alpha=0.3, linewidth=0)


def draw_points(ax: matplotlib.axes.Axes, x: Floats, y: Floats, error: Floats, label: str) -> None:
    """Draws measured points, with bars of one standard error if any is known."""
    bars = error if np.isfinite(error).any() else None
    ax.errorbar(x, y, yerr=bars, fmt="o", markersize=2, markerfacecolor="none", color="0.35", label=label, zorder=1)


def draw_residual(ax: matplotlib.axes.Axes, x: Floats, residual: Floats, error: Floats) -> matplotlib.axes.Axes:
    """Draws the residual in a panel below the axes, above a band of one standard error of the measured points.

    Returns the axes of the panel.
    """
    from mpl_toolkits.axes_grid1 import make_axes_locatable  # type: ignore[import-untyped]

    below: matplotlib.axes.Axes = make_axes_locatable(ax).append_axes("bottom", size="35%", pad=0.08, sharex=ax)
    ax.tick_params(labelbottom=False)
    if np.isfinite(error).any():
        below.fill_between(x, -error, error, color="0.85", linewidth=0)
    below.axhline(0, color="0.6", linewidth=0.5)
    below.plot(x, residual, linewidth=0.8)
    below.set_ylabel("residual")
    return below


def axis_label(name: str, unit: str) -> str:
    """Returns "r (\u00c5)", or "q (\u00c5^-1)" with a raised exponent; the name if the length unit is unknown."""
    if unit in ("", "unknown"):
        return name
    symbol = _SYMBOLS.get(unit, unit)
    return f"{name} ({symbol}$^{{-1}}$)" if name == "q" else f"{name} ({symbol})"


def value_label(text: str, unit: str) -> str:
    """Returns a label of values, "G_s(r) (A^-3)", with symbols of units and raised and lowered text. unit: of lengths."""
    name, bracket, units = text.replace("$", r"\$").partition(" (")
    if unit:
        units = re.sub(rf"\b{re.escape(unit)}\b", _SYMBOLS.get(unit, unit), units)
    return re.sub(r"\^(-?\d+)|_(\w+)", _raised_or_lowered, name + bracket + units)


def _raised_or_lowered(found: re.Match[str]) -> str:
    return f"$^{{{found[1]}}}$" if found[1] else rf"$_\mathrm{{{found[2]}}}$"
