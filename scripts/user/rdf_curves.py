"""The curves of a result file for plot_rdf.py, which needs no starhist where the file is looked at.

Knows the file by the layout in docs/reference/result-file.md.
"""
import pathlib
from dataclasses import dataclass

import h5py
import numpy as np

from known_words import did_you_mean, listed
from rdf_extrema import Blocks
from starhist_program import NotInspected, inspect
from units import UnitError, settled

PARAMETERS = "parameters/pair_histogram"
HISTOGRAM = "observables/pair_distance_histogram"
DISTRIBUTIONS = "observables/radial_distribution_functions"


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
    index: int = 0  # of the pair in the file

    @property
    def r_max(self):
        return self.edges[self.r.size]

    @property
    def directions(self):
        """"B around A" for each direction of the pair."""
        species = list(self.particles)
        return [f"{b} around {a}" for a, b in (zip(species, reversed(species)) if len(species) > 1 else
                                               [species * 2])]


@dataclass
class Result:
    curves: list
    is_g: bool
    unit: str  # of lengths; "" if the file does not say it
    blocks: int = 0  # of frames


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


@dataclass
class TableRow:
    """What the group of a pair would hold."""
    table: h5py.Group
    row: int

    def __getitem__(self, name):
        return self.table[name][self.row] if name in ("label", "value") else self.table[name]


def distributions_by_label(file):
    if DISTRIBUTIONS not in file:
        return {}
    found = {}
    for group in file[DISTRIBUTIONS].values():
        labels = group["label"][()]
        if isinstance(labels, np.ndarray):  # the table of a result with many pairs
            found.update((text(label), TableRow(group, row)) for row, label in enumerate(labels))
        else:
            found[text(labels)] = group
    return found


def standard_errors(counts, expected, frames, value):
    """Jackknife of value = sum of counts / sum of expected / shell volume, over blocks of any length.

    counts: [blocks, bins]; expected: [blocks], pairs over volume; frames: [blocks]. The shell
    volumes cancel where they are the same in all blocks, which they are wherever the file has a
    g(r). The formula, and why blocks weigh as their frames, is in codelets/core/analysis/jackknife.hh.
    Blocks without pairs are left out; at least two must have some.
    """
    occurs = expected > 0
    counts, expected = counts[occurs], expected[occurs]
    shares = frames[occurs] / frames[occurs].sum()
    total, all_expected = counts.sum(axis=0), expected.sum()
    without = (total - counts) / (all_expected - expected)[:, None]
    rest = (1 - shares)[:, None]
    mean = (rest * without).sum(axis=0) / (len(shares) - 1)
    squares = ((rest * (without - mean)) ** 2).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(total > 0, value * all_expected / total, 0)
    return np.sqrt(squares / (shares * (1 - shares)).sum()) * scale


def blocks_of(file, pair_index):
    """(neighbours [blocks, bins], frames [blocks], [centres of each direction [blocks]]) of an open result."""
    histogram = file[HISTOGRAM]
    numbers = histogram["particle_number"][()]
    species = list(dict.fromkeys(histogram["pair_species"][pair_index]))
    counts = histogram["value"][:, pair_index].astype(float)
    if len(species) == 1:
        counts = 2 * counts  # both of a pair are neighbours of each other
    return counts, histogram["frames"][()].astype(float), [numbers[:, s].astype(float) for s in species]


