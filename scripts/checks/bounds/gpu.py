"""Lemmas of the GPU's kernels: filter_bounds.cc, certificate.cuh, edge_certificate.cuh. Bounds of
the special function units are hypotheses (assumption A5)."""

from . import paths
from .gappa import DOUBLE, FLOAT, interval, number, script
from .lemma import Lemma, decimal
from .loops import squares_script

HALF = decimal("0.5")
UNIT = interval(-FLOAT, FLOAT, away=True)
WIDE = interval(-DOUBLE, DOUBLE, away=True)


def units(c):
    """Bounds (less, more) of root, inverse and product, by name of the GPUs."""
    return {
        name: [(v[i], v[i + 1]) for i in (0, 2, 4)]
        for name, v in (("9.0", c["special 9.0"]), ("others", c["special others"]))
    }


def true_over(less_more):
    """Interval of theta, true value = approximation (1 + theta)."""
    less, more = less_more
    return interval(-less * FLOAT, more * FLOAT, away=True)


def tensor_square(c):
    """|a|^2 + |b|^2 - 2 a.b in units of R^2: norms with three roundings and one of the scale, products
    of components rounded twice by the scale, five sums of partial results up to 4 R^2."""

    def scripts(bound):
        limit = bound * DOUBLE
        lines = [
            "norm_a = a2 * ((1 + e0) * (1 + e1) * (1 + e2) * (1 + e3) - 1);",
            "norm_b = b2 * ((1 + e4) * (1 + e5) * (1 + e6) * (1 + e7) - 1);",
            "sums = s0 * e10 + s1 * e11 + s2 * e12 + s3 * e13 + s4 * e14;",
            "off = norm_a + norm_b + ab * ((1 + e8) * (1 + e9) - 1) + sums;",
        ]
        hypotheses = [f"e{k} in {WIDE}" for k in range(15)] + ["a2 in [0, 1]", "b2 in [0, 1]", "ab in [-2, 2]"]
        hypotheses += [f"s{k} in [-4.001, 4.001]" for k in range(5)]
        return script(lines, hypotheses, [f"off in {interval(-limit, limit)}"])

    return Lemma("tensor cores, square", "{} U R^2", c["tensor square"], decimal(4), scripts, reserve=decimal(28))


def truncated_square(c):
    """A square R2 cut to a float f = R2 / (1 + t); true root = approximation (1 + theta)."""
    cut = 2 * FLOAT / (1 - 2 * FLOAT)

    def scripts(bound):
        out = {}
        for name, (root, _, _) in units(c).items():
            low = 1 - c["filter margin"] * root[0] * FLOAT
            high = 1 + c["filter margin above"] * (root[1] + bound) * FLOAT
            out[name] = script(
                ["@z = float<24,-1000,zr>;", "f = z(R2);", "ratio = (1 + theta) * (1 + theta) * (1 + t);"],
                ["R2 in [0.25, 0x1p50]", f"theta in {true_over(root)}", f"t in {interval(0, cut, away=True)}"],
                [f"ratio in {interval(low**2, high**2)}", "f -/ R2 in [-0x1p-23, 0]"],
            )
        return out

    return Lemma(
        "relative certificate",
        "root of the cut square: {} u above the root's own error",
        min(c["truncation"]),
        HALF,
        scripts,
    )


def small_errors(c):
    """Errors rho of square and displacement, up to 2 u relative, outside of the margin's reach:
    (1 + M + m rho)^2 >= (1 + M)^2 + 2 rho and (1 - M - m rho)^2 <= (1 - M)^2 - 2 rho, both divided by rho."""

    def scripts(bound):
        m = number(bound)
        return script(
            [
                f"above = 2 * {m} * (1 + M) + {m} * {m} * rho - 2;",
                f"below = 2 * {m} * (1 - M) - {m} * {m} * rho - 2;",
            ],
            ["M in [0, 0x8p-24]", "rho in [0, 0x2p-24]"],
            ["above >= 0", "below >= 0"],
        )

    return Lemma(
        "relative certificate, margin",
        "factor {} of the errors of square and displacement",
        c["filter margin"],
        decimal("0.001"),
        scripts,
    )


