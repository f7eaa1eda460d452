"""Maps of distance and second axis of results of `starhist rdf --axis2`."""

import numpy as np
from matplotlib.colors import TwoSlopeNorm

from curves.rdf_curves import as_array, curves_of
from figures.lag_figures import with_unit
from figures.rdf_figures import make_grid
from shown_text import in_figure
from starhist_program import ResultError, asked
from units import symbol


def second_axis_table(program, path, pairs):
    """JSON table of g(r, second axis)."""
    chosen = ["--pairs", pairs] if pairs else []
    table, problem = asked(program, "export", "--quantity", "axis2", *chosen, "--", path)
    if table is None:
        raise ResultError(problem)
    return table


def edges_of(centres):
    """Edges between equally spaced centres."""
    half = (centres[1] - centres[0]) / 2 if len(centres) > 1 else abs(centres[0]) or 1.0
    return np.append(centres - half, centres[-1] + half)


def draw_second_axis(table, most, width=None, height=None):
    """Axes for each pair, at most `most`: distance from left to right, the second axis upwards, g as colours."""
    name, columns = table["axis2"], table["axis2_bin_count"]
    unit = in_figure(symbol(table["length_unit"].replace("unknown", "")))
    if "r_lower" in table:  # bins of unequal width
        r_edges = np.append(table["r_lower"][::columns], table["r_upper"][-1])
    else:
        r_edges = edges_of(np.array(table["r"])[::columns])
    second = np.array(table[name])[:columns]
    curves = [(label, as_array(values).reshape(-1, columns).T) for label, values, _ in curves_of(table)[:most]]
    finite = np.concatenate([values[np.isfinite(values)] for _, values in curves])
    if not finite.size:
        raise ResultError(f"{table['source']}: g is undefined everywhere: export --quantity axis2-counts")
    y_label = in_figure(name) if name.startswith("cos") else with_unit(f"|{name}|", unit)
    figure, panels = make_grid([label for label, _ in curves], with_unit("$r$", unit), y_label, width, height)
    largest = finite.max()
    top = max(1.5, min(largest, 1.5 * np.percentile(finite, 99)))
    for (_, values), axes in zip(curves, panels):
        mesh = axes.pcolormesh(
            r_edges, edges_of(second), values, norm=TwoSlopeNorm(1, 0, top), cmap="RdBu_r", rasterized=True
        )
        axes.set_xlim(0, r_edges[-1])
    extend = "max" if largest > top else "neither"
    figure.colorbar(mesh, ax=panels, label=f"$g$($r$, {in_figure(name)})", aspect=30, extend=extend)
    return figure
