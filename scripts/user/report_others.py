"""Content of the pages of results of `starhist vanhove` and `starhist coordination`."""

import json

import numpy as np

from curves.lag_curves import read_lag_curves
from curves.rdf_curves import curves_of, neighbour_curves, warnings_of
from error_text import with_error
from report_curves import COLOURS, DASH_STYLES, MOST_SHOWN, chart_of, drawn
from report_facts import shown_facts
from shown_text import shown
from starhist_program import Program, ResultError, answer, asked, with_errors
from units import symbol

MOST_LAGS = 12  # of more, evenly spaced ones are drawn
NOTHING = {"heading": "", "columns": [], "rows": [], "note": ""}


def about(program, path):
    """Returns the description of a result by `starhist info --json`; an empty one of other files."""
    allowed = [option for option in program.options if option == "--allow-external"]
    try:
        return json.loads(answer(Program(program.path, allowed), "info", "--json", "--", path))
    except (ResultError, ValueError):
        return {}


def _curve(name, colour, dash, values, errors):
    return drawn({"name": name, "colour": colour % COLOURS, "dash": dash % DASH_STYLES}, name, values, errors)


def _buttons(charts):
    """Returns the buttons of all curves; of each chart, the first MOST_SHOWN curves are shown when the page opens."""
    buttons = {}
    for chart in charts:
        for k, curve in enumerate(chart["curves"]):
            button = {"name": curve["pair"], "colour": curve["colour"], "dash": curve["dash"], "shown": k < MOST_SHOWN}
            buttons.setdefault(curve["pair"], button)
    return list(buttons.values())


def lag_content(program, path, unwrapped):
    """Charts and tables of a result of vanhove: distances between frames, displacements, mean square displacements."""
    distinct, own, squares = (read_lag_curves(program, path, quantity) for quantity in ("g", "self", "msd"))
    unit, time_unit = symbol(distinct.unit), distinct.time_unit
    has_times = bool(np.isfinite(distinct.times).all())
    times, lag_unit = (distinct.times, time_unit) if has_times else (distinct.lags, "frames")
    picked = np.unique(np.linspace(0, len(times) - 1, min(len(times), MOST_LAGS)).round().astype(int))
    texts = [f"{value:.4g} {lag_unit}".rstrip() for value in times]

    def curves(result, lags, factor):
        return [
            _curve(
                f"{shown(label)}, {texts[lag]}", k, dash, values[lag] * factor,
                None if errors is None else errors[lag] * factor,
            )
            for dash, (label, values, errors) in enumerate(result.curves)
            for k, lag in enumerate(lags)
        ]  # fmt: skip

    moved = [lag for lag in picked if distinct.lags[lag] > 0]
    charts = [
        chart_of("g", "Distances between frames", "Gd(r, t)/ρ", "r", unit, distinct.r, 400, curves(distinct, picked, 1.0),
                 reference=1, note=distinct.caveat),
    ]  # fmt: skip
    if moved:
        charts.append(
            chart_of("self", "Displacements", f"4πr² Gs(r, t) ({unit}⁻¹)" if unit else "4πr² Gs(r, t)", "r", unit, own.r,
                     300, curves(own, moved, 4 * np.pi * own.r**2), note=own.caveat)
        )  # fmt: skip
    if len(times) > 1:
        lines = [_curve(shown(label), k, 0, values, errors) for k, (label, values, errors) in enumerate(squares.curves)]
        label = f"mean squared displacement ({unit}²)" if unit else "mean squared displacement"
        charts.append(chart_of("msd", "Mean squared displacement", label, "t", lag_unit, times, 300, lines,
                               note=squares.caveat))  # fmt: skip
    in_unit = f" ({unit}²)" if unit else ""
    rows = [
        [
            text,
            *(
                with_error(values[k], (errors is not None and errors[k]) or None)
                for _, values, errors in squares.curves
            ),
        ]
        for k, text in enumerate(texts)
    ]
    left_out = len(times) - len(picked)
    return {
        "pairs": _buttons(charts),
        "charts": charts,
        "notes": [f"{len(picked)} of {len(times)} lags are drawn; starhist export writes all."] if left_out else [],
        "peaks": NOTHING,
        "sizes": {
            "heading": "Mean squared displacements",
            "columns": ["lag", *(f"{shown(label)}{in_unit}" for label, *_ in squares.curves)],
            "rows": rows,
            "note": "Displacements of the positions in the file (--unwrapped)."
            if unwrapped
            else "Displacements by nearest images from frame to frame.",
        },
    }, [f"{len(times)} lags"]


def neighbour_content(program, path, _):
    """Charts and tables of a result of coordination: P(n), means and, if it was recorded, the mean of each frame."""
    table, problem = with_errors(program, "export", path, "distribution")
    if table is None:
        raise ResultError(problem)

    def curves(data):
        return [_curve(label, k, 0, *values) for k, (label, *values) in enumerate(neighbour_curves(data))]

    shells = curves(table)
    count = max(len(curve["y"]) for curve in shells)
    charts = [
        chart_of("P", "Numbers of neighbours", "fraction of particles", "n", "", np.arange(count), 400, shells,
                 note="; ".join(warnings_of(table)))
    ]  # fmt: skip
    series, _ = asked(program, "export", "--quantity", "per-frame", "--", path)
    if series:
        time = np.array(series["time"], dtype=float)
        timed = np.isfinite(time).all() and (np.diff(time) > 0).all()
        axis, x = ("t", time) if timed else ("frame", np.array(series["frame"]))
        unit_of_x = series.get("time_unit", "").replace("unknown", "") if timed else ""
        title, y_label = "Mean of each frame", "neighbours per particle"
        charts.append(chart_of("series", title, y_label, axis, unit_of_x, x, 300, curves(series)))
    means, problem = with_errors(program, "export", path, "mean")
    if means is None:
        raise ResultError(problem)
    numbers = [with_error(values[0], errors and errors[0]) for _, values, errors in curves_of(means)]
    return {
        "pairs": _buttons(charts),
        "charts": charts,
        "notes": [],
        "peaks": NOTHING,
        "sizes": {
            "heading": "Mean numbers of neighbours",
            "columns": ["neighbours", "mean per particle"],
            "rows": [[curve["label"], number] for curve, number in zip(shells, numbers)],
            "note": "Means over particles and frames, with one standard error (jackknife over the blocks).",
        },
    }, []


CONTENTS = {"vanhove": lag_content, "coordination": neighbour_content}


def other_content(program, path, described, paths):
    """Content of the page of a result whose command is in CONTENTS. described: about() it."""
    unwrapped = "option --unwrapped" in described["provenance"]
    content, more = CONTENTS[described["command"]](program, path, unwrapped)
    provenance = {name: "" if value is True else value for name, value in described["provenance"].items()}
    frames, blocks, complete = (described[name] for name in ("frames", "blocks", "complete"))
    facts = shown_facts(path, frames, blocks, more, complete, provenance, paths)
    return content | facts | {"run": None, "runNote": ""}
