"""Options of scripts that draw figures."""

import argparse
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
    """(width, height or None) in inches of "single", "double", "89x60mm" or "3.5x2.6"."""
    if text in SIZES:
        return SIZES[text]
    found = re.fullmatch(r"([\d.]+)x([\d.]+)(mm|cm|in|)", text)
    try:
        width, height = (float(found[k]) * INCHES[found[3]] for k in (1, 2))
    except (TypeError, ValueError):
        width = height = 0.0
    if not (LEAST_INCHES <= width <= MOST_INCHES and LEAST_INCHES <= height <= MOST_INCHES):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not single, double or WxH, such as 89x60mm ({LEAST_INCHES} to {MOST_INCHES} inches)"
        )
    return width, height


def add_size_and_style(parser):
    """Adds --size and --style."""
    parser.add_argument(
        "--size",
        type=_size,
        metavar="S",
        help="size of the figure: single or double column of a journal (89, 183 mm), or WxH in mm, cm or inches: 89x60mm",
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


def add_resolution(parser):
    """Adds --dpi."""
    parser.add_argument(
        "--dpi", type=_resolution, default=300, metavar="DPI", help="resolution of PNG (default %(default)s)"
    )
