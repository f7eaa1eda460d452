#!/usr/bin/env python3
"""Spherical shells and the Wigner-Seitz cell: a plane section, and the part of a sphere's surface
that lies in the cell of three boxes."""

import itertools

import numpy as np
from matplotlib.patches import Annulus, Circle, Rectangle

from style import BLUE, GREEN, GREY, ORANGE, plt, save

figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.7), layout="constrained", width_ratios=[1, 1.45])

cell = left.add_patch(Rectangle((-0.5, -0.5), 1, 1, facecolor=(0.17, 0.42, 0.69, 0.10), edgecolor=BLUE, lw=1.8))
for inner, colour in ((0.32, GREEN), (0.57, ORANGE)):
    shell = left.add_patch(Annulus((0, 0), inner + 0.05, 0.05, color=colour, alpha=0.75, lw=0))
    shell.set_clip_path(cell)
    for r in (inner, inner + 0.05):
        left.add_patch(Circle((0, 0), r, fill=False, color=colour, ls=":", lw=1))
left.plot(0, 0, "o", color=GREY, ms=4)
left.text(0, 0.06, "whole shell", ha="center", color=GREEN, size=10)
left.text(0.0, -0.66, "cut shell: only its part in the cell", ha="center", va="top", color=ORANGE, size=10)
left.set(aspect="equal", xlim=(-0.72, 0.72), ylim=(-0.78, 0.68))
left.axis("off")

BOXES = {  # edge vectors, the shortest of length 1; covering radius / half of that
    "cube": (np.eye(3), 3**0.5, BLUE),
    "truncated octahedron": (
        np.array([[1, 0, 0], [1 / 3, 8**0.5 / 3, 0], [-1 / 3, 2**0.5 / 3, 6**0.5 / 3]]),
        (5 / 3) ** 0.5,
        ORANGE,
    ),
    "rhombic dodecahedron": (np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0.5**0.5]]), 2**0.5, GREEN),
}
N = 100_000  # directions, spread evenly
z = 1 - (2 * np.arange(N) + 1) / N
phi = np.arange(N) * np.pi * (3 - 5**0.5)
directions = np.stack([np.sqrt(1 - z * z) * np.cos(phi), np.sqrt(1 - z * z) * np.sin(phi), z], 1)
for name, (edges, corner, colour) in BOXES.items():
    reach = np.full(N, np.inf)
    for steps in itertools.product((-1, 0, 1), repeat=3):
        v = np.array(steps) @ edges
        if v @ v > 0:
            along = directions @ v
            reach = np.minimum(reach, np.where(along > 0, v @ v / 2 / np.maximum(along, 1e-12), np.inf))
    assert 0.997 < reach.max() / 0.5 / corner < 1.0001
    r = np.append(0, np.linspace(0.5, 0.5 * corner, 150))
    inside = 1 - np.searchsorted(np.sort(reach), r) / N
    right.plot(r / 0.5, inside, color=colour, label=f"{name}, up to {corner:.3f}")
right.axvline(1, color=GREY, lw=1, ls=":")
right.set(
    xlabel="r / half the shortest lattice vector",
    ylabel="part of the sphere in the cell",
    xlim=(0, 1.8),
    ylim=(0, 1.05),
)
right.legend(loc="lower left", fontsize=10)
save(figure)
