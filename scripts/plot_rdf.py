#!/usr/bin/env python3
"""Plots the radial distribution functions of a starhist result.

    scripts/plot_rdf.py RESULT.h5 -o rdf.svg -o rdf.png [--pairs O-O,H-O] [--peaks]

Draws g(r) of all pairs, or of those named; where the result has none (open boxes, or a
run that did not finish) the distribution p(r) of the distances that were counted. The
shade around g(r) is one standard error (jackknife over the blocks, if there are several). A
single pair also gets its running coordination number n(r), dashed, on the right axis.
Peaks of bonded neighbours that would flatten everything else are cut off and labelled.

Needs h5py and Matplotlib; knows the file by the layout in io/README.md.
"""
import argparse
import pathlib
import sys
from dataclasses import dataclass

import h5py
import matplotlib
import numpy as np

from rdf_peaks import bonded_bins, first_peak, shell_end

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first)
from matplotlib.ticker import MaxNLocator  # noqa: E402

PARAMETERS = "parameters/pair_histogram"
HISTOGRAM = "observables/pair_distance_histogram"
DISTRIBUTIONS = "observables/radial_distribution_functions"
# Okabe and Ito's colours can be told apart by everybody; yellow is too pale for lines.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"]
LINE_STYLES = ["-", "--", "-.", ":"]
STYLE = {
    "font.family": "sans-serif", "font.size": 8, "axes.labelsize": 9, "legend.fontsize": 7.5,
    "axes.linewidth": 0.6, "lines.linewidth": 1.1, "lines.solid_joinstyle": "round",
    "xtick.direction": "in", "ytick.direction": "in", "xtick.top": True,
    "xtick.minor.visible": True, "ytick.minor.visible": True, "xtick.major.width": 0.6,
    "ytick.major.width": 0.6, "legend.frameon": False, "svg.hashsalt": "starhist",
}


class PlotError(Exception):
    """What the user can mend; printed without a traceback."""


@dataclass
class Curve:
    """g(r) or p(r) of one pair, and the counts that it comes from."""
    pair: str
    r: np.ndarray
    value: np.ndarray
    counts: np.ndarray
    edges: np.ndarray
    particles: dict  # species -> sum of N over the frames
    error: np.ndarray | None = None  # standard errors of value

    @property
    def r_max(self):
        return self.edges[self.r.size]


@dataclass
class Result:
    curves: list
    is_g: bool
    unit: str


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def distributions_by_label(file):
    if DISTRIBUTIONS not in file:
        return {}
    return {text(group["label"][()]): group for group in file[DISTRIBUTIONS].values()}


def standard_errors(counts, expected, value):
    """Jackknife of value = sum of counts / sum of expected / shell volume.

    counts: [blocks, bins]; expected: [blocks], pairs over volume. The shell volumes cancel
    where they are the same in all blocks, which they are wherever the file has a g(r).
    """
    blocks = len(expected)
    total, all_expected = counts.sum(axis=0), expected.sum()
    without = (total - counts) / (all_expected - expected)[:, None]
    squares = ((without - without.mean(axis=0)) ** 2).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(total > 0, value * all_expected / total, 0)
    return np.sqrt((blocks - 1) / blocks * squares) * scale


def curve_of(name, pair_index, species_pair, histogram, distribution):
    edges = histogram["bin_edges"][()]
    counts = histogram["value"][:, pair_index].sum(axis=0)
    totals = histogram["particle_number"][()].sum(axis=0)
    species = [text(label) for label in histogram["species"][()]]
    particles = {species[index]: totals[index] for index in species_pair}
    error = None
    if distribution is not None:
        r, value = distribution["bins"][()], distribution["value"][()]
        expected = histogram["pairs_over_volume"][:, pair_index]
        if np.count_nonzero(expected) > 1:
            error = standard_errors(
                histogram["value"][:, pair_index, :len(r)].astype(float), expected, value)
    else:
        pairs = max(1, histogram["pairs"][:, pair_index].sum())
        r, value = (edges[:-1] + edges[1:]) / 2, counts / (pairs * np.diff(edges))
    return Curve(name, r, value, counts, edges, particles, error)


def chosen(names, wanted):
    """Names in the order asked for; "O-H" finds "H-O"."""
    if not wanted:
        return names
    reversed_names = {}
    for name in names:
        for dash in (i for i, letter in enumerate(name) if letter == "-"):
            reversed_names[f"{name[dash + 1:]}-{name[:dash]}"] = name
    picked = []
    for pair in wanted.split(","):
        name = pair if pair in names else reversed_names.get(pair)
        if name is None:
            raise PlotError(f"there is no pair '{pair}' (the result has {', '.join(names)})")
        if name not in picked:
            picked.append(name)
    return picked


def read(path, wanted):
    if not pathlib.Path(path).is_file():
        raise PlotError(f"{path}: there is no such file")
    try:
        with h5py.File(path, "r") as file:
            if HISTOGRAM not in file:
                raise PlotError(f"{path}: is not a result of starhist (it has no {HISTOGRAM})")
            histogram = file[HISTOGRAM]
            if histogram["frames"].shape[0] == 0:
                raise PlotError(f"{path}: holds no block of frames yet")
            species = [text(label) for label in histogram["species"][()]]
            pairs = {f"{species[i]}-{species[j]}": (k, (i, j))
                     for k, (i, j) in enumerate(histogram["pair_species"][()])}
            names = chosen(list(pairs), wanted)
            distributions = distributions_by_label(file)
            missing = [name for name in names if name not in distributions]
            if distributions and wanted and missing:
                raise PlotError(f"{path}: there is no g(r) of {', '.join(missing)} "
                                "(no frame has such a pair)")
            if distributions:
                names = [name for name in names if name in distributions]
            curves = [curve_of(name, *pairs[name], histogram, distributions.get(name))
                      for name in names]
            unit = text(file[PARAMETERS].attrs["length_unit"])
            return Result(curves, bool(distributions), unit)
    except (OSError, KeyError, ValueError) as error:
        raise PlotError(f"{path}: cannot be read as a result of starhist ({error})") from error


