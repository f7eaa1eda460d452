"""Places legends where they cover no curve."""

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Bbox

PLACES = ("upper right", "upper left", "lower right", "upper center", "center right", "lower center", "center left")
HEADROOM = (1, 1.12, 1.25, 1.4)  # factors by which the vertical axis may grow to make room
MOST_COLUMNS = 6  # of a legend above the axes
LARGE = 0.25  # fraction of the figure's height that a legend may take from the axes
PADDING = 1.5  # least distance of a legend from a curve [points]


def obstacles(sides):
    """Yields (path in pixels, whether it is filled) of all curves, error bands and texts in the axes."""
    for axes in sides:
        for line in axes.get_lines():
            points = line.get_transform().transform(line.get_xydata())
            yield Path(points[np.isfinite(points).all(axis=1)]), False
        for band in axes.collections:
            yield from ((band.get_transform().transform_path(path), True) for path in band.get_paths())
        for text in axes.texts:
            yield Path(np.array(text.get_window_extent().corners())[[0, 1, 3, 2]]), True


def _is_free(legend, sides, padding):
    inside = sides[0].get_window_extent()
    box = legend.get_window_extent()
    if box.x0 < inside.x0 or box.x1 > inside.x1 or box.y0 < inside.y0 or box.y1 > inside.y1:
        return False
    box = Bbox([[box.x0 - padding, box.y0 - padding], [box.x1 + padding, box.y1 + padding]])
    return not any(len(path) and path.intersects_bbox(box, filled) for path, filled in obstacles(sides))


def place_legend(axes, handles, labels, twins=(), headroom=HEADROOM, **style):
    """Adds a legend that covers no curve of `axes` or of its `twins`, and returns it.

    It is placed in the first free corner, raising the top of the vertical axis by a factor of `headroom` if
    necessary, otherwise above the axes, with as many columns as fit into the width of the figure. There the figure grows by
    the legend's height if it would take a large part of the figure. All curves and labels must be drawn
    before.
    """
    figure, sides = axes.figure, (axes, *twins)
    style = {"handlelength": 1.6, "columnspacing": 1.0, "labelspacing": 0.3} | style
    padding = PADDING * figure.dpi / 72
    tops = [side.get_ylim()[1] for side in sides]
    owner = sides[-1]  # drawn last, so that no curve of a twin crosses the legend
    for factor in headroom:
        for side, top in zip(sides, tops):
            side.set_ylim(top=top * factor)
        figure.draw_without_rendering()
        for columns in dict.fromkeys((1 + len(handles) // 6, 2 if len(handles) > 1 else 1)):
            for place in PLACES:
                legend = owner.legend(handles, labels, ncols=columns, loc=place, **style)
                if _is_free(legend, sides, padding):
                    return legend
                legend.remove()
    for side, top in zip(sides, tops):
        side.set_ylim(top=top)
    for columns in range(min(len(handles), MOST_COLUMNS), 0, -1):
        legend = owner.legend(
            handles, labels, ncols=columns, loc="lower center", bbox_to_anchor=(0.5, 1.0), borderaxespad=0.3, **style
        )
        legend.set_in_layout(False)  # too many columns would leave no room for the axes
        figure.draw_without_rendering()
        box, whole = legend.get_window_extent(), figure.bbox
        if box.width <= 0.9 * whole.width or columns == 1:
            break
        legend.remove()
    legend.set_in_layout(True)
    if box.height > LARGE * whole.height:
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + box.height / figure.dpi)
    return legend
