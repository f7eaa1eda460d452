"""Plots of a comparison of schedulers: throughput and shares of busy time. Used by
compare_schedulers.py; plot_gantt.py draws single runs."""

import pathlib
import statistics

from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from plot_gantt import STYLE, legend_above, plt  # first: it chooses Matplotlib's backend
from schedulers.scheduler_report import Comparison, interval_name

# Okabe and Ito's colours, distinguishable with colour blindness.
BLUE, ORANGE, GREEN, LIGHT_BLUE = "#0072B2", "#D55E00", "#009E73", "#8FC7EA"
IDLE = "0.9"
BOUND_STYLE, MEAN_STYLE = (0, (4, 1.5)), (0, (2, 2))
COLUMNS = 3  # of panels in a row of the throughput plot


def save(figure, folder: pathlib.Path, name: str, dpi: int = 300) -> None:
    """Writes PNG, and SVG without a date, so that equal runs give equal files."""
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=dpi)
    plt.close(figure)


def title(comparison: Comparison, workers: str) -> str:
    """Returns name and workers of a set; only the workers if the name just repeats them."""
    composition = comparison.composition(workers)
    says_same = all(part.startswith(("NCPU=", "NCUDA=")) for part in workers.split(","))
    return composition if says_same else f"{workers}\n{composition}"