def local_lemmas(c):
    """The quotient (s^2 - L^2) / (s + L) to first order in roundings, with l = L / s, v = 1 / (1 + l):
    t - v (theta' + ((1 - l^2) t + l^2 f1 + f2) / 2) and the three other roundings. Gappa
    bounds it on 4096 pieces of l; second order is below 64 u^2, which the margin holds."""
    two, weight, one, rest = c["local more"]
    at_0 = sum(c["local more at 0"])
    lines = [
        "v = 1 / (1 + l);",
        "of_t = t * (1 + l) / 2;",
        "of_root = v * ((l * l * f1 + f2) / 2 + th);",
        "off = of_t + of_root + h + i + p;",
    ]

    def scripts(limit_of, above):
        out = {}
        for name, (root, inverse, _) in units(c).items():
            limit = limit_of(root, inverse) * FLOAT * c["filter margin"] - 64 * FLOAT**2
            th = interval(-root[1] * FLOAT, root[0] * FLOAT, away=True)  # computed root less true one
            i = interval(-inverse[0] * FLOAT, inverse[1] * FLOAT, away=True)
            hypotheses = [
                "l in [0, 1]",
                "t in [0, 0x1p-23]",
                f"th in {th}",
                f"i in {i}",
                *(f"{n} in {UNIT}" for n in ("f1", "f2", "h", "p")),
            ]
            goal = f"off in [-1, {number(limit)}]" if above else f"off in [{number(-limit)}, 1]"
            out[name] = script(lines, hypotheses, [goal], "off $ l in 4096;\n")
        return out

    def more(bound):
        extra = bound - rest

        def limit(root, inverse):
            return max(two + weight * (one + root[0]) + inverse[1] + rest, at_0 + root[0] + inverse[1]) + extra

        return scripts(limit, True)

    def less(bound):
        return scripts(lambda root, inverse: c["local less"][0] + root[1] + inverse[0] + bound, False)

    return [
        Lemma("local certificate, above", "sum, product: {} u, and root, inverse, cut", rest, HALF, more),
        Lemma("local certificate, below", "sum, product: {} u, and root, inverse", c["local less"][1], HALF, less),
    ]


def orthogonal(c):
    """Squares and sums of exact differences, fused. The errors of scale and root are separate factors."""

    def scripts(bound):
        error = c["margin filter"] * bound * FLOAT - 32 * FLOAT**2
        floats = [h for k in "123" for h in (f"@FIX(c{k}, 0)", f"c{k} in [-0x1p24, 0x1p24]")]
        return squares_script(True, paths.sum_of_squares, ("c1", "c2", "c3"), floats, error)

    return Lemma("margin certificate, orthogonal", "squares and sums: {} u", c["orthogonal"], HALF, scripts)


def orthogonal_steps(c):
    """Coordinates in whole steps: rounded to nearest, differences and complements exact. The unit, 2^-8 of a
    step, changes nothing: it is a power of 2."""

    def scripts(bound):
        lines = [
            "@i = fixed<0,ne>;",
            "A = i(a); B = i(b);",
            "off = (A - B) - (a - b);",
            "D = r(A - B);",
            "C = r(edge - D);",
        ]
        return script(
            lines,
            [
                "a in [-0x1p23, 0x1p23]",
                "b in [-0x1p23, 0x1p23]",
                "edge in [0, 0x1p24]",
                "@FIX(edge, 0)",
                "D in [-0x1p24, 0x1p24]",
                "edge - D in [0, 0x1p24]",
            ],
            [f"off in {interval(-bound, bound)}", "D - (A - B) in [0, 0]", "C - (edge - D) in [0, 0]"],
            "off -> (A - a) - (B - b);\n",
        )

    return Lemma("margin certificate, steps", "displacement off by {} step", c["orthogonal steps"][0], HALF, scripts)


