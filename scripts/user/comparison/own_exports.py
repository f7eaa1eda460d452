"""Tables of starhist export --smooth and --rebin, compared with the export of a result with the same options."""

import json
import re

import numpy as np

from curves.rdf_curves import as_array, curves_of
from starhist_program import ResultError, with_errors

SMOOTHED, MERGED, NORMALIZATION = "running_mean_over", "merged_bins", "normalization"
ROUNDING = 1e-9  # largest relative difference of equal numbers


def facts_of(text, is_json):
    """Returns the facts in the head of a table of starhist; {} for other files."""
    if is_json:
        data = json.loads(text)
        return data if isinstance(data, dict) and "quantity" in data and "source" in data else {}
    if ", written by starhist" not in text[:200].split("\n", 1)[0]:
        return {}
    return dict(re.findall(r"^# ([\w ]+): (.*)$", text, re.MULTILINE))


def needs_export(table):
    """Whether the table was smoothed, or has bins of unequal width."""
    gaps = np.diff(table.r)
    return SMOOTHED in table.facts or (MERGED in table.facts and np.ptp(gaps) > 1e-6 * gaps.min())


def _edges(r):
    """Edges of adjoining bins with the centres r, from 0."""
    edges = [0.0]
    for centre in r:
        edges.append(2 * centre - edges[-1])
    return edges


def _options(table):
    """Options of export that make the table."""
    options = ["--normalization", str(table.facts.get(NORMALIZATION, "pairs-over-volume"))]
    if SMOOTHED in table.facts:
        options += ["--smooth", str(table.facts[SMOOTHED])]
    if MERGED in table.facts:
        options += ["--rebin", ",".join(f"{edge:.10g}" for edge in _edges(table.r))]
    return options


def exported(program, reference, path, table, label, unit):
    """Returns (values, standard errors or None) of the result's pair, exported like the table; unit: of the result."""
    if unit and table.unit:
        program = program._replace(options=[*program.options, "--out-unit", table.unit])
    options = _options(table)
    made, refusal = with_errors(program, "export", reference, "g", "--pairs", label, *options)
    if made is None:
        raise ResultError(f"{path}: {reference} has no such bins ({refusal})")
    r = np.array(made["r"], float)
    if len(r) != len(table.r) or abs(r - table.r).max() > 1e-6 * r[-1]:
        raise ResultError(
            f"{path}: its bins differ from the bins of {reference} exported with {options[2]}: export curves of equal bins"
        )
    [(_, values, errors)] = curves_of(made)
    return as_array(values), None if errors is None else as_array(errors)


def is_equal(one, other):
    return bool((abs(one - other) <= ROUNDING * np.maximum(1, abs(one))).all())