def draw_throughput(comparison: Comparison):
    """Draws a panel per worker set: a bar per scheduler, and a line at the area bound."""
    plt.rcParams.update(STYLE)
    sets = [workers for workers in comparison.workers if comparison.groups(workers)]
    schedulers = [name for name in comparison.schedulers if any(comparison.group(name, workers) for workers in sets)]
    columns = min(COLUMNS, len(sets))
    rows = -(-len(sets) // columns)
    figure, grid = plt.subplots(
        rows,
        columns,
        squeeze=False,
        sharey=True,
        layout="constrained",
        figsize=(1.1 + 2.1 * columns, rows * (0.75 + 0.24 * len(schedulers)) + 0.45),
    )
    for axes in grid.flat[len(sets) :]:
        axes.set_axis_off()
    for axes, workers in zip(grid.flat, sets):
        bound = comparison.area_bound(workers)
        groups = [(row, group) for row, name in enumerate(schedulers) if (group := comparison.group(name, workers))]
        right = max([bound] + [group.throughput_interval[1] for _, group in groups])
        axes.set_xlim(0, 1.12e-9 * right)
        for row, group in groups:
            draw_bar(axes, row, group, bound, right)
        if bound:
            axes.axvline(1e-9 * bound, color=ORANGE, linewidth=1, linestyle=BOUND_STYLE)
        axes.set_title(title(comparison, workers), linespacing=1.3)
        axes.set_yticks(range(len(schedulers)), schedulers)
        axes.set_ylim(len(schedulers) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
        axes.spines[["top", "right"]].set_visible(False)
    runs = [len(group.runs) for workers in sets for group in comparison.groups(workers)]
    many = (
        f"median of {min(runs)} to {max(runs)} runs"
        if min(runs) < max(runs)
        else f"median of {runs[0]} runs"
        if runs[0] > 1
        else "single run"
    )
    error = "95 % interval" if interval_name(min(runs)) == "95 %" else "smallest and largest"
    figure.supxlabel("throughput ($10^9$ pairs/s)", fontsize=8.5)
    legend_above(
        figure,
        [
            Patch(color=LIGHT_BLUE, label=f"{many}, in % of the area bound"),
            Line2D([], [], color="0.2", linewidth=0.8, label=error),
            Line2D([], [], color=ORANGE, linewidth=1, linestyle=BOUND_STYLE, label="area bound"),
        ],
    )
    return figure


def draw_bar(axes, row: int, group, bound: float, right: float) -> None:
    low, high = group.throughput_interval
    axes.barh(row, 1e-9 * group.throughput, height=0.72, color=LIGHT_BLUE)
    axes.errorbar(
        1e-9 * group.throughput,
        row,
        fmt="none",
        ecolor="0.2",
        elinewidth=0.8,
        capsize=2,
        capthick=0.8,
        xerr=[[1e-9 * (group.throughput - low)], [1e-9 * (high - group.throughput)]],
    )
    if bound:  # label inside the bar, or behind it if the bar is short
        inside = low > 0.3 * right
        axes.annotate(
            f"{100 * group.throughput / bound:.1f} %",
            (0 if inside else 1e-9 * high, row),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
            color="0.1",
        )


def draw_workers(comparison: Comparison):
    """Draws a panel for each scheduler (rows) and worker set (columns): busy and idle share of each worker."""
    plt.rcParams.update(STYLE)
    sets = [workers for workers in comparison.workers if comparison.groups(workers)]
    schedulers = [name for name in comparison.schedulers if any(comparison.group(name, workers) for workers in sets)]
    sizes = [max(len(group.busy_shares()) for group in comparison.groups(workers)) for workers in sets]
    widths = [max(1.1, min(4.0, 0.13 * size)) for size in sizes]
    widths = [max(1.1, width * min(1.0, 11 / sum(widths))) for width in widths]
    figure, grid = plt.subplots(
        len(schedulers),
        len(sets),
        squeeze=False,
        layout="constrained",
        gridspec_kw={"width_ratios": widths},
        figsize=(1.3 + sum(widths) + 0.25 * len(sets), 1.2 + 0.62 * len(schedulers)),
    )
    kinds = set()
    for row, scheduler in zip(grid, schedulers):
        for axes, workers in zip(row, sets):
            kinds |= draw_panel(axes, comparison.group(scheduler, workers))
            axes.sharex(grid[0][sets.index(workers)])
            if axes in grid[0]:
                axes.set_title(title(comparison, workers), linespacing=1.3)
            axes.tick_params(labelbottom=axes in grid[-1], labelleft=axes is row[0])
        row[0].set_ylabel(scheduler, rotation=0, ha="right", va="center", labelpad=4)
    for axes, workers in zip(grid[-1], sets):
        label_workers(axes, comparison, workers)
    handles = [Patch(color=GREEN, label="busy (GPU)")] if "gpu" in kinds else []
    handles += [Patch(color=BLUE, label="busy (CPU)")] if "cpu" in kinds else []
    legend_above(
        figure,
        [
            *handles,
            Patch(color=IDLE, label="idle"),
            Line2D([], [], color="0.1", linewidth=0.6, linestyle=MEAN_STYLE, label="busy, mean of the workers"),
        ],
    )
    figure.supylabel("share of time (%)", fontsize=8.5)
    return figure


def draw_panel(axes, group) -> set:
    """Draws one scheduler on one worker set; returns the kinds of its workers, "cpu" and "gpu"."""
    axes.set_ylim(0, 100)
    axes.set_yticks([0, 50, 100])
    axes.spines[["top", "right"]].set_visible(False)
    if group is None:
        axes.text(
            0.5, 0.5, "no run succeeded", transform=axes.transAxes, ha="center", va="center", color="0.5", fontsize=7
        )
        return set()
    shares = group.busy_shares()
    busy = [100 * share for share in shares.values()]
    kinds = ["cpu" if name.startswith("CPU") else "gpu" for name in shares]
    axes.bar(range(len(busy)), busy, width=0.8, color=[BLUE if kind == "cpu" else GREEN for kind in kinds])
    axes.bar(range(len(busy)), [100 - share for share in busy], bottom=busy, width=0.8, color=IDLE)
    mean = statistics.mean(busy)
    axes.axhline(mean, color="0.1", linewidth=0.6, linestyle=MEAN_STYLE)
    axes.annotate(
        f"{mean:.1f} %",
        (1, mean),
        (2, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        fontsize=6,
        va="center",
    )
    return set(kinds)


def label_workers(axes, comparison: Comparison, workers: str) -> None:
    """Labels the workers below the last row; many workers are only numbered, with gaps."""
    group = comparison.groups(workers)[0]
    names = [name.split(" (")[0] for name in group.busy_shares()]
    if len(names) > 48:
        step = -(-len(names) // 24)
        names = [name if k % step == 0 else "" for k, name in enumerate(names)]
    margin = max(0.6, (5 - len(names)) / 2)  # keeps the bar of a single worker narrow
    axes.set_xlim(-margin, len(names) - 1 + margin)
    axes.set_xticks(
        range(len(names)), names, fontsize=6 if len(names) <= 24 else 5, rotation=0 if len(names) <= 2 else 90
    )
    axes.tick_params(axis="x", length=1.5)
