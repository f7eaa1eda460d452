"""Content of the pages of results of `starhist vanhove` and `starhist coordination`."""

import json
import pathlib

import numpy as np

from curves.lag_curves import read_lag_curves
from curves.rdf_curves import warnings_of
from error_text import with_error
from report_curves import COLOURS, DASH_STYLES, MOST_SHOWN, rounded
from report_facts import grouped, provenance_rows
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


def _values(values):
    """Returns a list of numbers for the page, with None for undefined ones."""
    return rounded([float(value) if np.isfinite(value) else None for value in values])


def _chart(name, title, y_label, axis, unit, x, height, curves, **more):
    """axis: symbol of the horizontal axis. curves: dictionaries of _curve()."""
    return {
        "id": name, "title": title, "yLabel": y_label, "xSymbol": axis, "xUnit": unit, "x": _values(x),
        "xEnd": float(x[-1]), "height": height, "curves": curves, "note": "", **more,
    }  # fmt: skip


def _curve(name, colour, dash, values, errors):
    return {
        "pair": name, "label": name, "colour": colour % COLOURS, "dash": dash % DASH_STYLES, "y": _values(values),
        "error": None if errors is None else _values(errors),
    }  # fmt: skip


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
    drawn = np.unique(np.linspace(0, len(times) - 1, min(len(times), MOST_LAGS)).round().astype(int))
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

    moved = [lag for lag in drawn if distinct.lags[lag] > 0]
    charts = [
        _chart("g", "Distances between frames", "Gd(r, t)/ρ", "r", unit, distinct.r, 400, curves(distinct, drawn, 1.0),
               reference=1, note=distinct.caveat),
    ]  # fmt: skip
    if moved:
        charts.append(
            _chart("self", "Displacements", f"4πr² Gs(r, t) ({unit}⁻¹)" if unit else "4πr² Gs(r, t)", "r", unit, own.r,
                   300, curves(own, moved, 4 * np.pi * own.r**2), note=own.caveat)
        )  # fmt: skip
    if len(times) > 1:
        lines = [_curve(shown(label), k, 0, values, errors) for k, (label, values, errors) in enumerate(squares.curves)]
        label = f"mean squared displacement ({unit}²)" if unit else "mean squared displacement"
        charts.append(_chart("msd", "Mean squared displacement", label, "t", lag_unit, times, 300, lines,
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
    left_out = len(times) - len(drawn)
    return {
        "pairs": _buttons(charts),
        "charts": charts,
        "notes": [f"{len(drawn)} of {len(times)} lags are drawn; starhist export writes all."] if left_out else [],
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
    unit = symbol(table["length_unit"].replace("unknown", ""))
    step = 2 if "errors" in table else 1

    def curves(data, step):
        for k, curve in enumerate(data["curves"][::step]):
            values = np.array(curve["value"], dtype=float)
            errors = np.array(data["curves"][step * k + 1]["value"], dtype=float) if step == 2 else None
            yield _curve(f"{shown(curve['label'])} below {curve['cutoff']:g} {unit}".rstrip(), k, 0, values, errors)

    shells = list(curves(table, step))
    count = max(len(curve["y"]) for curve in shells)
    charts = [
        _chart("P", "Numbers of neighbours", "fraction of particles", "n", "", np.arange(count), 400, shells,
               note="; ".join(warnings_of(table)))
    ]  # fmt: skip
    series, _ = asked(program, "export", "--quantity", "per-frame", "--", path)
    if series:
        time = np.array(series["time"], dtype=float)
        timed = np.isfinite(time).all() and (np.diff(time) > 0).all()
        axis, x = ("t", time) if timed else ("frame", np.array(series["frame"]))
        unit_of_x = series.get("time_unit", "").replace("unknown", "") if timed else ""
        charts.append(_chart("series", "Mean of each frame", "neighbours per particle", axis, unit_of_x, x, 300,
                             list(curves(series, 1))))  # fmt: skip
    means, problem = with_errors(program, "export", path, "mean")
    if means is None:
        raise ResultError(problem)
    step = 2 if "errors" in means else 1
    numbers = [
        with_error(curve["value"][0], means["curves"][step * k + 1]["value"][0] if step == 2 else None)
        for k, curve in enumerate(means["curves"][::step])
    ]
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
    frames, blocks = described["frames"], described["blocks"]
    facts = [f"{grouped(frames)} frame{'s' * (frames != 1)} in {grouped(blocks)} block{'s' * (blocks != 1)}", *more]
    if not described["complete"]:
        facts.append("of a run that did not finish")
    provenance = {name: "" if value is True else value for name, value in described["provenance"].items()}
    version = provenance.get("version", "")
    return content | {
        "facts": " · ".join(facts),
        "provenance": provenance_rows(provenance, paths),
        "footer": f"Made from {pathlib.Path(path).name}, counted by starhist {version}".rstrip() + ".",
        "run": None,
        "runNote": "",
    }
