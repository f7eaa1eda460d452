"""Curves of a report, computed by `starhist export` and `starhist analyze`."""

import pathlib
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from curves.body_size import bodies_of
from curves.bonded_peaks import bonded_bins
from curves.rdf_curves import (
    Result,
    check_in_space,
    curves_of,
    distance_distribution,
    read_all,
    sums_of,
    warnings_of,
)
from curves.rdf_extrema import extrema, first_shell, shell_bin
from error_text import with_error
from shown_text import shown
from starhist_program import with_errors
from units import symbol

MOST_VALUES = 500_000  # largest number of values in a chart; pairs with the most distances are kept
MOST_SHOWN = 12  # curves shown when the page opens: the pairs with the most distances
COLOURS = 7  # of page.css
DASH_STYLES = 4  # of chart.js
NO_MINIMUM = "no minimum"


def rounded(values):
    """Returns a list of numbers for the page, with None for undefined ones."""
    return [None if value is None or not np.isfinite(value) else float(f"{value:.6g}") for value in values]


def numbers(values):
    """Returns an array for finding peaks; undefined values become 0."""
    return np.array([0.0 if value is None else value for value in values])


def drawn(pair, label, values, errors, **more):
    return {
        "pair": pair["name"],
        "label": label,
        "colour": pair["colour"],
        "dash": pair["dash"],
        "y": rounded(values),
        "error": None if errors is None else rounded(errors),
        **more,
    }


def chart_of(name, title, y_label, axis, unit, x, height, curves, **more):
    """axis: symbol of the horizontal axis. curves: dictionaries of drawn()."""
    return {
        "id": name, "title": title, "yLabel": y_label, "xSymbol": axis, "xUnit": unit, "x": rounded(x),
        "xEnd": float(x[-1]), "height": height, "curves": curves, "note": "", **more,
    }  # fmt: skip


def unit_of(table):
    return "" if table["length_unit"] == "unknown" else symbol(table["length_unit"])


def shape_of(r, value, pair, counts, is_g):
    """Returns the properties of a curve from which its first shell is found, without pairs outside the bins."""
    bonded = bonded_bins(value, counts.edges, sums_of(pair, counts, is_g)) if pair.pairs.any() else 0
    return SimpleNamespace(r=r, value=value, counts=pair.counts.sum(axis=0), bonded=bonded)


def distance_chart(program, result, normalization, counts, pairs):
    """Returns the chart of g(r), or of p(r) if the program refuses g(r). counts: ResultCounts with the same pairs."""
    unit = symbol(counts.unit)
    table, refusal = with_errors(program, "export", result, "g", "--normalization", normalization)
    if table:
        heading, reference = ("g", "Radial distribution function", "g(r)"), {"reference": 1}
        curves = curves_of(table)
    else:
        check_in_space(result, counts)
        heading, reference = ("p", "Distribution of distances", f"p(r) ({unit}⁻¹)" if unit else "p(r)"), {}
        distributions = [distance_distribution(pair, counts.edges, counts.frames) for pair in counts.pairs]
        curves = [
            (shown(pair.label), value.tolist(), None if errors is None else errors.tolist())
            for pair, (value, errors) in zip(counts.pairs, distributions)
        ]
    r = (counts.edges[:-1] + counts.edges[1:]) / 2
    shapes = [
        shape_of(r, numbers(values), pair, counts, bool(table)) for (_, values, _), pair in zip(curves, counts.pairs)
    ]
    lines = [
        drawn(pair, label, values, errors, cutBelow=shape.bonded)
        for pair, (label, values, errors), shape in zip(pairs, curves, shapes)
    ]
    note = "; ".join(warnings_of(table or {}, "isotropic_caveat"))
    chart = chart_of(*heading, "r", unit, r, 400, lines, xEnd=counts.edges[-1], note=note, **reference)
    return chart, shapes, bool(table), refusal


def coordination_chart(program, result, counts, pairs, shapes):
    """Returns the chart of n(r) in both directions of each pair, up to a few times the first shell."""
    table, _ = with_errors(program, "export", result, "coordination")
    rows = iter(curves_of(table))
    curves = []
    for pair, shape in zip(pairs, shapes):
        for direction in range(1 if pair["like"] else 2):
            label, values, errors = next(rows)
            n = numbers(values)
            shell = n[shell_bin(shape)]
            limit = 4 * shell if np.isfinite(shell) else np.nanmax(n, initial=0)
            curve = drawn(pair, label, values, errors, yLimit=float(limit))
            curve["dash"] = (pair["dash"] + 3 * direction) % DASH_STYLES
            curves.append(curve)
    note, end = "; ".join(warnings_of(table)), counts.edges[-1]
    return chart_of(
        "n",
        "Running coordination number",
        "n(r)",
        "r",
        symbol(counts.unit),
        table["r"],
        300,
        curves,
        xEnd=end,
        note=note,
    )


def structure_chart(program, result, pairs):
    """Returns (chart of S(q) or None, message if it is refused). Adds the total to `pairs`."""
    usage = subprocess.run([program.path, "--help"], text=True, capture_output=True, check=False).stdout
    if "analyze" not in usage:
        return None, ""
    table, refusal = with_errors(program, "analyze", result, "sq")
    if not table:
        return None, f"S(q) is not available: {refusal}"
    by_name = {pair["name"]: pair for pair in pairs}
    curves = []
    for label, values, errors in curves_of(table):
        if label not in by_name:  # the total; it has a separate button
            by_name[label] = {"name": label, "colour": COLOURS - 1, "dash": 0, "shown": True}
            pairs.append(by_name[label])
        curves.append(drawn(by_name[label], label, values, errors))
    unit = unit_of(table)
    how = [str(table[name]) for name in ("method", "partials") if name in table]
    how += [f"r up to {table['r_cut']:.6g} {unit}".rstrip()] if "r_cut" in table else []
    how += [f"window: {table['window']}"] if "window" in table else []
    how += warnings_of(table, "q_caveat")
    q_unit, note = f"{unit}⁻¹" if unit else "", ", ".join(how)
    chart = chart_of("S", "Structure factor", "S(q)", "q", q_unit, table["q"], 340, curves, reference=1, note=note)
    return chart, ""


