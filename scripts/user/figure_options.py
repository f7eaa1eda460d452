"""Options of scripts that draw figures."""

import argparse

LEAST_DPI, MOST_DPI = 10, 2400  # of PNG; more would take gigabytes of memory


def _resolution(text):
    try:
        dpi = int(text)
    except ValueError:
        dpi = 0
    if not LEAST_DPI <= dpi <= MOST_DPI:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {LEAST_DPI} to {MOST_DPI}")
    return dpi


def add_resolution(parser):
    """Adds --dpi."""
    parser.add_argument(
        "--dpi", type=_resolution, default=300, metavar="DPI", help="resolution of PNG (default %(default)s)"
    )
