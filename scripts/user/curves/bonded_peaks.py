"""Recognises peaks of bonded neighbours in g(r) and p(r): narrow peaks that hold a fixed number of neighbours."""

import numpy as np

GAP = 0.01  # a gap is lower than this fraction of the peak before it
WIDEST = 1.5  # largest ratio of the longest to the shortest distance in a bonded peak
SPREAD = 0.002  # largest relative spread of the number of bonded neighbours between blocks
WHOLE = 0.005  # largest distance from a whole number of bonded neighbours
DISPERSION = 0.02  # largest variance of their number between blocks, relative to independent pairs
FLATTENS = 3  # least ratio of a peak to the curve beyond it
FEWEST_FRAMES = 50  # in a single block whose number of pairs is compared with its number of frames


def bonded_bins(value, edges, blocks):
    """Returns the number of bins, from the first, that hold peaks of bonded neighbours.

    These peaks flatten the curve beyond them and are cut off in figures. value: g(r) or p(r), [bins];
    blocks: Blocks of rdf_extrema.py. Such a peak is FLATTENS times higher than the curve beyond it, ends in
    a gap, is narrow, and holds the same number of neighbours in every block. Peaks of unbonded
    neighbours and the hump of p(r) of a finite body do not.
    """
    start = cut = 0
    middle = (edges[:-1] + edges[1:]) / 2
    for end in _gaps(value):
        filled = start + np.flatnonzero(value[start:end])
        if not filled.size:
            continue
        if middle[filled[-1]] > WIDEST * middle[filled[0]]:
            break
        if _is_fixed(blocks, blocks.neighbours[:, start:end]):
            start = end
            if value[:end].max() > FLATTENS * value[end:].max() > 0:
                cut = end
    return int(cut)


def _gaps(value):
    """Returns the lowest bin of each gap: of bins that are lower than GAP times the highest bin before them."""
    low = value < GAP * np.maximum.accumulate(value)
    steps = np.flatnonzero(np.diff(np.concatenate([[False], low, [False]]).astype(int)))
    return [int(first + np.argmin(value[first:last])) for first, last in zip(steps[::2], steps[1::2])]


def _is_fixed(blocks, neighbours):
    """Whether the number of neighbours per particle is the same in every block, or nearly so and whole."""
    within = neighbours.sum(axis=1)
    numbers = [within.sum() / centres.sum() for centres in blocks.particles]
    is_whole = any(round(n) > 0 and abs(n - round(n)) <= WHOLE for n in numbers)
    if len(within) == 1:
        frames = blocks.frames[0]
        return is_whole or bool(frames >= FEWEST_FRAMES and within[0] % frames == 0)
    per_particle = [within[centres > 0] / centres[centres > 0] for centres in blocks.particles]
    rests = [within - centres * n for centres, n in zip(blocks.particles, numbers)]
    if min((rest**2).sum() for rest in rests) > DISPERSION * within.mean() * (len(within) - 1):
        return False
    return is_whole or any(np.ptp(n) <= SPREAD * np.mean(n) for n in per_particle)