def cut_peaks(curve, top):
    """(r, height) of the highest point of each stretch of the curve above `top`."""
    above = np.concatenate([[False], curve.value > top, [False]])
    steps = np.flatnonzero(np.diff(above.astype(int)))
    for start, stop in zip(steps[::2], steps[1::2]):
        k = start + int(np.argmax(curve.value[start:stop]))
        yield curve.r[k], curve.value[k]


def coordination(curve):
    """[(label, n at the upper bin edges)] for each direction of the pair."""
    within = np.cumsum(curve.counts)
    species = list(curve.particles.items())
    if len(species) == 1:
        name, total = species[0]
        return [(f"{name} around {name}", 2 * within / max(1, total))]
    (a, total_a), (b, total_b) = species
    return [(f"{b} around {a}", within / max(1, total_a)),
            (f"{a} around {b}", within / max(1, total_b))]


def add_coordination(axes, curve, is_g):
    """n(r) on a right axis that shows the first shell, not the cube of the box."""
    right = axes.twinx()
    shown = slice(0, curve.r.size)
    first_shell = largest = 0
    for style, (label, n) in zip(["--", (0, (1, 1.5))], coordination(curve)):
        right.plot(curve.edges[1:][shown], n[shown], linestyle=style, linewidth=0.7,
                   color="0.45", label=f"$n(r)$, {label}")
        first_shell = max(first_shell, n[shell_end(curve, is_g)])
        largest = max(largest, n[shown].max())
    right.set_ylim(0, min(largest, 4 * first_shell) or 1)
    right.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=3))
    right.set_ylabel("coordination number $n(r)$", color="0.35")
    right.tick_params(axis="y", which="both", colors="0.35")
    return right


def draw(result):
    plt.rcParams.update(STYLE)
    figure, axes = plt.subplots(figsize=(3.5, 2.6), layout="constrained")
    unit = f" ({result.unit})" if result.unit else ""
    r_max = max(curve.r_max for curve in result.curves)
    highest = max(curve.value[bonded_bins(curve):].max() for curve in result.curves)
    top = 1.15 * highest if highest > 0 else 1.0
    if result.is_g:
        axes.axhline(1, color="0.75", linewidth=0.5, zorder=0)
    cut = 0
    for k, curve in enumerate(result.curves):
        colour = COLOURS[k % len(COLOURS)]
        axes.plot(curve.r, curve.value, color=colour, label=curve.pair,
                  linestyle=LINE_STYLES[k // len(COLOURS) % len(LINE_STYLES)])
        if curve.error is not None:
            axes.fill_between(curve.r, curve.value - curve.error, curve.value + curve.error,
                              color=colour, alpha=0.3, linewidth=0)
        for r, height in cut_peaks(curve, top):
            axes.annotate(f"{height:.3g}", (r, top), (4, -3 - 8 * cut), fontsize=6,
                          textcoords="offset points", ha="left", va="top", color=colour,
                          bbox={"boxstyle": "square,pad=0.1", "fc": "w", "ec": "none"})
            cut += 1  # each label below the one before
    axes.set_xlim(0, r_max)
    axes.set_ylim(0, top)
    axes.set_xlabel(f"$r${unit}")
    axes.set_ylabel("$g(r)$" if result.is_g else
                    f"$p(r)$ ({result.unit}$^{{-1}}$)" if result.unit else "$p(r)$")
    handles, labels = axes.get_legend_handles_labels()
    if len(result.curves) == 1:
        right = add_coordination(axes, result.curves[0], result.is_g)
        more_handles, more_labels = right.get_legend_handles_labels()
        handles, labels = handles + more_handles, labels + more_labels
    axes.legend(handles, labels, ncols=1 + len(handles) // 6, handlelength=1.6,
                columnspacing=1.0, labelspacing=0.3)
    return figure


def print_peaks(result):
    quantity = "g" if result.is_g else "p"
    for curve in result.curves:
        peak = first_peak(curve, result.is_g)
        if peak is None:
            print(f"{curve.pair}: no peak stands out")
        else:
            unit = f" {result.unit}" if result.unit else ""
            print(f"{curve.pair}: first peak at r = {peak[0]:.4g}{unit}, "
                  f"{quantity} = {peak[1]:.4g}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", help="a result of starhist rdf, or its .partial")
    parser.add_argument("-o", "--output", action="append", default=[], metavar="FILE",
                        help="image to write, by its suffix (svg, png, pdf); may be repeated")
    parser.add_argument("--pairs", default="", metavar="A-B,...", help="default: all pairs")
    parser.add_argument("--peaks", action="store_true", help="print the first peak of each pair")
    parser.add_argument("--dpi", type=int, default=300, help="of PNG (default %(default)s)")
    options = parser.parse_args()
    if not options.output and not options.peaks:
        parser.error("nothing to do: give -o FILE, --peaks or both")
    try:
        result = read(options.result, options.pairs)
        if options.peaks:
            print_peaks(result)
        if options.output:
            figure = draw(result)
            for path in options.output:
                # Without the date the same result gives the same file.
                metadata = {"Date": None} if path.endswith(".svg") else {}
                figure.savefig(path, dpi=options.dpi, metadata=metadata)
    except PlotError as error:
        sys.exit(f"plot_rdf.py: {error}")
    except (OSError, ValueError) as error:
        sys.exit(f"plot_rdf.py: the plot cannot be written ({error})")


if __name__ == "__main__":
    main()
