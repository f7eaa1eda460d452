"""Options of scripts that draw figures."""

import argparse
import math
import re

LEAST_DPI, MOST_DPI = 10, 2400  # of PNG; more would take gigabytes of memory


def _resolution(text):
    try:
        dpi = int(text)
    except ValueError:
        dpi = 0
    if not LEAST_DPI <= dpi <= MOST_DPI:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {LEAST_DPI} to {MOST_DPI}")
    return dpi


SIZES = {"single": (3.5, None), "double": (7.2, None)}  # one and two columns of a journal: 89 and 183 mm [inches]
INCHES = {"mm": 1 / 25.4, "cm": 1 / 2.54, "in": 1.0, "": 1.0}
LEAST_INCHES, MOST_INCHES = 1, 100


def _size(text):
    """(width, height or None) in inches of "single", "double", "89mm", "89x60mm" or "3.5x2.6"."""
    if text in SIZES:
        return SIZES[text]
    found = re.fullmatch(r"([\d.]+)(?:x([\d.]+)(mm|cm|in|)|(mm|cm|in))", text)
    try:
        unit = INCHES[found[4] or found[3]]
        width, height = float(found[1]) * unit, found[2] and float(found[2]) * unit
    except (TypeError, ValueError):
        width = height = 0.0
    if not all(LEAST_INCHES <= side <= MOST_INCHES for side in (width, height) if side is not None):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not single, double, W or WxH with a unit, such as 85mm or 89x60mm ({LEAST_INCHES} to "
            f"{MOST_INCHES} inches)"
        )
    return width, height


def add_size_and_style(parser):
    """Adds --size and --style."""
    parser.add_argument(
        "--size",
        type=_size,
        metavar="S",
        help="size of the figure: single or double column of a journal (89, 183 mm), or W or WxH in mm, cm or inches: "
        "85mm, 89x60mm",
    )
    parser.add_argument(
        "--style", metavar="NAME", help="style of Matplotlib, or a .mplstyle file, in addition to starhist's"
    )


def read_style(parser, name, style):
    """Adds the settings of a style of Matplotlib, or of a file, to the dictionary `style`."""
    import matplotlib
    import matplotlib.style

    from known_words import did_you_mean

    if name in matplotlib.style.library:
        style.update(matplotlib.style.library[name])
        return
    try:
        style.update(matplotlib.rc_params_from_file(name, use_default_template=False))
    except (OSError, ValueError) as error:
        known = sorted(matplotlib.style.library)
        parser.error(
            f"--style {name!r} is neither a style of Matplotlib nor a file with one{did_you_mean(name, known)} ({error})"
        )


def _limits(text):
    """The numbers of "X0,X1" or "X0,X1,Y0,Y1"."""
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    pairs = list(zip(numbers[::2], numbers[1::2]))
    if len(numbers) not in (2, 4) or not all(math.isfinite(b - a) and a < b for a, b in pairs):
        raise argparse.ArgumentTypeError(f"{text!r} is not X0,X1 or X0,X1,Y0,Y1 with rising limits, such as 0.3,0.6")
    return numbers


def add_inset(parser):
    """Adds --inset."""
    parser.add_argument(
        "--inset",
        type=_limits,
        metavar="X0,X1[,Y0,Y1]",
        help="enlarge this range of the curves in an inset, in the units of the axes (default of Y: as the curves need)",
    )


def add_resolution(parser):
    """Adds --dpi."""
    parser.add_argument(
        "--dpi", type=_resolution, default=300, metavar="DPI", help="resolution of PNG (default %(default)s)"
    )
