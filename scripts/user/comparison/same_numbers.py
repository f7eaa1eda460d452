"""Finds the option of starhist export that writes the numbers of a curve, to all its digits."""

import numpy as np

from comparison.curve_causes import MEAN_VOLUME, OTHER_FRAMES, Cause
from comparison.curve_files import curves_in
from starhist_program import ResultError, answer

# Normalisations, the default first, and the causes that explain a curve with their numbers.
NORMALIZATIONS = {
    "pairs-over-volume": [],
    "mean-volume": [MEAN_VOLUME],
    "per-frame": [Cause("norm", "g(r) is the mean of each frame's g(r): --normalization per-frame")],
}
PROGRAMS = ("gmx", "lammps", "mdanalysis", "freud", "vmd", "cpptraj")
FEWEST_ROWS = 8
PRECISION = 1e-9  # largest relative difference of equal numbers in full precision


def _has_numbers_of(table, name, ours):
    """Whether the values of `table` are the first column of `ours`, rounded, at all r that both have."""
    width = np.median(np.diff(ours.r))
    nearest = np.clip(np.round((table.r - ours.r[0]) / width).astype(int), 0, len(ours.r) - 1)
    both = abs(ours.r[nearest] - table.r) < 1e-3 * width
    expected, value = next(iter(ours.columns.values()))[nearest], table.columns[name]
    both &= np.isfinite(expected) & np.isfinite(value)
    if both.sum() < max(FEWEST_ROWS, len(ours.r) // 2):
        return False
    limit = 1.01 * table.rounding[name] + PRECISION * np.maximum(1, abs(expected))
    return bool((abs(value - expected) <= limit)[both].all())


def _exported(program, reference, pair, options):
    """The CurveFile that starhist export writes; None if it refuses."""
    try:
        return curves_in(reference, answer(program, "export", "--pairs", pair, *options, "--", reference).decode())
    except ResultError:
        return None


def _same(why):
    why.same_frames = True
    why.explained = why.value.copy()
    why.notes = [note for note in why.notes if not note.startswith(OTHER_FRAMES)]


def explained(program, reference, pair, table, name, unit, why):
    """Replaces the causes of an Explanation whose curve has the numbers of an export. unit: of the result."""
    if unit and table.unit:
        program = program._replace(options=[*program.options, "--out-unit", table.unit])
    for kind, causes in NORMALIZATIONS.items():
        ours = _exported(program, reference, pair, ["--normalization", kind])
        if ours is not None and _has_numbers_of(table, name, ours):
            why.causes = [cause for cause in why.causes if cause.kind in ("unit", "bins")] + causes
            _same(why)
            return
    for other in PROGRAMS:
        ours = _exported(program, reference, pair, ["--like", other])
        if ours is not None and _has_numbers_of(table, name, ours):
            why.causes = [cause for cause in why.causes if cause.kind != "ties"]
            _same(why)
            why.notes.append(f"starhist export --like {other} --pairs {pair} writes these numbers")
            return