def first_peaks(result, blocks, unit):
    """Returns the table of each pair's first maximum and the minimum after it, as in `starhist peaks`.

    result, blocks: see read_all().
    """
    rows = []
    for curve, sums in zip(result.curves, blocks):
        maximum, minimum = first_shell(extrema(curve, sums)[0])
        if maximum is None:
            continue
        end, within = NO_MINIMUM, ""
        if minimum is not None:
            errors = minimum.number_errors or [None] * len(minimum.numbers)
            end = with_error(minimum.r, minimum.r_error)
            within = "\n".join(
                f"{label}: " + (with_error(n, error) if np.isfinite(n) else "undefined (larger than the box)")
                for label, n, error in zip(curve.directions, minimum.numbers, errors)
            )
        rows.append(
            [
                curve.pair,
                with_error(maximum.r, maximum.r_error),
                with_error(maximum.value, maximum.value_error),
                end,
                within,
            ]
        )
    unit = f" ({unit})" if unit else ""
    return {
        "heading": "First peaks",
        "rows": rows,
        "columns": [
            "pair",
            f"r of the peak{unit}",
            "g" if result.is_g else "p",
            f"shell ends at{unit}",
            "coordination numbers there",
        ],
        "note": "Computed as by starhist peaks: positions and heights come from parabolas fitted to the curve. The "
        "shell ends at the minimum after the first peak, if one is significant. Errors of coordination "
        "numbers include the uncertainty of the minimum's position.",
    }


def body_sizes(result, unit):
    """Returns the table of largest distances and radii of gyration, for results with p(r)."""
    unit = f" ({unit})" if unit else ""
    rows = [
        [
            name,
            f"{size.d_max[1]:.6g}" if size else "beyond the last bin",
            with_error(size.rg, size.rg_error) if size and size.rg is not None else "",
        ]
        for name, size in ([] if result.is_g else bodies_of(result))
    ]
    return {
        "heading": "Size",
        "rows": rows,
        "columns": ["particles", f"largest distance{unit}", f"radius of gyration{unit}"],
        "note": "The largest distance in any frame is the upper edge of its bin. The radius of gyration has equal "
        "weights; it needs all distances between the particles.",
    }


def peak_tables(program, path, normalization, counts):
    """Returns the tables of first_peaks() and body_sizes(); they have no rows if no pair has distances.

    Peaks are not located in bins of unequal width."""
    result, blocks = Result([], True, counts.unit), []
    if any(pair.pairs.any() for pair in counts.pairs):
        result, blocks, _ = read_all(program, path, normalization=normalization)
    peaked = result if counts.equal_widths else Result([], result.is_g, counts.unit)
    return first_peaks(peaked, blocks, symbol(counts.unit)), body_sizes(result, symbol(counts.unit))


def with_fewer_pairs(program, counts):
    """Returns (Program restricted to the pairs that fit on a page, their ResultCounts, a note; "" if all pairs fit)."""
    most = max(MOST_SHOWN, MOST_VALUES // (len(counts.edges) - 1))
    if len(counts.pairs) <= most:
        return program, counts, ""
    distances = [int(pair.pairs.sum()) for pair in counts.pairs]
    largest = sorted(range(len(distances)), key=lambda k: -distances[k])[:most]
    kept = [counts.pairs[k] for k in sorted(largest)]
    names = ",".join(pair.label for pair in kept)
    return (
        program._replace(options=[*program.options, "--pairs", names]),
        replace(counts, pairs=kept),
        f"This page shows the {most} pairs of species with the most distances, of {len(distances)}; "
        "starhist export writes all.",
    )


def charts_and_peaks(program, result, normalization, counts):
    """Returns the charts and tables of the result file `result`, whose ResultCounts are `counts`."""
    program, counts, left_out = with_fewer_pairs(program, counts)
    pairs = [
        {
            "name": shown(pair.label),
            "colour": k % COLOURS,
            "dash": k // COLOURS % DASH_STYLES,
            "shown": True,
            "like": pair.species[0] == pair.species[1],
            "pairs": int(pair.pairs.sum()),
        }
        for k, pair in enumerate(counts.pairs)
    ]
    for pair in sorted(pairs, key=lambda pair: -pair["pairs"])[MOST_SHOWN:]:
        pair["shown"] = False
    first, shapes, is_g, refusal = distance_chart(program, result, normalization, counts, pairs)
    charts = [first, coordination_chart(program, result, counts, pairs, shapes)]
    notes = ([left_out] if left_out else []) + ([] if is_g else [f"g(r) is not available: {refusal}"])
    peaks, sizes = peak_tables(program, result, normalization, counts)
    structure, note = structure_chart(program, result, pairs)
    if structure:
        charts.append(structure)
    if note:
        notes.append(note)
    folder = str(pathlib.Path(result).parent) + "/"
    notes = [note.replace(folder, "") for note in notes]
    return {"pairs": pairs, "charts": charts, "notes": notes, "peaks": peaks, "sizes": sizes}
