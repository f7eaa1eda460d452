#!/usr/bin/env python3
"""Reported standard errors against true ones: a table in Markdown.

    reported_errors.py [--runs 400] [--seed 1]

A run is frames of a liquid-like g(r) whose first peak breathes: each frame has 55 % of the excess
of the one before, so that its memory is 3.3 frames (the sum of all correlations). Counts have
Poisson noise. The true error of a quantity is its scatter over the runs, the reported one the root
mean square of what scripts/user reports for each run: g at the first peak by jackknife
(the formula of codelets/core/analysis/jackknife.hh), the coordination number by bootstrap (rdf_extrema.extrema).
"""

import argparse
import pathlib
import sys
from types import SimpleNamespace

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/user"))
from curves.rdf_extrema import Blocks, extrema, first_shell

BINS, R_MAX, DENSITY, PARTICLES, MEMORY = 200, 1.0, 33.0, 500, 0.55
EDGES = np.linspace(0, R_MAX, BINS + 1)
R = (EDGES[:-1] + EDGES[1:]) / 2
SHELLS = 4 / 3 * np.pi * np.diff(EDGES**3)
PEAK = int(np.argmin(np.abs(R - 0.28)))
LAYOUTS = [
    [100, 1],
    [100, 100, 1],
    [100, 50],
    [50] * 2,
    [50] * 3,
    [50] * 5,
    [50] * 10,
    [50] * 20,
    [20] * 20,
    [5] * 20,
    [1] * 200,
    [2] * 100,
    [10] * 20,
]


def g(state):
    """g(r) in a frame whose peak is higher by `state`, and whose minimum then lies further out."""
    return np.where(
        R < 0.235,
        0,
        1
        + (1.9 + 0.3 * state) * np.exp(-0.5 * ((R - 0.28) / 0.018) ** 2)
        - 0.35 * np.exp(-0.5 * ((R - 0.345 - 0.01 * state) / 0.03) ** 2)
        + 0.12 * np.exp(-0.5 * ((R - 0.45) / 0.03) ** 2),
    )


def standard_errors(counts, expected, frames, value):
    """Jackknife of value = sum of counts / sum of expected / shell volume, over blocks of any length.

    counts: [blocks, bins]; expected: [blocks], pairs over volume; frames: [blocks]. The shell
    volumes cancel where they are the same in all blocks. The formula, and why blocks weigh as their frames, is in codelets/core/analysis/jackknife.hh.
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


def run_of(random, lengths):
    """Counts of each block [blocks, bins]."""
    state, blocks = random.normal(), []
    for length in lengths:
        counts = np.zeros(BINS)
        for _ in range(length):
            counts += random.poisson(PARTICLES * DENSITY * SHELLS * g(state))
            state = MEMORY * state + np.sqrt(1 - MEMORY**2) * random.normal()
        blocks.append(counts)
    return np.array(blocks)


def row_of(lengths, runs, random):
    frames = np.array(lengths, float)
    expected = frames * PARTICLES * DENSITY
    heights, height_errors, numbers, number_errors = [], [], [], []
    for _ in range(runs):
        counts = run_of(random, lengths)
        total = counts.sum(axis=0)
        value = total / (expected.sum() * SHELLS)
        heights.append(value[PEAK])
        height_errors.append(standard_errors(counts, expected, frames, value)[PEAK])
        curve = SimpleNamespace(r=R, value=value, counts=total, edges=EDGES)
        blocks = Blocks(counts, 0 * frames, expected, frames, [frames * PARTICLES])
        _, minimum = first_shell(extrema(curve, blocks)[0])
        if minimum is None:
            continue
        numbers.append(minimum.numbers[0])
        number_errors.append(minimum.number_errors[0] if minimum.number_errors else np.nan)
    return (
        reported_over_true(heights, height_errors),
        reported_over_true(numbers, number_errors),
        np.std(height_errors) / np.mean(height_errors),
    )


def reported_over_true(values, errors):
    return np.sqrt(np.mean(np.square(errors))) / np.std(values, ddof=1)


def name_of(lengths):
    return f"{len(lengths)} x {lengths[0]}" if len(set(lengths)) == 1 else " + ".join(map(str, lengths))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.runs} runs each, seed {options.seed}\n")
    print("| blocks of frames | g at the peak | coordination number | scatter of the error of g |\n|---|---|---|---|")
    for lengths in LAYOUTS:
        height, number, scatter = row_of(lengths, options.runs, np.random.default_rng(options.seed))
        print(f"| {name_of(lengths)} | {height:.2f} | {number:.2f} | {100 * scatter:.0f} % |", flush=True)


if __name__ == "__main__":
    main()
