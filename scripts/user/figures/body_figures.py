"""Figure of p(r) of finite bodies, with largest distance D_max and radius of gyration Rg."""

from error_text import with_error
from figures.legends import place_legend
from figures.rdf_figures import COLOURS, appearances, draw_curves, label_axes, new_axes
from shown_text import in_figure
from units import symbol

MOST_SIZES = 4  # curves with their sizes in the legend; of more, only the size of all particles together


def size_text(size, unit):
    """Returns text such as "$R_g$ = 16.43 ± 0.12 nm, $D_{max}$ = 56.2 nm" of a BodySize."""
    unit = f" {in_figure(symbol(unit))}" if unit else ""
    parts = [] if size.rg is None else [f"$R_g$ = {with_error(size.rg, size.rg_error)}{unit}"]
    return "\n".join([*parts, f"$D_{{max}}$ = {size.d_max[1]:.4g}{unit}"])


def draw_bodies(result, width, height=None):
    """p(r) of all curves; vertical lines mark the largest distances."""
    figure, axes = new_axes(width, height)
    draw_curves(axes, result.curves, False, appearances())
    label_axes(axes, result)
    end = max(curve.size.d_max[1] * 1.04 if curve.size else curve.r_max for curve in result.curves)
    axes.set_xlim(0, min(end, max(curve.r_max for curve in result.curves)))
    handles, labels = axes.get_legend_handles_labels()
    title = None
    if len(result.curves) == 1:
        curve, title = result.curves[0], in_figure(result.curves[0].pair)
        axes.fill_between(curve.r, 0, curve.value, color=COLOURS[0], alpha=0.08, linewidth=0)
        bodies = [(curve, COLOURS[0])]
        labels = [size_text(curve.size, result.unit) if curve.size else "$p(r)$"]
    else:
        bodies = [(curve, colour) for curve, (colour, _) in zip(result.curves, appearances())]
        if len(bodies) > MOST_SIZES:
            bodies = []
        labels = [label + like_size(curve, result.unit) for label, (curve, _) in zip(labels, bodies)] or labels
        body = result.size if result.size and result.size.rg is not None else None
        title = "all particles: " + size_text(body, result.unit).replace("\n", ", ") if body else None
    for curve, colour in bodies:
        if curve.size:
            axes.plot([curve.size.d_max[1]] * 2, [0, 0.06 * axes.get_ylim()[1]], color=colour, linewidth=0.9)
    place_legend(axes, handles, labels, title=title, title_fontsize=7.5)
    return figure


def like_size(curve, unit):
    """Returns ", Rg = ..." of a pair of one species whose particles are all within the bins; otherwise ""."""
    if curve.size is None or curve.size.rg is None:
        return ""
    return ", " + size_text(curve.size, unit).split("\n")[0]
