"""Finds the columns of curves that belong to pairs of species, by their names."""

import re

from known_words import did_you_mean, listed
from starhist_program import ResultError

PREFIX = re.compile(r"^(?:g\(r\)|gr|g|rdf|RDF)[\s_:({\[]*(?=\S)")
SUFFIX = re.compile(r"[)}\]]*(?:\s*\(r\)|[\s_]+(?:g\(r\)|rdf|RDF))?\s*$")
# Separators of both species in a name, the most specific ones first; "": O-H as OH.
SEPARATORS = (("-",), ("_", " ", "\u2013", "/", ":"), ("",))
LAMMPS = re.compile(r"[cfv]_\w+\[(\d+)\]")  # r, then g(r) and coordination number of each pair
G_NAMES = re.compile(r"g|gr|g_r|g\(r\)|rdf|column \d+", re.IGNORECASE)
OTHER_NAMES = re.compile(
    r"n|cn|n\(r\)|n_r|int.*|counts?|coord.*|number.*|error|err|std|stddev|stderr|sd|sem", re.IGNORECASE
)


def is_g(name):
    """Whether a column is named like g(r), without a pair, or has no name."""
    row = LAMMPS.fullmatch(name)
    return int(row[1]) % 2 == 0 if row else bool(G_NAMES.fullmatch(name))


def is_other(name):
    """Whether a column is named like coordination numbers, counts or errors."""
    row = LAMMPS.fullmatch(name)
    return int(row[1]) % 2 == 1 if row else bool(OTHER_NAMES.fullmatch(name))


def _forms(name):
    """The name as it is, and without "g_", "(r)" and the like."""
    name = name.strip()
    return dict.fromkeys((name, SUFFIX.sub("", PREFIX.sub("", name, count=1), count=1)))


def pair_named(name, species):
    """Returns both species of the pair that a column is named after, sorted; None for other and ambiguous names."""
    for text in _forms(name):
        for marks in SEPARATORS:
            halves = {
                tuple(sorted((text[:k].strip(), text[k + len(mark) :].strip())))
                for mark in marks
                for k in range(len(text))
                if text.startswith(mark, k)
            }
            found = {pair for pair in halves if species.issuperset(pair)}
            if marks == ("",) and text in species:
                found.add((text, text))
            if found:
                return found.pop() if len(found) == 1 else None
    return None


def _named_column(column, names, path):
    if column not in names:
        raise ResultError(f"{path}: no column '{column}' (there are {listed(names)}){did_you_mean(column, names)}")
    return column


def unnamed_column(names):
    """Returns the column of a curve whose names contain no pair, if it has one curve; otherwise None."""
    curves = [name for name in names if not is_other(name)]
    return curves[0] if len(curves) == 1 and is_g(curves[0]) else None


def columns_of_pairs(path, names, column, pairs, species):
    """Returns [(column, pair)] to compare: every pair that has a column.

    names: columns of the curve. column: value of --column. pairs: {label: both species, sorted}. species: all of the
    result.
    """
    species = frozenset(species)

    def pairs_of(name):
        return [label for label, pair in pairs.items() if name == label or pair == pair_named(name, species)]

    several = f"{path}: the result has several pairs ({listed(pairs)}): choose one with --pairs"
    if column:
        fitting = pairs_of(_named_column(column, names, path)) or list(pairs)
        if len(fitting) > 1:
            raise ResultError(several)
        return [(column, fitting[0])]
    columns = {label: [] for label in pairs}
    for name in names:
        for label in pairs_of(name):
            columns[label].append(name)
    for label, own in columns.items():
        if label in own:
            columns[label] = own = [label]  # a table may have 1-2 and, with the same g(r), 2-1
        if len(own) > 1:
            raise ResultError(
                f"{path}: several columns are named like {label} ({listed(own)}): choose one with --column"
            )
    found = [(own[0], label) for label, own in columns.items() if own]
    if found:
        return found
    name = unnamed_column(names)
    if name is None:
        raise ResultError(
            f"{path}: no column is named like {listed(pairs)} (there are {listed(names)}): choose the pair with --pairs and "
            "its column with --column NAME"
        )
    if len(pairs) > 1:
        raise ResultError(several)
    return [(name, next(iter(pairs)))]


def _keys(name):
    """Spellings of the pair in a column's name: both orders, with hyphens."""
    found = set()
    for text in _forms(name):
        text = re.sub("[_ \u2013/:]+", "-", text)
        found.add(text)
        found |= {f"{text[k + 1 :]}-{text[:k]}" for k in range(len(text)) if text[k] == "-"}
    return found


def columns_of_curves(paths, names, column, wanted):
    """Returns [(column of the first curve, column of the second)] to compare. paths, names: of both. wanted: --pairs."""
    both = list(zip(paths, names))
    if column:
        return [tuple(column if column in own else _only(path, own) for path, own in both)]
    if wanted:
        found = [tuple(_like(path, own, pair) for path, own in both) for pair in wanted.split(",")]
    else:
        found = [(one, other) for one in names[0] for other in names[1] if _keys(one) & _keys(other)]
        found = [pair for pair in found if not any(map(is_other, pair))]
    if found:
        return found
    single = [[name for name in own if not is_other(name)] for own in names]
    if all(len(own) == 1 for own in single) and any(is_g(own[0]) for own in single):
        return [(single[0][0], single[1][0])]
    raise ResultError(
        f"{paths[1]}: no column in common with {paths[0]} (there are {listed(names[1])}; and {listed(names[0])}): choose a "
        "column with --column NAME"
    )


def _only(path, names):
    curves = [name for name in names if not is_other(name)]
    if len(curves) != 1:
        raise ResultError(f"{path}: lacks the column of --column (there are {listed(names)}): name it like the others")
    return curves[0]


def _like(path, names, pair):
    found = [name for name in names if _keys(name) & _keys(pair)] or [unnamed_column(names)]
    if len(found) > 1:
        raise ResultError(f"{path}: several columns are named like {pair} ({listed(found)}): choose one with --column")
    if found[0] is None:
        raise ResultError(
            f"{path}: no column is named like {pair} (there are {listed(names)}): choose one with --column NAME"
        )
    return found[0]
