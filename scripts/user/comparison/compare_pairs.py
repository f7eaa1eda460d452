"""Compares the pairs of a reference with other results and curves, for compare.py."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from comparison.compare_runs import difference
from comparison.curve_causes import causes_of, exact_of
from comparison.curve_files import read_curves, value_columns
from comparison.curve_pairs import curve_causes
from known_words import did_you_mean, listed
from rdf_curves import read_all
from shown_text import shown
from starhist_program import ResultError, asked
from units import spelling


@dataclass
class Comparison:
    unit: str
    quantity: str  # g or p
    rows: list = field(default_factory=list)  # a dictionary for each pair and file
    panels: list = field(default_factory=list)  # see draw_comparison()


def compared(program, reference, is_result, others, wanted, column):
    """Returns the Comparison of each of `others` [(path, whether it is a result)] with `reference`."""
    if not is_result:
        return _compared_curves(reference, [path for path, _ in others], column)
    result, blocks, counts = read_all(program, reference, wanted)
    own = {curve.pair: (curve, sums) for curve, sums in zip(result.curves, blocks)}
    found = Comparison(result.unit, "g" if result.is_g else "p")
    panels = {pair: ([_drawn(reference, curve.r, curve.value, curve.error)], []) for pair, (curve, _) in own.items()}
    for path, other_is_result in others:
        rows = (
            _with_result(program, reference, result, own, path, wanted, panels)
            if other_is_result
            else _with_curve(program, reference, result, counts, path, wanted, column, panels)
        )
        found.rows += rows
    found.panels = [
        (pair, curves, [step[:-1] for step in steps], all(step[-1] for step in steps), top_of(own[pair][0]))
        for pair, (curves, steps) in panels.items()
        if steps
    ]
    return found


def top_of(curve):
    """Returns an upper axis limit that shows the curve without its bonded peaks."""
    return 1.15 * float(curve.value[curve.bonded :].max()) or 1.0


def p_text(p):
    """p of a test for a legend; "" for None."""
    return "" if p is None else f"$p$ = {p:.2g}" if p >= 1e-4 else "$p$ < 0.0001"


def _drawn(path, r, value, error):
    return (shown(Path(path).stem), r, value, error)


def _largest(r, step, in_errors):
    if not len(r) or not np.any(np.isfinite(step)):
        return None
    k = int(np.nanargmax(abs(step if in_errors is None or not in_errors.any() else in_errors)))
    return {
        "r": float(r[k]),
        "difference": float(step[k]),
        "standard_errors": None if in_errors is None else float(in_errors[k]),
    }


def _with_result(program, reference, result, own, path, wanted, panels):
    in_same_unit = program
    if result.unit:
        in_same_unit = program._replace(options=[*program.options, "--out-unit", result.unit])
    try:
        other, blocks, _ = read_all(in_same_unit, path, wanted)
    except ResultError:
        if in_same_unit is program or spelling(result.unit) == result.unit == "sigma":
            raise
        other, blocks, _ = read_all(program, path, wanted)
    if other.unit != result.unit:
        raise ResultError(
            f"{path}: lengths are in {other.unit or 'an unknown unit'}, in {reference} in {result.unit or 'an unknown unit'}: "
            "pass --unit"
        )
    if other.is_g != result.is_g:
        raise ResultError(
            f"{path}: only one of the two results has g(r) (the other has no box): compare results with a box"
        )
    common = [curve.pair for curve in other.curves if curve.pair in own]
    if not common:
        raise ResultError(
            f"{path}: no pair in common with {reference} ({listed(curve.pair for curve in other.curves)} and "
            f"{listed(own)}): name the species alike with --species when counting"
        )
    rows = []
    for curve, sums in zip(other.curves, blocks):
        if curve.pair not in own:
            continue
        found = difference(own[curve.pair], (curve, sums), result.is_g)
        step, in_errors = found.other - found.one, found.in_errors
        rows.append(
            {
                "other": shown(str(path)),
                "pair": curve.pair,
                "p": found.p,
                "blocks": found.blocks,
                "block_correlation": found.correlation,
                "largest": _largest(found.r, step, in_errors),
                "notes": [found.note] if found.note else [],
            }
        )
        curves, steps = panels[curve.pair]
        curves.append(_drawn(path, found.r, found.other, found.other_error))
        has_errors = in_errors is not None
        steps.append((Path(path).stem, found.r, in_errors if has_errors else step, p_text(found.p), has_errors))
    left = [curve.pair for curve in other.curves if curve.pair not in own] + [
        pair for pair in own if pair not in common
    ]
    if left:
        rows[0]["notes"].append(f"only one of the results has {listed(left)}")
    return rows


def _column_of(table, path, column, pairs):
    """Returns (column, pair) of the curve to compare."""
    names = value_columns(table)
    if column and column not in names:
        raise ResultError(f"{path}: no column '{column}' (there are {listed(names)}){did_you_mean(column, names)}")
    if column or len(names) == 1 or len(pairs) == 1:
        matching = [pair for pair in pairs if column in (pair, "-".join(reversed(pair.split("-"))))]
        if len(pairs) > 1 and not matching:
            raise ResultError(f"{path}: the result has several pairs ({listed(pairs)}): choose one with --pairs")
        return column or names[0], (matching or pairs)[0]
    for name in names:
        for pair in pairs:
            if name in (pair, "-".join(reversed(pair.split("-")))):
                return name, pair
    raise ResultError(
        f"{path}: its columns ({listed(names)}) have other names than the pairs ({listed(pairs)}): choose with --pairs A-B "
        "and --column NAME"
    )


def _with_curve(program, reference, result, counts, path, wanted, column, panels):
    if not result.is_g:
        raise ResultError(f"{reference}: has no g(r) to compare with a curve (no box): compare two results")
    table = read_curves(path)
    name, pair_name = _column_of(table, path, column, [curve.pair for curve in result.curves])
    pair = next(pair for pair in counts.pairs if shown(pair.label) == pair_name)
    exact = exact_of(pair, counts, _volume_factor(program, reference, pair.label))
    why = causes_of(exact, table.r, table.columns[name], table.unit, result.unit, table.step)
    curve = next(curve for curve in result.curves if curve.pair == pair_name)
    error = None if curve.error is None else np.interp(why.r, curve.r, curve.error)
    rest = why.value - why.explained
    in_errors = None
    if error is not None:
        in_errors = np.divide(rest, error, out=np.zeros_like(rest), where=error > 0)
    curves, steps = panels[pair_name]
    curves.append(_drawn(path, why.r, why.value, None))
    steps.append((Path(path).stem, why.r, why.value - why.ours, "", False))  # before the corrections
    return [
        {
            "other": shown(str(path)),
            "pair": pair_name,
            "column": name,
            "causes": [{"kind": cause.kind, "text": cause.text} for cause in why.causes],
            "same_frames": why.same_frames,
            "exact_bins": why.exact_bins,
            "largest": _largest(why.r, rest, in_errors),
            "notes": why.notes,
        }
    ]


def _volume_factor(program, path, label):
    """g(r) divided by the mean volume, relative to g(r) divided by the mean of 1/V."""
    values = []
    for kind in ("mean-volume", "pairs-over-volume"):
        table, refusal = asked(
            program, "export", "--quantity", "g", "--normalization", kind, "--pairs", label, "--", path
        )
        if table is None:
            raise ResultError(refusal)
        values.append(max(value or 0 for value in table["curves"][0]["value"]))
    return values[0] / values[1]


def _compared_curves(reference, others, column):
    table = read_curves(reference)
    name, _ = _column_of(table, reference, column, ["curve"])
    found = Comparison(table.unit, "g")
    curves, steps = [_drawn(reference, table.r, table.columns[name], None)], []
    for path in others:
        other = read_curves(path)
        other_name, _ = _column_of(other, path, column, ["curve"])
        causes, r, step = curve_causes(
            (table.r, table.columns[name], table.unit), (other.r, other.columns[other_name], other.unit), path
        )
        found.rows.append(
            {
                "other": shown(str(path)),
                "pair": other_name,
                "column": other_name,
                "causes": [{"kind": cause.kind, "text": cause.text} for cause in causes],
                "largest": _largest(r, step, None),
                "notes": [
                    "two curves without counts: units, shifts of r and factors are the only causes that can be found"
                ],
            }
        )
        curves.append(_drawn(path, r, np.interp(r, table.r, table.columns[name]) + step, None))
        steps.append((Path(path).stem, r, step, ""))
    found.panels = [(name, curves, steps, False, 1.15 * float(np.nanmax(table.columns[name])))]
    return found
