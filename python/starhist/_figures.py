"""Draws curves with bands of their standard errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import matplotlib.axes

Floats = npt.NDArray[np.float64]


def axes_or_current(ax: matplotlib.axes.Axes | None) -> matplotlib.axes.Axes:
    import matplotlib.pyplot as plt

    return plt.gca() if ax is None else ax


def draw(ax: matplotlib.axes.Axes, x: Floats, y: Floats, error: Floats, label: str) -> None:
    """Draws a curve, and a band of one standard error if any is known."""
    (line,) = ax.plot(x, y, label=label)
    if np.isfinite(error).any():
        ax.fill_between(x, y - error, y + error, color=line.get_color(), alpha=0.3, linewidth=0)
