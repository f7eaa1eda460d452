#!/usr/bin/env python3
"""Draws a Gantt chart of a run: the tasks of each worker over time.

    starhist rdf water.h5 -o rdf.h5 --r-max 1.4 --bins 280 --trace trace.csv
    scripts/user/plot_gantt.py trace.csv -o gantt.svg -o gantt.png [--from 0.5 --to 1.0]

One row per worker, by ranks, GPUs first; colours are species pairs, those with most time first. The
numbers on the right are the share of the time in which the worker was busy. Needs Matplotlib.
"""

import csv
import re
import sys
from dataclasses import dataclass

import matplotlib
import numpy as np

from command_parser import CommandParser
from failures import problem_of
from figure_options import add_resolution
from output_files import write_figure
from output_kinds import FIGURE

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

# Okabe and Ito's colours, distinguishable with colour blindness; further tasks are grey.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"]
OTHER = "#777777"
STYLE = {
    "font.family": "sans-serif",
    "font.size": 8,
    "axes.labelsize": 8.5,
    "axes.titlesize": 8,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "svg.hashsalt": "starhist",
}
MANY_TASKS = 3000  # from here on bars are pixels also in SVG, which stays small


class TraceError(Exception):
    """A mistake of the user; printed without a traceback."""


@dataclass
class Trace:
    """Tasks of a run: arrays of one length, times in seconds from the start of the run."""

    task: np.ndarray
    worker: np.ndarray
    start: np.ndarray
    end: np.ndarray


def read_trace(path) -> Trace:
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        trace = Trace(
            np.array([row["task"] for row in rows]),
            np.array([row["worker"] for row in rows]),
            np.array([float(row["start"]) for row in rows]),
            np.array([float(row["end"]) for row in rows]),
        )
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror})") from error
    except (KeyError, TypeError, ValueError) as error:
        raise TraceError(f"{path}: is not a trace of starhist rdf --trace ({error})") from error
    if not rows:
        raise TraceError(f"{path}: contains no task")
    return trace


def worker_order(name: str) -> tuple:
    """Sort key of workers, by rank, GPUs first: "CUDA 0.1" before "CUDA 0.10" before "CPU 0"."""
    rank, worker = re.match(r"(?:rank (\d+) )?(.*)", name.split(" (")[0]).groups()
    return int(rank or 0), worker.startswith("CPU"), [int(part) for part in re.findall(r"\d+", worker)]


def covered(start: np.ndarray, end: np.ndarray) -> float:
    """Length of the union of intervals: tasks of one GPU may overlap."""
    order = np.argsort(start)
    start, end = start[order], end[order]
    seen = np.maximum.accumulate(np.concatenate([start[:1], end[:-1]]))
    return float(np.maximum(0, end - np.maximum(start, seen)).sum())


def task_colours(trace: Trace) -> dict:
    """Colour of each kind of task, most time first."""
    seconds = {name: (trace.end - trace.start)[trace.task == name].sum() for name in np.unique(trace.task)}
    names = sorted(seconds, key=seconds.get, reverse=True)
    return {name: COLOURS[k] if k < len(COLOURS) else OTHER for k, name in enumerate(names)}


def draw_gantt(trace: Trace, title: str = "", workers=(), first=None, last=None):
    """Returns the figure of a trace. `workers`: names of workers to show even without tasks. first, last: time range
    [s]; None: the whole trace."""
    plt.rcParams.update(STYLE)
    names = sorted({*trace.worker, *workers}, key=worker_order)
    colours = task_colours(trace)
    first = 0.0 if first is None else first
    last = trace.end.max() if last is None else last
    factor, unit = (1, "s") if last - first >= 1 else (1e3, "ms")
    row_height = max(0.09, min(0.19, 9 / len(names)))
    figure, axes = plt.subplots(figsize=(7.2, 1.15 + row_height * len(names)), layout="constrained")
    rows = {name: row for row, name in enumerate(names)}
    row = np.array([rows[name] for name in trace.worker])
    shown = (trace.end > first) & (trace.start < last)
    bar = 0.4 if row_height > 0.1 else 0.46
    for name, colour in colours.items():
        k = np.flatnonzero(shown & (trace.task == name))
        x0, x1 = factor * trace.start[k], factor * trace.end[k]
        y0, y1 = row[k] - bar, row[k] + bar
        axes.add_collection(
            PolyCollection(
                np.stack([np.stack([x, y], axis=1) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))], axis=1)
                if k.size
                else [],
                facecolors=colour,
                rasterized=shown.sum() > MANY_TASKS,
                # Separate tasks by white lines only if they are wide enough.
                edgecolors="white" if shown.sum() < 60 * len(names) else "none",
                linewidths=0.25,
            )
        )
    for y in range(len(names)):
        axes.axhspan(y - bar, y + bar, color="0.94", zorder=0, linewidth=0)
    finish_axes(axes, names, row_height)
    axes.set_xlim(factor * first, factor * last)
    axes.set_xlabel(f"time ({unit})")
    if title:
        axes.set_title(title, loc="left")
    add_busy_shares(axes, trace, names, first, last)
    add_legend(figure, colours)
    return figure