def margin_test(c):
    """Roundings of the comparison: offset o, and the margin M, fused and rounded down, less more_error E. Pairs
    with a negative difference are not certified."""

    def scripts(bound):
        lines = ["@z = float<24,-1000,dn>;", "off = r(o) - o;", "gap = r(z(M) - E) - (M - E);"]
        return script(
            [*lines, "all = gap - off;"],
            ["o in [-0.5, 0.5]", "M in [0, 0.5]", "E in [0, 0.5]", "z(M) - E in [0, 0.5]"],
            [f"all in {interval(-bound * FLOAT, bound * FLOAT)}"],
            "gap -> (r(z(M) - E) - (z(M) - E)) + (z(M) - M);\n",
        )

    return Lemma("margin certificate, test", "{} u, absolute", c["margin test"], HALF, scripts, reserve=decimal("3"))


def definition(c):
    """bin_position() of the root of a squared distance: |t^2 - (r w + delta)^2| for a position up to
    n = 1. `half` is the error of the root of the sum of squares, two roundings before the root."""

    def scripts(bound):
        limit = c["edge margin"] * bound * DOUBLE
        half = decimal("1.5001") * DOUBLE
        lines = [
            "t = (x * (1 + half) * (1 + root) + delta) * (1 + last);",
            "T = x + delta;",
            "off = (t - T) * (t + T);",
            "short = ((x * ((1 + half) * (1 + root) - 1)) * (1 + last) + T * last) * (t + T);",
        ]
        return script(
            lines,
            [
                f"half in {interval(-half, half, away=True)}",
                f"root in {WIDE}",
                f"last in {WIDE}",
                "x in [0, 1]",
                f"delta in [0, 1b-{int(c['edge shift'])}]",
                "T in [0, 1]",
                "t in [0, 1.000001]",
            ],
            [f"off in {interval(-limit, limit)}"],
            "off -> short;\n",
        )

    return Lemma(
        "edge certificate, definition", "pair_bin: {} U n^2", c["definition"], decimal(1), scripts, reserve=decimal(25)
    )


def definition_squares():
    """The defining function's sum of squares in double precision."""

    def scripts(bound):
        text = squares_script(
            False,
            paths.sum_of_squares,
            ("c1", "c2", "c3"),
            [h for k in "123" for h in (f"@FIX(c{k}, -400)", f"c{k} in [-0x1p60, 0x1p60]")],
            decimal("1.0000666") * bound * DOUBLE,
        )
        return text.replace("r = float<24,-1000,ne>", "r = float<53,-3000,ne>")

    return Lemma(
        "definition, squares", "root of a sum of squares in double precision off by {} U", decimal("1.5"), HALF, scripts
    )


def edge_start(c):
    """No edge is missed from the start on: k >= 1 + f E there, and (k + 1)^2 - (k + 0.9)^2 > E."""

    def scripts(bound):
        factor = number(bound)
        return script(
            [
                f"k = 1 + {factor} * E;",
                "rest = (k + 1) * (k + 1) - (k + 0.9) * (k + 0.9) - E;",
                f"short = 0.39 + E * (0.2 * {factor} - 1);",
            ],
            ["E in [0, 0x1p30]"],
            ["rest >= 0x1p-10"],
            "rest -> short;\n",
        )

    return Lemma("edge certificate, start", "2 + {} E", c["edge start"][1], decimal(1), scripts, reserve=decimal(1))


def quantised(c):
    """Nine additions to numbers between 2^52 and 2^53 steps that truncate."""

    def scripts(bound):
        lines = ["@z = float<53,-3000,zr>;"] + [f"e{k} = z(s{k}) - s{k};" for k in range(9)]
        lines += ["off = " + " + ".join(f"e{k}" for k in range(9)) + ";"]
        return script(lines, [f"s{k} in [0x1.4p52, 0x1.cp52]" for k in range(9)], [f"off in {interval(-bound, bound)}"])

    return Lemma(
        "steps certificate",
        "shift added in nine additions: {} steps",
        c["quantised"],
        decimal(1),
        scripts,
        reserve=decimal(3),
    )


def lemmas(c):
    return [
        tensor_square(c),
        truncated_square(c),
        small_errors(c),
        *local_lemmas(c),
        orthogonal(c),
        orthogonal_steps(c),
        margin_test(c),
        definition_squares(),
        definition(c),
        edge_start(c),
        quantised(c),
    ]
