#!/usr/bin/env python3
"""The two steps of the minimum image in a plane: rounding, then one step along a facet."""

import numpy as np

from style import BLUE, GREEN, GREY, ORANGE, PALE, arrow, plt, save

a, b = np.array([1.0, 0.0]), np.array([-0.42, 0.86])  # obtuse: a . b < 0, as a reduced basis
vectors = {"b₁": a, "b₂": b, "b₁ + b₂": a + b}


def voronoi(vectors):
    """Corners of the cell |x . v| <= |v|^2 / 2: where two of these lines cross, inside the others."""
    normals = [s * v for v in vectors for s in (-1, 1)]
    corners = []
    for k, v in enumerate(normals):
        for w in normals[:k]:
            if abs(np.cross(v, w)) > 1e-9:
                x = np.linalg.solve([v, w], [v @ v / 2, w @ w / 2])
                if all(x @ u <= u @ u / 2 + 1e-9 for u in normals):
                    corners.append(x)
    return np.array(sorted(corners, key=lambda x: np.arctan2(x[1], x[0])))


figure, axes = plt.subplots(figsize=(6.2, 4.3))
for i in range(-2, 3):
    for j in range(-2, 3):
        axes.plot(*(i * a + j * b), "o", color=GREY, ms=5)
parallelogram = np.array([s * a + t * b for s, t in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]])
axes.fill(*parallelogram.T, facecolor=PALE, edgecolor=ORANGE, lw=1.6, ls="--", label="after rounding: |yᵢ| ≤ 1/2")
axes.fill(
    *voronoi(vectors.values()).T,
    facecolor=(0.17, 0.42, 0.69, 0.15),
    edgecolor=BLUE,
    lw=1.8,
    label="Wigner-Seitz cell: shortest images",
)
d = 0.46 * a + 0.44 * b * -1
arrow(axes, (0, 0), d, ORANGE)
axes.text(*(d + [0.05, -0.03]), "d, rounded", color=ORANGE, va="top")
shorter = d - (a + 0 * b)
candidates = [d - s * v for v in vectors.values() for s in (-1, 1)]
shortest = min(candidates, key=lambda v: np.dot(v, v))
arrow(axes, (0, 0), shortest, BLUE)
axes.text(shortest[0] - 0.03, shortest[1] - 0.03, "d − b₁: shortest", color=BLUE, ha="right", va="top")
arrow(axes, d, shortest, GREEN, style="-|>", width=1.2, ls=":")
for name, v in (("b₁", a), ("b₂", b)):
    arrow(axes, (0, 0), v, GREY, width=1.2)
    axes.text(*(v * 1.02 + [0.03, 0.04]), name, color=GREY)
axes.set(xlim=(-1.35, 1.5), ylim=(-0.95, 1.05), aspect="equal")
axes.axis("off")
axes.legend(loc="upper left", bbox_to_anchor=(0.0, -0.01), ncol=1, fontsize=10)
save(figure)
