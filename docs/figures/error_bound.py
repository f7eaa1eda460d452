#!/usr/bin/env python3
"""The single-precision distance of the CPU kernel in a cubic box, repeated with NumPy: its error
beside the bound, and the share of pairs that the bound leaves ambiguous."""

import numpy as np

from style import BLUE, GREY, ORANGE, plt, save

EDGE = 6.0
R_MAX = EDGE * 3**0.5 / 2
U = 2.0**-24
PAIRS = 400_000
random = np.random.default_rng(1)
a, b = (EDGE * random.random((PAIRS, 3)) for _ in range(2))


def fixed(x):
    """Fractional coordinates as 32-bit fractions."""
    return (np.rint(x / EDGE * 2.0**32).astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)


def defining(bins):
    d = a - b
    d -= EDGE * np.rint(d / EDGE)
    return np.sqrt((d * d).sum(axis=1)) * (bins / R_MAX)


def fast_square(bins):
    """Squared bins in float32: conversion, three squares, two sums, one scale."""
    d = (fixed(a) - fixed(b)).astype(np.int32).astype(np.float32)
    row = EDGE * bins / R_MAX * 2.0**-32
    return (d[:, 2] ** 2 + (d[:, 1] ** 2 + d[:, 0] ** 2)) * np.float32(row * row)


def bound(bins):
    """error_rel, error_abs of the isotropic metric."""
    row2 = (EDGE * bins / R_MAX * 2.0**-32) ** 2
    scale = abs(float(np.float32(row2)) - row2) / row2
    edges = 3 * EDGE * bins / R_MAX
    return 1.0001 * (3.0 * U + scale / 2), 1.01 * 2.0**-32 * edges + 1e-12


figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.5), layout="constrained")
BINS = 10_000
s, square = defining(BINS), fast_square(BINS).astype(np.float64)
relative, absolute = bound(BINS)
error = np.abs(np.sqrt(square) - s)
shown = np.s_[:6000]
left.plot(s[shown], error[shown], ",", color=BLUE, rasterized=True)
windows = np.linspace(0, BINS, 61)
worst = [error[(s >= low) & (s < high)].max(initial=0) for low, high in zip(windows, windows[1:])]
left.stairs(worst, windows, color=BLUE, label=f"largest error of {PAIRS:,} pairs".replace(",", " "))
line = np.array([0, BINS])
left.plot(line, relative * line + absolute, color=ORANGE, label="proven bound e(s)")
left.set(xlabel="distance s [bins]", ylabel="|fast − defining| [bins]", xlim=(0, BINS), ylim=(0, None))
left.legend(fontsize=9.5, loc="upper left")
assert (error <= relative * s + absolute).all()

bins = np.array([1000, 3000, 10_000, 30_000, 100_000, 300_000])
shares = []
for n in bins:
    square = fast_square(n)
    k = np.rint(np.sqrt(square.astype(np.float64)))
    relative, absolute = bound(n)
    limit = 2.002 * k * ((relative + U) * k + absolute * (1 + absolute / 2) + 2 * relative)
    shares.append(100 * np.mean(np.abs(square - k * k) < limit))
right.loglog(bins, shares, "o-", color=ORANGE)
right.set(xlabel="number of bins up to r_max", ylabel="ambiguous pairs [%]")
right.grid(color=GREY, alpha=0.25)
print(
    {int(n): round(float(share), 3) for n, share in zip(bins, shares)},
    "largest error / bound",
    float((error / (bound(BINS)[0] * s + bound(BINS)[1])).max()),
)
save(figure)
