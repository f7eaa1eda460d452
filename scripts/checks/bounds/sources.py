"""Constants and statements of the sources on which the lemmas rest. A pattern that does not match
exactly once is an error, so a change of the code cannot leave a lemma behind."""

import fractions
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
KERNELS = "codelets/kernels/"
LATTICE = KERNELS + "fixed_point/fixed_lattice.cc"
FAST = KERNELS + "fixed_point/fast_distance.hh"
DISTANCES = KERNELS + "cpu/distances.inl.hh"
NEAR = KERNELS + "cpu/near_images.inl.hh"
IMAGES = KERNELS + "error_bounds/image_errors.cc"
IMAGES_ROW = KERNELS + "error_bounds/image_errors.hh"
FILTER = KERNELS + "cuda/filter/filter_bounds.cc"
SPECIAL = KERNELS + "cuda/filter/approximation_errors.cc"
CERTIFICATE = KERNELS + "cuda/filter/certificate.cuh"
POSITION = "codelets/core/counting/bin_position.hh"

N = r"([\d.]+)F?"  # a number; patterns ignore the width of white space
# Name: file, pattern with one group for each number.
CONSTANTS = {
    "relative": (LATTICE, rf"double error_rel = {N} \* u;"),
    "relative triangular": (LATTICE, rf" error_rel = {N} \* u; error_abs"),
    "triangular terms": (
        LATTICE,
        rf"terms\{{{N} \* std::abs\(rows\[0\]\.x\) \+ {N} \* std::abs\(rows\[1\]\.x\) \+ {N} \* "
        rf"std::abs\(rows\[2\]\.x\), {N} \* std::abs\(rows\[1\]\.y\) \+ {N} \* "
        rf"std::abs\(rows\[2\]\.y\), {N} \* std::abs\(rows\[2\]\.z\)\}};",
    ),
    "of terms": (LATTICE, rf"error_abs \+= {N} \* u \* length\(terms\);"),
    "margin relative": (LATTICE, rf"static_cast<Real>\({N} \* error_rel\)"),
    "margin absolute": (LATTICE, rf"static_cast<Real>\({N} \* error_abs\)"),
    "fixed point": (LATTICE, rf"lattice_error = {N} \* 0x1p-32 \* edges \+ arithmetic_error \+ error_of_edges;"),
    "search row": (LATTICE, rf"i == j \? static_cast<double>\(i \+ {N}\) \* bi"),
    "search two rows": (LATTICE, rf": static_cast<double>\(i \+ {N}\) \* bi \+ static_cast<double>\(j \+ {N}\) \* bj;"),
    "search square": (LATTICE, rf"\({N} \* u \* \({N} \+ most_dots / typical\)\)"),
    "search norm": (LATTICE, rf"\({N} \* u \* \({N} \* most_norm2 \+ typical \* most_dots\)\)"),
    "without root": (DISTANCES, rf"fast\.error_rel\) - {N} \* unit;"),
    "isotropic": (DISTANCES, rf"error \+= {N} \* \(off < 0\.0 \? -off : off\) \+ {N} \* unit - {N} \* unit;"),
    "diagonal": (DISTANCES, r"error \+= rounding - (unit);"),
    "margin of loops": (DISTANCES, rf"return static_cast<float>\({N} \* error\);"),
    "edge test": (
        DISTANCES,
        rf"twice_rel\(Ops::broadcast\(static_cast<Real>\({N}\) \* \(error_rel \+ of_product\)\)\), "
        rf"twice_abs\(Ops::broadcast\(static_cast<Real>\({N}\) \* "
        rf"\(error_abs \* \({N} \+ error_abs / {N}\) \+ {N} \* error_rel\)\)\)",
    ),
    "near relative": (IMAGES, rf"double error_rel = {N} \* unit;"),
    "near radius": (IMAGES, rf"error_abs = lattice_error \+ {N} \* unit \* static_cast<double>\(b\.radius\);"),
    "near margin": (IMAGES, rf"constexpr double margin = {N};"),
    "residual square": (IMAGES, rf"{N} \* unit\}};"),
    "residual column": (
        IMAGES,
        rf"lattice_error \* lattice_error, {N} \* lattice_error \+ {N} \* std::sqrt\(column2\),",
    ),
    "residual unfused": (IMAGES, rf"square_error_unfused = {N} \* rounding_error\(farthest2\);"),
    "residual row": (
        IMAGES_ROW,
        rf"return {N} \* \({N} \* product \+ rounding_error\(first\) \+ "
        r"rounding_error\(first \+ y \* y\)\);",
    ),
    "tensor square": (FILTER, rf"return {N} \* double_unit \* radius \* radius;"),
    "truncation": (FILTER, rf"constexpr double truncation = {N};.*?constexpr double truncation = {N};"),
    "filter margin": (FILTER, rf"double less = {N} \* \(units\.less \* unit \+ relative\(from\)\);"),
    "filter margin above": (
        FILTER,
        rf"double more = {N} \* \(units\.more \* unit \+ relative\(from\) \+ edge_shift / from\);",
    ),
    "local more": (
        FILTER,
        rf"double more = {N} \+ {N} \* \({N} \+ errors\.root\.less\) \+ errors\.inverse\.more \+ {N};",
    ),
    "local more at 0": (FILTER, rf"more_at_0 = {N} \+ {N} \+ errors\.root\.less \+ errors\.inverse\.more \+ {N};"),
    "local less": (FILTER, rf"double less = {N} \+ errors\.root\.more \+ errors\.inverse\.less \+ {N};"),
    "margin test": (FILTER, rf"roundings_of_binner = {N} \* unit;"),
    "margin filter": (FILTER, rf"relative \*= {N};"),
    "orthogonal": (FILTER, rf"relative = \({N} \+ of_root\) \* unit \+ of_scale;"),
    "orthogonal steps": (FILTER, rf"error = {N} \+ {N} \* std::abs\(steps - edge\[axis\] / step\);"),
    "definition": (FILTER, rf"roundings_of_definition = {N} \* double_unit;"),
    "edge margin": (FILTER, rf"of_square = {N} \* \(error_of_square"),
    "edge start": (FILTER, rf"start = std::ceil\({N} \+ {N} \* of_square\);"),
    "quantised": (FILTER, rf"roundings_of_quantised = {N};"),
    "special 9.0": (SPECIAL, rf"== 90\) \{{.*?return \{{\{{{N}, {N}\}}, \{{{N}, {N}\}}, \{{{N}, {N}\}}\}};"),
    "special others": (SPECIAL, rf"\}} //.*?return \{{\{{{N}, {N}\}}, \{{{N}, {N}\}}, \{{{N}, {N}\}}\}};"),
    "edge shift": (POSITION, r"edge_shift = 0x1p-(\d+);"),
}

