"""Which differences between pair counts float32 arithmetic explains: computed, not guessed.

A program that rounds every step to float32 moves a distance by at most `distance_error`. A pair can
then only change its bin across an edge that is nearer than that. starhist itself, with bins
some thousand times finer, counts the pairs so near to each edge; its counts are in turn those
of LAMMPS, which computes in double precision.
"""

import numpy as np

UNIT = 2.0**-24  # relative error of one float32 operation
MOST_BINS = 1 << 22
MOST_G = 1e-6  # relative; where counts are equal only float32 volumes are left


def distance_error(system, pair, cells):
    """Bound on the error of a distance, in the system's unit of length.

    Rounding of a component of the difference vector, X the largest coordinate and L the largest box edge:
    2 X for two positions cast to float32, 2 X for their difference, 3 (2 X + L) for shifts along three
    edges, 2 (X + L) where the program wraps positions first; then 4 r for squares, sum, root
    and division by the bin width. Plus the difference between the program's box and the file's box,
    times the largest number of edges in a shift.
    """
    x = np.concatenate([system.positions[name] for name in dict.fromkeys(pair)], axis=1).astype(float)
    largest, edge = np.abs(x).max(), np.linalg.norm(system.cells, axis=2).max()
    component = UNIT * (12 * largest + 5 * edge)
    error = np.sqrt(3) * component + 4 * UNIT * system.r_max
    if cells is not None:
        span = (x.max(axis=1) - x.min(axis=1)).max()
        shifts = np.ceil(span / np.linalg.norm(system.cells, axis=2).min()) + 1
        error += shifts * np.linalg.norm(cells - system.cells, axis=2).sum(axis=1).max()
    return float(error)


def near_edges(count, system, error):
    """Pairs within `error` of each bin edge 1, 2, ..., bins; `count(r_max, bins)` are starhist's."""
    width = system.r_max / system.bins
    parts = 2 ** int(np.ceil(np.log2(max(1.0, 4 * width / error))))
    while parts > 2 and parts * (system.bins + 1) > MOST_BINS:
        parts //= 2
    reach = int(np.ceil(error / (width / parts)))
    if reach >= parts:
        raise ValueError("bins are not wider than the error of a distance in float32")
    # One more bin, for distances just above r_max.
    fine = count(system.r_max / system.bins * (system.bins + 1), (system.bins + 1) * parts)
    below = np.concatenate([[0], np.cumsum(fine)])
    edges = np.arange(1, system.bins + 1) * parts
    return below[edges + reach] - below[edges - reach]


def compare(ours, peer, near=None):
    """Differences of counts: ours per bin, the peer's between its edges (multiples of our bins).

    near: pairs near our edges 1, 2, ...; None where the peer must be equal.
    """
    # Some count a pair from both ends, and freud's ends may disagree: halves.
    whole = np.rint(2 * peer.counts) / 2
    if np.abs(peer.counts - whole).max(initial=0) > 0.1:
        return {"verdict": "counts are not integers", "ok": False}
    below = np.concatenate([[0], np.cumsum(ours)])[peer.edges]
    per_bin = np.diff(below)
    moved = np.abs(np.cumsum(whole) - (below[1:] - below[0]))  # net, across each edge
    allowed = np.zeros_like(moved) if near is None else near[peer.edges[1:] - 1]
    differ = int(np.count_nonzero(whole != per_bin))
    ok = bool(np.all(moved <= allowed))
    return {
        "bins": len(whole),
        "pairs": int(per_bin.sum()),
        "peer_pairs": float(whole.sum()),
        "bins_that_differ": differ,
        "moved": float(moved.sum()),
        "bound": int(allowed.sum()),
        "ok": ok,
        "equal": whole == per_bin,
        "verdict": "equal" if differ == 0 else "within float32" if ok else "OUTSIDE the bound",
    }


def largest_g_difference(ours, theirs, equal, half_box, system):
    """Largest relative difference of g(r) in bins of equal counts below half the box; None without any.

    Beyond half the box starhist's shells are those that fit into it, and the peers' are whole.
    """
    ours, theirs = np.array(ours, dtype=float), np.asarray(theirs, dtype=float)
    below = np.arange(1, system.bins + 1) * system.r_max / system.bins <= half_box
    usable = equal & below & np.isfinite(ours) & (ours > 0)
    return float(np.abs(theirs[usable] / ours[usable] - 1).max()) if usable.any() else None
