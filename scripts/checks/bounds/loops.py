"""Lemmas of the CPU's loops over fixed-point coordinates: distances.inl.hh, fast_distance.hh,
fixed_lattice.cc."""

import numpy

from . import paths, search
from .arithmetic import Roundings, Symbols
from .gappa import DOUBLE, FLOAT, interval, script
from .lemma import VARIANTS, Lemma, decimal, roundings_within, square_within

HALF = decimal("0.5")
ROUNDING = interval(-FLOAT, FLOAT, away=True)
# Conversion to float and positive sums of up to three terms, for coordinates of any sign.
INTEGERS = [h for k in "123" for h in (f"@FIX(Q{k}, 0)", f"Q{k} in [-0x1p31, 0x1p31]")]


def sum_of_three(lines):
    """Hypotheses that squares and partial sums are shares of the exact sum: of `lines`, the last
    two that add are z*z + (y*y + x*x) and its inner sum."""
    adding = [line for line in lines if "+" in line and line.startswith("x")]
    hypotheses = []
    for line in adding:
        name, text = line.rstrip(";").split(" = ")
        square = text.split(" + ")[0]
        hypotheses += [f"({square}) / {name} in [0,1]", f"{name} <> 0"]
    return hypotheses


def squares_script(fused, path, inputs, hypotheses, error):
    exact, rounded = Symbols(None, prefix="x"), Symbols("r", fused, prefix="f")
    total, computed = path(exact, *inputs), path(rounded, *inputs)
    return script(
        exact.lines + rounded.lines,
        [*hypotheses, *sum_of_three(exact.lines)],
        [square_within((computed, total), error)],
    )


def isotropic(c):
    half_off, product, taken = c["isotropic"]
    rest = product - c["without root"] - taken

    def error(bound):  # less 16 u^2: times the rounding of the scale, which the loop adds
        return c["margin of loops"] * (c["margin relative"] * bound + rest) * FLOAT - 16 * FLOAT**2

    def scripts(bound):
        assert half_off == HALF
        return {
            v: squares_script(
                fused,
                paths.isotropic,
                (("Q1", "Q2", "Q3"), "c"),
                [*INTEGERS, "@FLT(c, 24)", "c in [0x1p-140, 1]"],
                error(bound),
            )
            for v, fused in VARIANTS.items()
        }

    return Lemma(
        "isotropic",
        "error_rel = {} u, cubic and open boxes",
        c["relative"],
        HALF,
        scripts,
        example=lambda bound: search.squares(paths.isotropic, search.isotropic_inputs, error(bound)),
    )


def diagonal(c):
    rest = -c["without root"] - c["diagonal"]

    def error(bound):
        return c["margin of loops"] * (c["margin relative"] * bound + rest) * FLOAT - 16 * FLOAT**2

    rows = [h for k in "123" for h in (f"@FIX(c{k}, -120)", f"c{k} in [0x1p-80, 1]")]

    def scripts(bound):
        return {
            v: squares_script(
                fused, paths.diagonal, (("Q1", "Q2", "Q3"), ("c1", "c2", "c3")), [*INTEGERS, *rows], error(bound)
            )
            for v, fused in VARIANTS.items()
        }

    return Lemma(
        "diagonal",
        "error_rel = {} u, orthorhombic boxes",
        c["relative"],
        HALF,
        scripts,
        example=lambda bound: search.squares(paths.diagonal, search.diagonal_inputs, error(bound)),
    )


def triangular_squares(c):
    def error(bound):
        return c["margin of loops"] * (c["margin relative"] * bound - c["without root"]) * FLOAT

    def scripts(bound):
        rows = [h for k in "123" for h in (f"@FIX(c{k}, -200)", f"c{k} in [-0x1p40, 0x1p40]")]
        return {
            v: squares_script(fused, paths.sum_of_squares, ("c1", "c2", "c3"), rows, error(bound))
            for v, fused in VARIANTS.items()
        }

    return Lemma(
        "triangular, squares",
        "error_rel = {} u, triclinic boxes",
        c["relative triangular"],
        HALF,
        scripts,
        reserve=decimal(2),
        example=lambda bound: search.squares(paths.sum_of_squares, search.component_inputs, error(bound)),
    )


def triangular_terms(c):
    """One lemma for each term of the components: as many roundings as the code takes for it."""
    names = ["x: b1", "x: b2", "x: b3", "y: b2", "y: b3", "z: b3"]
    keys = [("u*r0", 0), ("v*r1", 0), ("w*r3", 0), ("v*r2", 1), ("w*r4", 1), ("w*r5", 2)]
    size = 2 * c["of terms"]  # no |q| exceeds half an edge, and the bound takes that half
    lemmas = []
    for name, (key, axis), bound in zip(names, keys, c["triangular terms"]):

        def count(fused, key=key, axis=axis):
            inputs = [{k: 0} for k in "uvw"]
            rows = [{f"r{k}": 1} for k in range(6)]  # entries are rounded once themselves
            return paths.triangular(Roundings(fused), inputs, rows)[axis][key]

        def scripts(bound, count=count):
            return {
                v: roundings_within(count(fused), c["margin absolute"] * bound * size * FLOAT)
                for v, fused in VARIANTS.items()
            }

        lemmas.append(
            Lemma(f"triangular, {name}", "term of " + name.split()[1] + " off by {} u", bound, decimal(1), scripts)
        )
    return lemmas