def legend_above(figure, handles: list) -> None:
    """Draws a legend above all axes and reserves space for it, as Matplotlib 3.6 does not."""
    for columns in range(len(handles), 0, -1):
        legend = figure.legend(
            handles=handles,
            loc="upper center",
            ncols=columns,
            handlelength=1.4,
            handletextpad=0.5,
            columnspacing=1.3,
            borderaxespad=0.2,
            borderpad=0.1,
        )
        box = legend.get_window_extent(figure.canvas.get_renderer())
        if columns == 1 or box.width < 0.98 * figure.bbox.width:
            break
        legend.remove()
    free = 1 - (box.height / figure.dpi + 0.06) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, 0, 1, free))


def finish_axes(axes, names: list, row_height: float) -> None:
    size = min(7.0, 60 * row_height)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_yticks(range(len(names)), [name.split(" (")[0] for name in names], fontsize=size)
    axes.tick_params(axis="y", length=0, pad=2)
    axes.spines[["top", "right", "left"]].set_visible(False)


def add_busy_shares(axes, trace: Trace, names: list, first: float, last: float) -> None:
    size = axes.get_yticklabels()[0].get_fontsize()
    start, end = np.clip(trace.start, first, last), np.clip(trace.end, first, last)
    for y, name in enumerate(names):
        mine = trace.worker == name
        share = covered(start[mine], end[mine]) / (last - first) if mine.any() else 0.0
        axes.annotate(
            f"{100 * share:.0f} %",
            (1, y),
            (26, 0),
            fontsize=size,
            va="center",
            ha="right",
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
        )
    axes.annotate(
        "busy",
        (1, 1),
        (26, 1),
        fontsize=size,
        ha="right",
        va="bottom",
        xycoords="axes fraction",
        textcoords="offset points",
    )


def add_legend(figure, colours: dict) -> None:
    handles = [Patch(color=colour, label=name) for name, colour in colours.items() if colour != OTHER]
    others = len(colours) - len(handles)
    if others:
        handles.append(Patch(color=OTHER, label=f"{others} other" + "s" * (others > 1)))
    legend_above(figure, handles)


def make_parser() -> CommandParser:
    parser = CommandParser(description=__doc__)
    parser.add_input("trace", help="file written by starhist rdf --trace")
    parser.add_output(
        "-o",
        "--output",
        kind=FIGURE,
        action="append",
        required=True,
        metavar="FILE",
        help="image file; its suffix (svg, png, pdf, eps, jpg, ...) selects the format; may be repeated",
    )
    parser.add_argument("--from", dest="first", type=float, metavar="S", help="start of the time range [s]")
    parser.add_argument("--to", dest="last", type=float, metavar="S", help="end of the time range [s]")
    parser.add_argument("--title", default="", help="title at the top left")
    add_resolution(parser)
    return parser


def main() -> None:
    options = make_parser().parse_args()
    try:
        figure = draw_gantt(read_trace(options.trace), options.title, (), options.first, options.last)
        write_figure(figure, options.output, options.dpi)
    except TraceError as error:
        sys.exit(f"plot_gantt.py: {error}")
    except (OSError, ValueError) as error:
        sys.exit(f"plot_gantt.py: the chart cannot be drawn ({problem_of(error)})")


if __name__ == "__main__":
    main()