def curve_of(name, pair_index, species_pair, histogram, distribution, conversion):
    """conversion: LengthConversion of units.py."""
    edges = conversion(histogram["bin_edges"][()])
    counts = histogram["value"][:, pair_index].sum(axis=0)
    totals = histogram["particle_number"][()].sum(axis=0)
    species = [text(label) for label in histogram["species"][()]]
    particles = {species[index]: totals[index] for index in species_pair}
    error = None
    if distribution is not None:
        r, value = conversion(distribution["bins"][()]), distribution["value"][()]
        expected = histogram["pairs_over_volume"][:, pair_index]
        if np.count_nonzero(expected) > 1:
            error = standard_errors(
                histogram["value"][:, pair_index, :len(r)].astype(float), expected,
                histogram["frames"][()].astype(float), value)
    else:
        pairs = max(1, histogram["pairs"][:, pair_index].sum())
        r, value = (edges[:-1] + edges[1:]) / 2, counts / (pairs * np.diff(edges))
    return Curve(name, r, value, counts, edges, particles, error, pair_index)


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
            raise PlotError(f"there is no pair '{pair}' (the result has {listed(names)})"
                            f"{did_you_mean(pair, [*names, *reversed_names])}")
        if name not in picked:
            picked.append(name)
    return picked


def read(path, wanted, allow_external=False, unit="", out_unit=""):
    """The curves of the pairs `wanted`, "" for all. unit, out_unit: settled() of units.py."""
    if not pathlib.Path(path).is_file():
        raise PlotError(f"{path}: there is no such file")
    if not h5py.is_hdf5(path):
        raise PlotError(f"{path}: is not an HDF5 file, as results of starhist are")
    try:
        inspect(path, allow_external)
    except NotInspected as error:
        raise PlotError(error) from error
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
            counted = histogram["pairs"][()].sum(axis=0)
            if not any(counted[pairs[name][0]] for name in names):
                raise PlotError(f"{path}: no frame has a pair {listed(names)}, so there is no curve")
            distributions = distributions_by_label(file)
            missing = [name for name in names if name not in distributions]
            if distributions and wanted and missing:
                raise PlotError(f"{path}: there is no g(r) of {', '.join(missing)} "
                                "(no frame has such a pair)")
            if distributions:
                names = [name for name in names if name in distributions]
            shown, conversion = settled(path, text(file[PARAMETERS].attrs["length_unit"]), unit, out_unit)
            curves = [curve_of(name, *pairs[name], histogram, distributions.get(name), conversion)
                      for name in names]
            return Result(curves, bool(distributions), shown, histogram["frames"].shape[0])
    except UnitError as error:
        raise PlotError(error) from error
    except (OSError, KeyError, ValueError) as error:
        raise PlotError(f"{path}: cannot be read as a result of starhist ({error})") from error


def coordination(curve):
    """[(label, n at the upper bin edges)] for each direction of the pair."""
    within = np.cumsum(curve.counts) * (2 if len(curve.particles) == 1 else 1)
    return [(label, within / max(1, total)) for label, total in zip(curve.directions, curve.particles.values())]


def read_with_blocks(path, wanted, allow_external=False, unit="", out_unit="", g=None):
    """(Result, [Blocks of rdf_extrema.py for each of its curves])

    g: values of g(r) by pair, in place of what the file has: of another normalization, or of a run that did
    not finish.
    """
    result = read(path, wanted, allow_external, unit, out_unit)
    if g is not None:
        result.is_g = True
        for curve in result.curves:
            curve.value = g[curve.pair]
            curve.r = (curve.edges[:-1] + curve.edges[1:])[:len(curve.value)] / 2
    try:
        with h5py.File(path, "r") as file:
            return result, [sums_of_blocks(file, curve.index, result.is_g) for curve in result.curves]
    except (OSError, KeyError, ValueError) as error:
        raise PlotError(f"{path}: cannot be read as a result of starhist ({error})") from error


def sums_of_blocks(file, pair_index, is_g):
    histogram = file[HISTOGRAM]
    neighbours, frames, particles = blocks_of(file, pair_index)
    norm = histogram["pairs_over_volume" if is_g else "pairs"][:, pair_index].astype(float)
    below = np.zeros(len(frames))
    if "underflow" in histogram:
        below = histogram["underflow"][:, pair_index] * (2.0 if len(particles) == 1 else 1.0)
    return Blocks(neighbours, below, norm, frames, particles)
