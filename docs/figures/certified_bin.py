#!/usr/bin/env python3
"""A fast distance is certified where its error interval holds no bin edge."""

from style import BLUE, GREEN, GREY, ORANGE, plt, save

figure, axes = plt.subplots(figsize=(8.4, 2.9))
axes.plot([416.65, 420.35], [0, 0], color=GREY, lw=1.4)
for k in range(417, 421):
    axes.plot([k, k], [-0.1, 1.75], color=GREY, lw=1.1)
    axes.text(k, -0.17, f"k = {k}", ha="center", va="top", color=GREY)


def interval(s, error, height, colour, text, shift=0.0):
    axes.plot([s - error, s + error], [height, height], color=colour, lw=3, solid_capstyle="butt")
    for end in (s - error, s + error):
        axes.plot([end, end], [height - 0.06, height + 0.06], color=colour, lw=1.6)
    axes.plot(s, height, "o", color=colour, ms=6)
    axes.text(
        s + shift,
        height + 0.12,
        text,
        ha="center",
        va="bottom",
        color=colour,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
    )


interval(417.55, 0.2, 0.55, BLUE, "certified: bin 417")
interval(419.1, 0.2, 0.55, ORANGE, "ambiguous: bin 418 or 419", shift=0.62)
axes.annotate("", xy=(418.96, 1.24), xytext=(419.06, 0.6), arrowprops={"arrowstyle": "-|>", "color": GREEN})
interval(418.95, 0.004, 1.3, GREEN, "exact re-evaluation: bin 418", shift=-0.45)
axes.text(419.97, 0.06, "distance [bins]", ha="right", va="bottom", color=GREY)
axes.set(xlim=(416.6, 420.4), ylim=(-0.42, 1.85))
axes.axis("off")
save(figure)
