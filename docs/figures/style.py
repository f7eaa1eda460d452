"""What all figures share: colours, sizes, and how a figure becomes an SVG file.

Each script draws one figure into its own folder: `/usr/bin/python3 docs/figures/NAME.py` writes `NAME.svg`.
The same script always writes the same bytes.
"""

import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

BLUE, ORANGE, GREEN, RED = "#2b6cb0", "#dd6b20", "#2f855a", "#c53030"
GREY, PALE = "#718096", "#edf2f7"

plt.rcParams.update(
    {
        "svg.hashsalt": "starhist",
        "svg.fonttype": "path",
        "font.size": 11,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": GREY,
        "figure.facecolor": "white",
        "legend.frameon": False,
    }
)


def save(figure):
    path = pathlib.Path(sys.argv[0]).resolve().with_suffix(".svg")
    figure.savefig(path, metadata={"Date": None, "Creator": None}, bbox_inches="tight", pad_inches=0.08)
    print(path.name)


def arrow(axes, start, end, colour, width=1.8, style="-|>", **options):
    axes.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={"arrowstyle": style, "color": colour, "lw": width, "shrinkA": 0, "shrinkB": 0, **options},
    )


def box(axes, left, bottom, width, height, text, face=PALE, edge=GREY, size=10.5, **options):
    """A rounded rectangle with centred text."""
    from matplotlib.patches import FancyBboxPatch

    axes.add_patch(
        FancyBboxPatch(
            (left, bottom),
            width,
            height,
            facecolor=face,
            edgecolor=edge,
            boxstyle="round,pad=0,rounding_size=0.08",
            lw=1.2,
        )
    )
    axes.text(left + width / 2, bottom + height / 2, text, ha="center", va="center", size=size, **options)
