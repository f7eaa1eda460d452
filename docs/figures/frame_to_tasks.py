#!/usr/bin/env python3
"""The way of a frame: threads of the program on the left, StarPU tasks on the right."""

from style import GREY, ORANGE, PALE, arrow, box, plt, save

TASK, THREAD = "#fef3e2", "#e6f0fa"
figure, axes = plt.subplots(figsize=(12.4, 8.3))


def flow(start, end, text="", offset=(0.0, 0.0), colour=GREY):
    arrow(axes, start, end, colour, width=1.5)
    if text:
        axes.text(
            (start[0] + end[0]) / 2 + offset[0],
            (start[1] + end[1]) / 2 + offset[1],
            text,
            size=9,
            color=GREY,
            ha="center",
            va="center",
        )


for left, width, title in (
    (0.0, 2.3, "reader threads"),
    (2.75, 3.0, "submitting thread"),
    (6.25, 3.3, "StarPU workers: CPU cores, GPUs"),
):
    axes.text(left + width / 2, 6.15, title, ha="center", size=11, color=GREY)
axes.plot([2.52, 2.52], [0.0, 6.3], color=GREY, lw=0.8, ls=":")
axes.plot([6.0, 6.0], [0.0, 6.3], color=GREY, lw=0.8, ls=":")

box(axes, 0.1, 5.1, 2.1, 0.7, "trajectory file\nread ahead", THREAD)
box(axes, 2.95, 5.1, 2.6, 0.7, "PairCounter::add(frame)\nwaits while enough is in flight", THREAD, size=9.5)
flow((2.2, 5.45), (2.95, 5.45), "Frame", (0.0, 0.16))
box(axes, 2.95, 3.95, 2.6, 0.7, "batch of 1 … n frames\nof one block", THREAD, size=9.5)
flow((4.25, 5.1), (4.25, 4.65))
box(axes, 2.95, 2.75, 2.6, 0.75, "cut into tasks:\nper species pair one, or row ranges", THREAD, size=9.5)
flow((4.25, 3.95), (4.25, 3.5))
box(axes, 0.1, 3.95, 2.1, 0.7, "batch plan\nfrom speeds and work", PALE, size=9.5)
flow((2.2, 4.3), (2.95, 4.3))
flow((2.2, 4.1), (2.95, 3.3))

box(axes, 6.3, 4.6, 3.1, 0.7, "sort positions of a species\n(with clusters)", TASK, size=9.5)
box(axes, 6.3, 3.6, 3.1, 0.7, "count pairs of a species pair,\nor of a range of its rows", TASK, size=9.5)
box(axes, 6.3, 2.6, 2.7, 0.7, "count pairs within molecules\nor residues (with exclusions)", TASK, size=9.5)
box(axes, 6.3, 1.5, 3.1, 0.7, "replica of the counts per worker\n(STARPU_REDUX)", PALE, size=9.5)
flow((5.55, 3.25), (6.3, 4.75))
flow((5.55, 3.12), (6.3, 3.9))
flow((5.55, 3.0), (6.3, 2.95))
flow((7.85, 4.6), (7.85, 4.3), "sorted positions", (0.62, 0.0))
flow((9.2, 3.6), (9.2, 2.2), "+", (0.14, 0.55), ORANGE)
flow((8.3, 2.6), (8.3, 2.2), "−", (-0.14, 0.0), ORANGE)
box(axes, 6.3, 0.4, 3.1, 0.7, "merge counts:\nsum of the replicas", TASK, size=9.5)
flow((7.85, 1.5), (7.85, 1.1))
box(axes, 2.95, 0.4, 2.6, 0.7, "pending block: checksum,\ndelivered in order", THREAD, size=9.5)
flow((6.3, 0.75), (5.55, 0.75), "counts", (0.0, 0.16))
flow((4.25, 2.75), (4.25, 1.1), "block full:\nclose", (0.42, 0.0))
box(axes, 0.1, 0.4, 2.1, 0.7, "writer thread\nresult file", THREAD, size=9.5)
flow((2.95, 0.75), (2.2, 0.75), "block", (0.0, 0.16))
axes.set(xlim=(0, 9.6), ylim=(0, 6.4), aspect="equal")
axes.axis("off")
save(figure)
