#!/usr/bin/env python3
"""Two clusters and the images that their pairs can need: one where the clusters are small."""

import numpy as np
from matplotlib.patches import Rectangle

from style import BLUE, GREY, ORANGE, PALE, arrow, plt, save

random = np.random.default_rng(5)
figure, all_axes = plt.subplots(1, 2, figsize=(9.0, 3.5), layout="constrained")


POINTS = {colour: random.uniform(-0.93, 0.93, (14, 2)) for colour in (BLUE, ORANGE)}


def cluster(axes, centre, half, colour, filled=True):
    axes.add_patch(
        Rectangle(
            centre - half,
            *(2 * half),
            facecolor=PALE if filled else "none",
            edgecolor=colour,
            lw=1.6,
            ls="-" if filled else "--",
        )
    )
    axes.plot(*(centre + half * POINTS[colour]).T, "o", color=colour, ms=3.5, mfc=colour if filled else "none")


def draw(axes, displacement, half, title):
    axes.add_patch(Rectangle((-1, -0.62), 2, 1.24, facecolor="none", edgecolor=GREY, lw=1, ls=":"))
    a = np.array([0.0, 0.0])
    cluster(axes, a, half, BLUE)
    for shift in (0.0, -2.0):
        d = displacement + [shift, 0]
        near = abs(d[0]) - 2 * half[0] < 1.0  # some pair is closer than half the cell along x
        cluster(axes, a + d, half, ORANGE, filled=near)
        if near:
            arrow(axes, a, a + d, GREY, width=1.3)
    axes.set_title(title, size=11)
    axes.set(xlim=(-1.55, 1.55), ylim=(-0.72, 0.72), aspect="equal")
    axes.axis("off")


draw(all_axes[0], np.array([0.62, 0.2]), np.array([0.13, 0.11]), "one image serves all pairs")
draw(all_axes[1], np.array([0.92, 0.2]), np.array([0.13, 0.11]), "near half the cell: two images")
for axes in all_axes:
    axes.text(-1, -0.68, "dotted: half the cell on each side of the blue cluster", color=GREY, size=9.5, va="top")
save(figure)
