"""Compares two SVG figures that Matplotlib has drawn, curve by curve."""

import pathlib
import re
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
SAMPLED = 200  # points at which two curves are compared
TOLERANCE = 0.01  # of the height of the axes: fonts, and so the lay-out, differ between machines


def points(path):
    """[(x, y)] of an SVG path of straight lines."""
    numbers = [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", path.get("d", ""))]
    return list(zip(numbers[::2], numbers[1::2]))


def curves(file):
    """For each axes its open curves, in fractions of the axes: [[[(x, y)]]]."""
    result = []
    for axes in ElementTree.parse(file).getroot().iter(SVG + "g"):
        if not re.fullmatch(r"axes_\d+", axes.get("id", "")):
            continue
        background = axes.find(f"{SVG}g/{SVG}path")
        corners = points(background) if background is not None else []
        if not corners:
            continue
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        result.append(
            [
                [((x - left) / (right - left), (bottom - y) / (bottom - top)) for x, y in points(path)]
                for path in axes.iter(SVG + "path")
                if path.get("clip-path") and "fill: none" in path.get("style", "")
            ]
        )
    return result


def height_at(curve, x):
    """y of a curve whose x increase, by linear interpolation."""
    for (x0, y0), (x1, y1) in zip(curve, curve[1:]):
        if x0 <= x <= x1:
            return y0 if x1 == x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return curve[0][1] if x < curve[0][0] else curve[-1][1]


def distance(one, other):
    """The largest difference of two curves, in fractions of the axes."""
    ends = max(abs(a - b) for p, q in ((one[0], other[0]), (one[-1], other[-1])) for a, b in zip(p, q))
    first, last = max(one[0][0], other[0][0]), min(one[-1][0], other[-1][0])
    xs = [first + (last - first) * k / SAMPLED for k in range(SAMPLED + 1)]
    # A steep flank moves far up when it moves a little to the side: the smaller of both counts.
    return max(
        [ends]
        + [
            min(abs(height_at(one, x + shift) - height_at(other, x)) for shift in (-TOLERANCE / 4, 0, TOLERANCE / 4))
            for x in xs
        ]
    )


def compare_figures(expected, actual):
    """Returns the problem of the figure `actual`, or None."""
    expected, actual = pathlib.Path(expected), pathlib.Path(actual)
    if not expected.exists():
        return "does not exist"
    if expected.suffix != ".svg":
        return "only SVG can be compared"
    try:
        old, new = curves(expected), curves(actual)
    except ElementTree.ParseError as error:
        return f"is not an SVG ({error})"
    if not any(old):
        return "has no curves"
    if [len(axes) for axes in old] != [len(axes) for axes in new]:
        return f"has {[len(axes) for axes in old]} curves, the commands draw {[len(axes) for axes in new]}"
    pairs = [pair for axes in zip(old, new) for pair in zip(*axes)]
    for number, (one, other) in enumerate(pairs, 1):
        if distance(one, other) > TOLERANCE:
            return f"curve {number} of {len(pairs)} is another one"
    return None