def fixed_point(c):
    """Two fractions off by 2^-33 each, and the operations of fixed_coordinate() on a fraction."""
    definitions = [
        "big = d(s + 0x1.8p52);",
        "whole = d(big - 0x1.8p52);",
        "y = d(s - whole);",
        "w = d(y + 0x1.8p20);",
        "off = w - (y + 0x1.8p20);",
        "lost = y - (s - whole);",
    ]

    def scripts(bound):
        half = bound / 2**33
        return script(
            definitions,
            ["@FLT(s, 53)", "s in [-0x1p40, 0x1p40]"],
            [f"off in {interval(-half, half)}", "y in [-0.5, 0.5]", "lost in [-0x1p-53, 0x1p-53]"],
            "s - whole -> -(big - (s + 0x1.8p52)) - (whole - (big - 0x1.8p52));\n",
        )

    def example(bound):
        s = 1 / 3 + numpy.arange(1000) / 7919
        to_fraction = 1.5 * 2.0**20
        off = (s + to_fraction) - to_fraction - s
        k = int(numpy.argmax(abs(off)))
        return f"fraction {s[k]!r} off by {abs(off[k]) * 2**33:.3f} 2^-33" if abs(off[k]) * 2**33 > bound else None

    return Lemma(
        "fixed point",
        "fractions off by {} 2^-33",
        c["fixed point"],
        decimal("0.01"),
        scripts,
        reserve=decimal("0.01"),
        example=example,
    )


def facet_terms(c):
    """Roundings of d . b_i, i = 1, 2, 3, with its rounded row, and of a sum of two."""

    def counts(fused, which):
        products = paths.facet_products(Roundings(fused), [{k: 0} for k in "xyz"], [{f"h{k}": 1} for k in range(6)])
        own = {0: ["h0*x"], 1: ["h1*x", "h2*y"], 2: ["h3*x", "h4*y", "h5*z"]}
        if which == 0:
            return [(max(products[i][key] for key in own[i]), i) for i in range(3)]
        pairs = {(0, 1): products[3], (0, 2): products[4], (1, 2): products[5]}
        return [(max(total[key] for key in own[i]), i) for pair, total in pairs.items() for i in pair]

    lemmas = []
    for which, name in enumerate(["search row", "search two rows"]):
        bound = c[name] if which == 0 else min(c[name])

        def scripts(bound, which=which):
            return {
                f"{v}, {count} roundings, b{i + 1}": roundings_within(
                    count, c["search square"][0] * (bound + i) * FLOAT
                )
                for v, fused in VARIANTS.items()
                for count, i in counts(fused, which)
            }

        lemmas.append(Lemma(name, "d . b_i off by (i + {}) u, i from 0", bound, decimal(1), scripts))
    return lemmas


def search_square(c):
    """|d|^2 + gain: the square with three roundings, the gain's last sum and the final sum. The gain
    g of a facet that may win is in [-|d|^2, 0] up to roundings; |d|^2 = 1 here."""

    def scripts(bound):
        error = c["search square"][0] * bound * FLOAT
        e = [f"e{k} in {ROUNDING}" for k in range(5)]
        lines = [
            "s = (1 + e0) * (1 + e1) * (1 + e2);",
            "total = (s + g * (1 + e3)) * (1 + e4);",
            "off = total - (1 + g);",
            "sums = (1 + g) * e4 + (s - 1) * (1 + e4) + g * e3 * (1 + e4);",
        ]
        return script(lines, [*e, "g in [-1, 0x1p-20]"], [f"off in {interval(-error, error)}"], "off -> sums;\n")

    return Lemma("search, squares", "square off by {} u of itself", c["search square"][1], decimal(1), scripts)


def search_margin(c):
    """The float value of search_error_norm2 r2 + search_error_r2, with r2 off by 3 u itself and both
    constants rounded, is no less than the bound."""

    def scripts(bound):
        factors = " * ".join(f"(1 + e{k})" for k in range(6))
        return script(
            [f"f = {bound.numerator} / {bound.denominator} * {factors};"],
            [f"e{k} in {ROUNDING}" for k in range(6)],
            ["f >= 1"],
        )

    return Lemma(
        "search, margin",
        "factor {} of the bound outweighs its own roundings",
        c["search norm"][0],
        decimal("0.01"),
        scripts,
    )


def search_norm(c):
    """A facet's norm is rounded once, after double precision."""
    return Lemma(
        "search, norms",
        "norm of a facet off by {} u",
        c["search norm"][1],
        decimal("0.1"),
        lambda bound: script(
            [],
            [f"e in {ROUNDING}", f"f in {interval(-16 * DOUBLE, 16 * DOUBLE, away=True)}"],
            [f"(1 + e) * (1 + f) - 1 in {interval(-bound * FLOAT, bound * FLOAT)}"],
        ),
    )


def lemmas(c):
    return [
        isotropic(c),
        diagonal(c),
        triangular_squares(c),
        *triangular_terms(c),
        fixed_point(c),
        *facet_terms(c),
        search_square(c),
        search_norm(c),
        search_margin(c),
    ]
