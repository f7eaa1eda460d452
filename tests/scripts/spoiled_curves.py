"""Makes curves of g(r) as other programs print them, each with known differences from exact counts.

Counts come from positions by NumPy: molecules of three sites, O and two H, in cubic boxes of varying volume.
"""

from types import SimpleNamespace

import numpy as np

KINDS = ("unit", "bins", "norm", "volume", "self pairs", "exclusions", "ties")
MOLECULES, FRAMES, R_MAX = 64, 8, 0.9


def frames_of(random):
    """Yields (O [molecules, 3], H [molecules, 2, 3], edge of the box)."""
    for _ in range(FRAMES):
        edge = 2.0 * random.uniform(0.96, 1.04)
        grid = np.stack(np.meshgrid(*[np.arange(4)] * 3), -1).reshape(-1, 3)[:MOLECULES]
        oxygen = (grid + random.normal(0, 0.14, grid.shape)) * edge / 4
        first = random.normal(size=(MOLECULES, 3))
        first /= np.linalg.norm(first, axis=1)[:, None]
        second = random.normal(size=(MOLECULES, 3))
        second -= (second * first).sum(axis=1)[:, None] * first
        second /= np.linalg.norm(second, axis=1)[:, None]
        hydrogen = np.stack([first, second * np.sin(1.9) + first * np.cos(1.9)], 1) * 0.1
        yield oxygen, oxygen[:, None] + hydrogen, edge


def distances(one, other, edge):
    step = one[:, None] - other[None]
    return np.linalg.norm(step - edge * np.round(step / edge), axis=2)


def make(seed):
    """Returns (true kinds, curve, PairCounts, ResultCounts, volume factor) of a curve with up to three differences."""
    random = np.random.default_rng(seed)
    pair = random.choice(["O-O", "H-H", "H-O"])
    like = pair != "H-O"
    # The curve has the bins of the result, or twice as wide ones. Centred bins may begin between bins of the result.
    fine = random.choice([0.002, 0.005, 0.01])
    merge = random.choice([1, 2])
    width = fine * merge
    kinds = set(random.choice(KINDS, random.integers(0, 4), replace=False))
    if not like:
        kinds -= {"norm", "self pairs"}
    if pair == "O-O":
        kinds -= {"exclusions"}
    bins = random.choice(["lower", "upper", "centred"]) if "bins" in kinds else "centre"
    edges = np.arange(round(R_MAX / fine) + 1) * fine
    limits = edges[::merge] if bins != "centred" else np.concatenate([[0], np.arange(0.5, R_MAX / width) * width])
    counts, excluded, fine_counts = 0, 0, 0
    pairs, over_volume, volumes = [], [], []
    number = {"O-O": MOLECULES, "H-H": 2 * MOLECULES, "H-O": 0}[pair]
    for oxygen, hydrogen, edge in frames_of(random):
        flat = hydrogen.reshape(-1, 3)
        if like:
            sites = oxygen if pair == "O-O" else flat
            found = distances(sites, sites, edge)[np.triu_indices(len(sites), 1)]
            inside = distances(hydrogen[:, 0], hydrogen[:, 1], edge).diagonal() if pair == "H-H" else np.zeros(0)
        else:
            found = distances(flat, oxygen, edge).ravel()
            inside = distances(flat, np.repeat(oxygen, 2, axis=0), edge).diagonal()
        fine_counts = fine_counts + np.histogram(found, edges)[0]
        counts = counts + np.histogram(found, limits)[0]
        excluded = excluded + np.histogram(inside, limits)[0]
        pairs.append(len(found))
        over_volume.append(len(found) / edge**3)
        volumes.append(edge**3)
    counts = counts.astype(float)
    if "exclusions" in kinds:
        counts -= excluded
    if "ties" in kinds:
        for k in range(1, len(counts)):
            # Some distances at an edge fall into the bin below.
            moved = min(random.poisson(2), counts[k] // 4)
            counts[k] -= moved
            counts[k - 1] += moved
    if "self pairs" in kinds:
        counts[0] += number * FRAMES / 2
    norm = sum(over_volume)
    factor = np.mean(volumes) * norm / sum(pairs)
    if "volume" in kinds:
        norm = norm / factor
    if "norm" in kinds:
        norm *= number / (number - 1)
    g = counts / (norm * 4 / 3 * np.pi * np.diff(limits**3))
    r = {
        "centre": (limits[:-1] + limits[1:]) / 2,
        "lower": limits[:-1],
        "upper": limits[1:],
        "centred": np.arange(len(counts)) * width,
    }[bins]
    digits = random.choice([3, 4, 6, 12])
    scale = 10.0 if "unit" in kinds else 1.0
    curve = SimpleNamespace(r=np.round(r * scale, 8), g=np.round(g, digits), step=0.0 if digits > 8 else 10.0**-digits)
    blocks = SimpleNamespace(
        label=pair,
        species=(0, 0) if like else (0, 1),
        pairs=np.array([sum(pairs)]),
        pairs_over_volume=np.array([sum(over_volume)]),
        counts=fine_counts[None],
        underflow=np.array([0]),
    )
    result = SimpleNamespace(
        edges=edges,
        frames=np.array([FRAMES]),
        particle_number=np.array([[number * FRAMES, 0]]),
        unit="nm",
        provenance={},
    )
    return kinds, curve, blocks, result, factor