# Order of operations that paths.py repeats: text that a file must hold, white space apart.
STATEMENTS = [
    (FAST, "return Ops::multiply_add(z, z, Ops::multiply_add(y, y, x * x));"),
    (FAST, "return {sum_of_squares(u * m.row[0], v * m.row[2], w * m.row[5]), Float{}};"),
    (FAST, "Ops::multiply_add(u, m.row[0], Ops::multiply_add(v, m.row[1], w * m.row[3]));"),
    (FAST, "const Float y = Ops::multiply_add(v, m.row[2], w * m.row[4]);"),
    (FAST, "const Float z = w * m.row[5];"),
    (FAST, "const Float d1 = h[0] * x;"),
    (FAST, "const Float d2 = Ops::multiply_add(h[2], y, h[1] * x);"),
    (FAST, "const Float d3 = Ops::multiply_add(h[5], z, Ops::multiply_add(h[4], y, h[3] * x));"),
    (FAST, "const Float shortest = r2 + Ops::smaller(gain, Float{});"),
    (DISTANCES, "of_product = fused ? 0 : Ops::unit_roundoff;"),
    (DISTANCES, "return k * Ops::multiply_add(k, twice_rel, twice_abs);"),
    (DISTANCES, "fast.r2 = fast.r2 * squared_scale;"),
    (DISTANCES, "Ops::magnitude(Ops::multiply_add(-edge, edge, r2)), limit"),
    (NEAR, "return Simd::multiply_add(z_k, z_k, Simd::multiply_add(y_k, y_k, x_k * x_k));"),
    (NEAR, "z_k, z_k, Simd::multiply_add(y_k, y_k, Simd::multiply_add(x_k, x_k, a.rest[k])));"),
    (NEAR, "edge, Simd::multiply_add(edge, error_square, error_linear), a.error)"),
    (CERTIFICATE, "candidate(excess * fast_inverse(fast_root(excess + from2) + from));"),
    (CERTIFICATE, "return __fmaf_rd(root, scale, floor_shift);"),
    (CERTIFICATE, "return fabsf(__fmaf_rn(root, scale, -middle));"),
    (
        CERTIFICATE,
        "return __fmaf_rd(static_cast<float>(args.bins.count) + 0.5F, -args.filter.filter_bound.error_rel, "
        "args.filter.filter_bound.margin);",
    ),
    (CERTIFICATE, "from_middle(near, floor) <= margin - more_error ? 1U : 0U"),
    (CERTIFICATE, "return {__float_as_uint(floor), margin - from_middle(root, floor)};"),
    (POSITION, "return fused(r, bins.inverse_width, edge_shift);"),
]


class SourceError(Exception):
    """A source does not contain the code for which the lemmas were written."""


def squeezed(text):
    return re.sub(r"\s+", " ", text)


def value(text):
    return fractions.Fraction(text) if text != "unit" else fractions.Fraction(1)


def read(root=ROOT):
    """The constants: {name: Fraction, or tuple of Fractions}. Raises SourceError."""
    texts = {}

    def text(path):
        if path not in texts:
            texts[path] = squeezed((pathlib.Path(root) / path).read_text(encoding="utf-8"))
        return texts[path]

    out = {}
    for name, (path, pattern) in CONSTANTS.items():
        found = list(re.finditer(pattern, text(path)))
        if len(found) != 1:
            raise SourceError(
                f"{path}: {len(found)} places instead of one match the constant '{name}' ({pattern}): "
                "adapt scripts/checks/bounds/sources.py and the lemmas that use it"
            )
        numbers = tuple(value(g) for g in found[0].groups())
        out[name] = numbers[0] if len(numbers) == 1 else numbers
    for path, statement in STATEMENTS:
        if squeezed(statement) not in text(path):
            raise SourceError(
                f"{path}: does not contain '{statement}' (the lemmas follow this order of operations): "
                "adapt scripts/checks/bounds/paths.py, then sources.py"
            )
    return out
