"""Compares the pairs of a reference with other results and curves, for compare.py."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from comparison.column_names import columns_of_curves, columns_of_pairs
from comparison.compare_runs import difference, shared_frames
from comparison.curve_causes import FACTORS, OTHER_FRAMES, Cause, causes_of, exact_of
from comparison.curve_files import read_curves, value_columns
from comparison.own_exports import exported, is_equal, needs_export
from comparison.same_numbers import explained
from curves.rdf_curves import read_all, space_of
from known_words import listed
from shown_text import shown
from starhist_program import ResultError, asked
from units import LENGTHS, spelling

ROUNDING = 1e-12  # largest difference that comes from the rounding of sums, relative to the largest value
GAIN = 0.5  # largest ratio of the deviations of two curves with and without a cause


@dataclass
class Comparison:
    unit: str
    quantity: str  # g or p
    rows: list = field(default_factory=list)  # a dictionary for each pair and file
    panels: list = field(default_factory=list)  # see draw_comparison()


def compared(program, reference, is_result, others, wanted, column):
    """Returns the Comparison of each of `others` [(path, whether it is a result)] with `reference`."""
    if not is_result:
        return _compared_curves(reference, [path for path, _ in others], column, wanted)
    result, blocks, counts = read_all(program, reference, wanted)
    if counts.geometry and not all(other_is_result for _, other_is_result in others):
        raise ResultError(
            f"{reference}: has distances in {space_of(counts)}, which can only be compared with results of starhist: "
            "leave out the other files"
        )
    own = {curve.pair: (curve, sums) for curve, sums in zip(result.curves, blocks)}
    found = Comparison(result.unit, "g" if result.is_g else "p")
    panels = {pair: ([_drawn(reference, curve.r, curve.value, curve.error)], []) for pair, (curve, _) in own.items()}
    for path, other_is_result in others:
        rows = (
            _with_result(program, reference, result, counts, own, path, wanted, panels)
            if other_is_result
            else _with_curve(program, reference, result, counts, path, column, panels)
        )
        found.rows += rows
    found.panels = [
        (pair, curves, [step[:-1] for step in steps], all(step[-1] for step in steps), top_of(own[pair][0]))
        for pair, (curves, steps) in panels.items()
        if steps
    ]
    return found


NORM_OPTIONS = ("--exclude-same", "--volume", "--extent")  # they change the counted pairs or the norm of g(r)


def top_of(curve):
    """Returns an upper axis limit that shows the curve without its bonded peaks."""
    return 1.15 * float(curve.value[curve.bonded :].max()) or 1.0


def p_text(p):
    """p of a test for a legend; "" for None."""
    return "" if p is None else f"$p$ = {p:.2g}" if p >= 1e-4 else "$p$ < 0.0001"


def _drawn(path, r, value, error):
    return (shown(Path(path).stem), r, value, error)


def _largest(r, step, in_errors, values):
    """The largest difference from `values`; differences by the rounding of sums are 0."""
    if not len(r) or not np.any(np.isfinite(step)):
        return None
    rounded = abs(step) <= ROUNDING * np.nanmax(abs(values))
    step = np.where(rounded, 0.0, step)
    in_errors = None if in_errors is None else np.where(rounded, 0.0, in_errors)
    k = int(np.nanargmax(abs(step if in_errors is None or not in_errors.any() else in_errors)))
    return {
        "r": float(r[k]),
        "difference": float(step[k]),
        "standard_errors": None if in_errors is None else float(in_errors[k]),
    }


def _with_result(program, reference, result, counts, own, path, wanted, panels):
    in_same_unit = program
    if spelling(result.unit) in LENGTHS:
        in_same_unit = program._replace(options=[*program.options, "--out-unit", result.unit])
    try:
        other, blocks, other_counts = read_all(in_same_unit, path, wanted)
    except ResultError:
        if in_same_unit is program:
            raise
        other, blocks, other_counts = read_all(program, path, wanted)
    if other.unit != result.unit and other.unit and result.unit:
        raise ResultError(
            f"{path}: lengths are in {other.unit}, in {reference} in {result.unit}, and neither can be converted to the "
            "other: compare results of one kind of unit"
        )
    if other.unit != result.unit:
        raise ResultError(
            f"{path}: lengths are in {other.unit or 'an unknown unit'}, in {reference} in {result.unit or 'an unknown unit'}: "
            "pass --unit"
        )
    if space_of(other) != space_of(result):
        raise ResultError(
            f"{path}: distances are in {space_of(other)}, in {reference} in {space_of(result)}: count both with the same "
            "--plane or --geometry"
        )
    if other.is_g != result.is_g:
        raise ResultError(
            f"{path}: only one of the two results has g(r) (the other has no box): compare results with a box"
        )
    names = {pair: tuple(sorted(name for name, _ in curve.particles)) for pair, (curve, _) in own.items()}
    for curve in other.curves:  # O-H of one result is H-O of another
        same = tuple(sorted(name for name, _ in curve.particles))
        curve.pair = next((pair for pair, species in names.items() if species == same), curve.pair)
    common = [curve.pair for curve in other.curves if curve.pair in own]
    if not common:
        raise ResultError(
            f"{path}: no pair in common with {reference} ({listed(curve.pair for curve in other.curves)} and "
            f"{listed(own)}): name the species alike with --species when counting"
        )
    rows = []
    dependent = shared_frames(counts, other_counts)
    for curve, sums in zip(other.curves, blocks):
        if curve.pair not in own:
            continue
        found = difference(own[curve.pair], (curve, sums), result.dimensions, dependent)
        step, in_errors = found.other - found.one, found.in_errors
        rows.append(
            {
                "other": shown(str(path)),
                "pair": curve.pair,
                "p": found.p,
                "blocks": found.blocks,
                "block_correlation": found.correlation,
                "largest": _largest(found.r, step, in_errors, found.one),
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
        rows[0]["file_notes"] = [f"pairs in only one of the results, not compared: {listed(left)}"]
    rows[0]["notes"] += _option_notes((reference, counts), (path, other_counts))
    return rows


def _option_notes(*results):
    """Notes of options that change pairs or norm and were not the same in two results (path, ResultCounts)."""
    notes = []
    for option in NORM_OPTIONS:
        values = [counts.provenance.get(f"option {option}", "") for _, counts in results]
        if values[0] != values[1]:
            ways = [
                f"{shown(Path(path).name)} " + (f"with {option} {shown(value)}" if value else f"without {option}")
                for (path, _), value in zip(results, values)
            ]
            notes.append(f"counted differently: {ways[0]}, {ways[1]}")
    return notes


def _with_curve(program, reference, result, counts, path, column, panels):
    """Compares every pair that has a column in the curve. Returns a row for each."""
    if not result.is_g:
        raise ResultError(f"{reference}: has no g(r) to compare with a curve (no box): compare two results")
    table = read_curves(path)
    species = [shown(name) for name in counts.species]
    counted = {shown(pair.label): pair for pair in counts.pairs}
    own = {curve.pair: curve for curve in result.curves}
    pairs = {label: tuple(sorted(species[k] for k in counted[label].species)) for label in own}
    names = value_columns(table)
    found = columns_of_pairs(path, names, column, pairs, species)
    rows = []
    if needs_export(table):
        rows = [
            _with_export(program, reference, result, path, table, name, label, counted[label].label, panels)
            for name, label in found
        ]
        found_by_convention = []
    else:
        found_by_convention = found
    if found_by_convention and not counts.equal_widths:
        raise ResultError(
            f"{reference} has bins of unequal width, and causes of differences need equal ones: count with --bins N or "
            "--bin-width"
        )
    for name, label in found_by_convention:
        volume = _volume_factor(program, reference, counted[label].label)
        exact = exact_of(counted[label], counts, volume, result.dimensions)
        step = 2 * float(table.rounding[name].max())
        why = causes_of(exact, table.r, table.columns[name], table.unit, result.unit, step)
        explained(program, reference, counted[label].label, table, name, result.unit, why)
        curve = own[label]
        rest = why.value - why.explained
        in_errors = None
        if curve.error is not None:
            error = np.interp(why.r, curve.r, curve.error)
            in_errors = np.divide(rest, error, out=np.zeros_like(rest), where=error > 1e-9 * abs(why.value))
        curves, steps = panels[label]
        curves.append(_drawn(path, why.r, why.value, None))
        steps.append((Path(path).stem, why.r, why.value - why.ours, "", False))  # before the corrections
        rows.append(
            {
                "other": shown(str(path)),
                "pair": label,
                "column": shown(name),
                "causes": [{"kind": cause.kind, "text": cause.text} for cause in why.causes],
                "same_frames": why.same_frames,
                "exact_bins": why.exact_bins,
                "largest": _largest(why.r, rest, in_errors, why.value),
                "notes": why.notes,
            }
        )
    if result.plane:
        for row in rows:
            if not row["same_frames"]:
                row["notes"].append(
                    f"distances in {reference} are in the plane {result.plane}: a curve of distances in space differs "
                    "even for the same frames"
                )
    rows[0]["notes"] += table.notes
    left = [label for label in own if label not in [label for _, label in found]]
    if left and not column:
        rows[0]["notes"].append(f"the curve has no column of {listed(left)}")
    return rows


def _with_export(program, reference, result, path, table, name, label, pair, panels):
    """Compares a smoothed curve, or one of unequal bins, with the same export of the result. Returns a row."""
    values = table.columns[name]
    ours, errors = exported(program, reference, path, table, pair, result.unit)
    step = values - ours
    in_errors = None if errors is None else np.divide(step, errors, out=np.zeros_like(step), where=errors > 0)
    known = result.unit in FACTORS and table.unit in FACTORS
    r = table.r * (FACTORS[table.unit] / FACTORS[result.unit] if known else 1)
    curves, steps = panels[label]
    curves.append(_drawn(path, r, values, None))
    steps.append((Path(path).stem, r, step, "", False))
    same = is_equal(ours, values)
    return {
        "other": shown(str(path)),
        "pair": label,
        "column": shown(name),
        "causes": [],
        "same_frames": same,
        "exact_bins": True,
        "largest": _largest(r, step, in_errors, values),
        "notes": [] if same else [OTHER_FRAMES],
    }


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


def _curve_causes(one, other, path):
    """Returns (causes, r, difference after them) of two curves without counts (r, values, unit of r or "")."""
    (r, value, unit), (other_r, other_value, other_unit) = one, other
    width = np.median(np.diff(other_r))
    scales = {1.0: ""}
    if unit and other_unit:
        scales = {FACTORS[other_unit] / FACTORS[unit]: other_unit}
    elif not (unit and other_unit):
        scales |= {10.0: "nm", 0.1: "A"}
    best = None
    for scale in scales:
        for shift in (0.0, 0.5, -0.5):
            moved = (other_r + shift * width) * scale
            inside = (r >= moved[0]) & (r <= moved[-1])
            if inside.sum() < 8:
                continue
            there = np.interp(r[inside], moved, other_value)
            far = np.sqrt(np.mean((there - value[inside]) ** 2)) + 1e-15
            price = 1 if scale == 1 and shift == 0 else 1 / GAIN
            if best is None or far * price < best[0]:
                best = (far * price, scale, shift, inside, there)
    if best is None:
        raise ResultError(
            f"{path}: its r overlaps the reference's in fewer than 8 rows (other units?): pass curves of one range"
        )
    _, scale, shift, inside, there = best
    causes = []
    if scale != 1:
        causes.append(Cause("unit", f"r is {1 / scale:.6g} times the reference's r: convert it"))
    if shift:
        causes.append(Cause("bins", f"r is shifted by half a bin: add {shift:+.1f} bin widths"))
    outer = slice(len(there) // 2, None)
    factor = there[outer].sum() / value[inside][outer].sum() if value[inside][outer].sum() else 1.0
    plain, scaled = there - value[inside], there / factor - value[inside]
    if factor > 0 and (scaled**2).mean() < GAIN**2 * (plain**2).mean():
        causes.append(Cause("factor", f"values are {factor:.6g} times the reference's (norm, density or volume)"))
        plain = scaled
    return causes, r[inside], plain


def _compared_curves(reference, others, column, wanted):
    table = read_curves(reference)
    found = Comparison(table.unit, "g")
    panels = {}
    for path in others:
        other = read_curves(path)
        names = (value_columns(table), value_columns(other))
        for name, other_name in columns_of_curves((reference, path), names, column, wanted):
            values = table.columns[name]
            causes, r, step = _curve_causes(
                (table.r, values, table.unit), (other.r, other.columns[other_name], other.unit), path
            )
            found.rows.append(
                {
                    "other": shown(str(path)),
                    "pair": shown(name),
                    "column": shown(other_name),
                    "causes": [{"kind": cause.kind, "text": cause.text} for cause in causes],
                    "largest": _largest(r, step, None, values),
                    "notes": table.notes
                    + other.notes
                    + [
                        "two curves without counts: units, shifts of r and factors are the only causes that can be found"
                    ],
                }
            )
            curves, steps = panels.setdefault(name, ([_drawn(reference, table.r, values, None)], []))
            curves.append(_drawn(path, r, np.interp(r, table.r, values) + step, None))
            steps.append((Path(path).stem, r, step, ""))
    found.panels = [
        (name, *drawn, False, 1.15 * float(np.nanmax(table.columns[name]))) for name, drawn in panels.items()
    ]
    return found
