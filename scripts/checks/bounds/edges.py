"""Lemmas of the CPU's edge test, EdgeAmbiguity in distances.inl.hh.

With k an edge between s and t, X = k E + A, g = 1 / (1 - E)^2 and e = X / (1 - E) the test needs
e (2 k + e) plus roundings. The limit is cst k (k E' + A (1 + a A) + b E). With cst / 2 = 1 + m after
all roundings the difference, divided by k, is

    2 m X + A^2 [2 a (1 + m) - g / k] + E [2 b (1 + m) - 2 e - g (k E + 2 A)] + u k [2 p (1 + m) - 1]

where p u = of_product of code that is not fused. The identity is checked in rational numbers; Gappa
proves that m and the brackets are not negative.
"""

import fractions
import random

import numpy

from . import paths
from .arithmetic import Floats, Symbols
from .gappa import FLOAT, interval, number, script
from .lemma import VARIANTS, Lemma, decimal

RANGES = ["E in [0x1p-24, 0x1p-20]", "A in [0x1p-31, 0.4]", "kE in [0, 0.4]", "X in [0x1p-31, 0.4]", "one_k in [0, 1]"]
DEFINITIONS = ["e = X / (1 - E);", "g = 1 / ((1 - E) * (1 - E));"]
ROUNDINGS = 7 * FLOAT  # of the limit and of |s^2 - k^2| together; `limit_roundings` proves it


class IdentityError(Exception):
    """The identity above does not hold: a fault of this file."""


def check_identity():
    rng = random.Random(1)

    def draw():
        return fractions.Fraction(rng.randrange(1, 1000), rng.randrange(1, 1000))

    for _ in range(20):
        k, rel, absolute, m, a, b, p, u = (draw() for _ in range(8))
        reach = k * rel + absolute
        e, g = reach / (1 - rel), 1 / (1 - rel) ** 2
        limit = 2 * (1 + m) * k * (k * (rel + p * u) + absolute * (1 + a * absolute) + b * rel)
        parts = (
            2 * m * reach
            + absolute**2 * (2 * a * (1 + m) - g / k)
            + rel * (2 * b * (1 + m) - 2 * e - g * (k * rel + 2 * absolute))
            + u * k * (2 * p * (1 + m) - 1)
        )
        if limit - e * (2 * k + e) - u * k**2 != k * parts:
            raise IdentityError("the identity of the edge test does not hold")


def excess(factor):
    """m: half the factor, after all roundings, less 1."""
    return factor / 2 * (1 - ROUNDINGS) - 1


def limit_roundings():
    """The float limit of floats E and A against its exact value, with the rounding of s^2 - k^2."""

    def scripts(bound):
        out = {}
        for variant, fused in VARIANTS.items():
            f, x = Symbols("r", fused, prefix="f"), Symbols(None, prefix="x")
            values = {}
            for a, constant in ((f, "r(2.002)"), (x, "2.002")):
                two = a.define(constant)
                rel = "E" if fused else a.add("E", "0x1p-24")
                long = a.rounded("1 + A / 2")
                inner = a.add(a.multiply("A", long), a.define("2 * E"))
                limit = paths.limit_of_squares(a, "k", a.multiply(two, rel), a.multiply(two, inner))
                values[a.prefix] = limit
            hints = [h for line in x.lines if " + " in line for h in share(line)]
            out[variant] = script(
                x.lines + f.lines,
                ["E in [0x1p-24, 0x1p-20]", "A in [0x1p-31, 0.4]", "k in [1, 0x1p23]", *hints],
                [f"{values['f']} -/ {values['x']} in {interval(-bound * FLOAT, 1)}"],
            )
        return out

    def share(line):
        name, text = line.rstrip(";").split(" = ")
        left, _ = text.split(" + ")
        return [f"({left}) / {name} in [0,1]"]

    return Lemma("edge test, roundings", "its limit is at most {} u too low", decimal(6), decimal(1), scripts)


def example(rel, absolute, k, factors):
    """The pair whose needed limit exceeds the computed one, or None. factors: cst, a, b."""
    f = Floats()
    single = numpy.float32
    cst, half, twice = (single(float(x)) for x in factors)
    rel, absolute, k = single(rel), single(absolute), single(k)
    limit = paths.limit_of_squares(f, k, cst * rel, cst * (absolute * (1 + absolute * half) + twice * rel))
    e = (float(k) * float(rel) + float(absolute)) / (1 - float(rel))
    needed = e * (2 * float(k) + e)
    if needed > float(limit) * (1 + 1e-6):
        pair = f"k = {int(k)}, error_rel = {float(rel):.3g}, error_abs = {float(absolute):.3g}"
        return f"{pair}: limit {float(limit):.9g}, needed {needed:.9g}"
    return None


def lemmas(c):
    check_identity()
    cst, other, one, divisor, twice = c["edge test"]
    assert cst == other and one == 1
    m = excess(cst)

    return [
        limit_roundings(),
        Lemma(
            "edge test, factor",
            "twice_rel and twice_abs: {} times",
            cst,
            decimal("0.001"),
            lambda bound: script([], ["E in [0, 0x1p-20]"], [f"{number(excess(bound))} - 3 * E >= 0"]),
            reserve=decimal("0.001"),
        ),
        Lemma(
            "edge test, error_abs",
            "error_abs^2: {} of it",
            1 / divisor,
            decimal("0.25"),
            lambda bound: script(DEFINITIONS, RANGES, [f"{number(2 * bound * (1 + m))} - g * one_k >= 0"]),
            example=lambda bound: example(3.5 * 2**-24, 0.35, 1, (cst, bound, twice)),
        ),
        Lemma(
            "edge test, error_rel",
            "error_rel: {} of it at k = 0",
            twice,
            decimal("0.5"),
            lambda bound: script(
                DEFINITIONS, RANGES, [f"{number(2 * bound * (1 + m))} - 2 * e - g * (kE + 2 * A) >= 0"]
            ),
            reserve=decimal(1),
        ),
        Lemma(
            "edge test, k^2",
            "not fused: error_rel and {} u",
            decimal(1),
            decimal("0.5"),
            lambda bound: script([], ["one in [1, 1]"], [f"{number(2 * bound * (1 + m) - 1)} * one >= 0"]),
            reserve=decimal("0.5"),
        ),
    ]
