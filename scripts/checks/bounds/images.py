"""Lemmas of clusters whose images are known: near_images.inl.hh, image_errors.cc and .hh."""

from . import paths, search
from .gappa import DOUBLE, FLOAT, interval, number, script
from .lemma import VARIANTS, Lemma, decimal
from .loops import squares_script

HALF = decimal("0.5")
ROUND = interval(-FLOAT, FLOAT, away=True)


def near_coefficients(c):
    """|s - d| <= rel d + 2 u h. The row's image is rounded in double and in single precision, the
    column once, each difference once: as vectors these are off by (u + U)(d + h), u h and u of the
    difference. `rise` is the error of root of the sum of squares relative to the differences."""

    def text(limit, factor):
        # d' = d (1 + a) + h b, then (1 + difference)(1 + rise)
        lines = ["step = (1 + diff) * (1 + rise);", "of_d = (1 + a) * step - 1;", "of_h = (a + b) * step;"]
        wide = interval(-FLOAT - DOUBLE - FLOAT * DOUBLE, FLOAT + DOUBLE + FLOAT * DOUBLE, away=True)
        rise = decimal("1.5001") * FLOAT  # proved by the lemma `near, squares`
        return script(
            lines,
            [f"a in {wide}", f"b in {ROUND}", f"diff in {ROUND}", f"rise in {interval(-rise, rise, away=True)}"],
            [f"{factor} in {interval(-limit, limit)}"],
        )

    margin = c["near margin"] * FLOAT
    return [
        Lemma(
            "near, distance",
            "error_rel = {} u",
            c["near relative"],
            HALF,
            lambda bound: text(margin * bound, "of_d"),
            example=lambda bound: search.squares(paths.near_image, search.image_inputs, margin * bound),
        ),
        Lemma("near, radius", "error_abs = {} u h", c["near radius"], HALF, lambda bound: text(margin * bound, "of_h")),
    ]


def near_squares():
    """The sum of squares of three floats, 1.5 u of its root. A lemma for the two above."""

    def scripts(bound):
        floats = [h for k in "123" for h in (f"@FIX(c{k}, -200)", f"c{k} in [-0x1p40, 0x1p40]")]
        return {
            v: squares_script(
                fused, paths.sum_of_squares, ("c1", "c2", "c3"), floats, decimal("1.0000666") * bound * FLOAT
            )
            for v, fused in VARIANTS.items()
        }

    return Lemma(
        "near, squares",
        "root of a sum of squares off by {} u",
        decimal("1.5"),
        HALF,
        scripts,
        example=lambda bound: search.squares(paths.sum_of_squares, search.component_inputs, bound * FLOAT),
    )


def residual_square(c):
    """Roundings of the last square, and of each other one, that count with k^2: the difference twice
    and the last sum. Products of code that is not fused are in `residuals, not fused`."""

    def scripts(bound):
        limit = c["near margin"] * bound * FLOAT
        return script(
            ["f = (1 + diff) * (1 + diff) * (1 + last) - 1;"],
            [f"diff in {ROUND}", f"last in {ROUND}"],
            [f"f in {interval(-limit, limit)}"],
        )

    return Lemma("residuals, k^2", "error_square = {} u", c["residual square"], decimal(1), scripts)


def residual_sums(c):
    """Roundings of the first two sums by half a unit in the last place each, h1 and h2, pass the last
    sum; the margin outweighs that."""

    def scripts(bound):
        return script([], [f"last in {ROUND}"], [f"{bound.numerator} / {bound.denominator} - (1 + last) >= 0x1p-20"])

    return Lemma("residuals, sums", "{} times half an ulp of each sum", c["residual row"][0], decimal("0.001"), scripts)


def residual_row(c):
    """Rounding error of the row that the residual does not remove: |A|^2 - |A'|^2 is in the sum, and 2 (A - A') . b
    is not. (A - b)^2 = (A' - b)^2 + |A|^2 - |A'|^2 - 2 (A - A') b along each axis."""

    def scripts(bound):
        lines = ["off = ((B - b) * (B - b) + (A * A - B * B) - (A - b) * (A - b));", "short = 2 * (A - B) * b;"]
        limit = bound * FLOAT / 2**6
        # |A| in [0.5, 1): half an ulp is u / 2; |b| up to 2^-5.
        return script(
            ["B = r(A);", *lines],
            ["A in [0.5, 1]", "b in [-0x1p-5, 0x1p-5]"],
            [f"off in {interval(-limit, limit)}"],
            "off -> short;\n",
        )

    return Lemma(
        "residuals, rows", "{} times half an ulp of the row times the column", c["residual row"][1], decimal(1), scripts
    )


def residual_unfused(c):
    """Without fused operations, three products and k^2 are rounded, each by half an ulp of a square that
    does not exceed the farthest."""

    def scripts(bound):
        names = [f"p{k}" for k in range(4)]
        lines = [f"{n} = r(s{n}) - s{n};" for n in names]
        limit = bound * FLOAT / 2  # of numbers in [0.5, 1]
        return script(
            [*lines, f"off = {' + '.join(names)};"],
            [f"s{n} in [0, 1]" for n in names],
            [f"off in {interval(-limit, limit)}"],
        )

    return Lemma(
        "residuals, not fused",
        "{} times half an ulp of the farthest square",
        c["residual unfused"],
        decimal(1),
        scripts,
        reserve=decimal("0.004"),
    )


def column_margin(c):
    """The displacement is off by L = lattice_error and by the rounding C of the column, C <= 0.0008 k
    (argued by hand). Granted are m = margin - 1 of L^2 + 2 k (L + C); the difference to
    (k + L + C)^2 - k^2 is m L^2 + L (2 m k - 2 C) + C (2 m k - C)."""

    def scripts(bound):
        m = number(bound - 1)
        return script([], ["C_k in [0, 0.0008]"], [f"2 * {m} - 2 * C_k >= 0", f"2 * {m} - C_k >= 0"])

    return Lemma("residuals, margin", "factor {} of the bound", c["near margin"], decimal("0.0005"), scripts)


def column_linear(c):
    """The square changes by 2 k x where the displacement is off by x."""

    def scripts(bound):
        limit = number(bound + decimal("0.001"))
        return script(
            ["off = ((1 + x) * (1 + x) - 1) / x;", "short = 2 + x;"],
            ["x in [0x1p-40, 0x1p-12]"],
            [f"off in [0, {limit}]"],
            "off -> short { x <> 0 };\n",
        )

    return Lemma("residuals, k", "{} k times the error of the displacement", min(c["residual column"]), HALF, scripts)


def lemmas(c):
    return [
        near_squares(),
        *near_coefficients(c),
        residual_square(c),
        residual_sums(c),
        residual_row(c),
        residual_unfused(c),
        column_linear(c),
        column_margin(c),
    ]
