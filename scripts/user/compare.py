#!/usr/bin/env python3
"""Compares g(r) of results with each other, or with the curves of other programs.

    starhist compare A.h5 B.h5 [C.h5 ...] [-o figure.pdf] [--pairs O-O]
    starhist compare A.h5 gmx.xvg [--pairs OW-OW]

Two results: the difference in standard errors, and for each pair the probability p that two equal runs
differ at least as much. p comes from the covariance of the numbers of neighbours in up to eight ranges of
r over the blocks (Hotelling's test), with the correlation of neighbouring blocks; of equal runs, 5 % have
p < 0.05. It needs blocks: count with --blocks 16.

A result and a curve (xvg, csv, dat or json; r and g(r) in columns): the reasons for which they differ.
Norm (N^2 or N(N - 1), mean V or mean 1/V), unit, bins (centres, lower or upper edges, centred bins), self
pairs, exclusions, distances at bin edges. Bins of half the curve's width (--bin-width of rdf) suit all
conventions. Two curves are compared in value only. A column belongs to the pair in its name (O-H, H-O,
g_OH(r), ...); a curve with one column needs no name.

The first result, or without results the first curve, is the reference. For open boxes p(r) is compared.

Needs NumPy, and Matplotlib for figures.
Exit codes: 0 done, 1 bad usage or bad input, 2 a package is missing.
"""

import json
import sys

from command_parser import CommandParser
from failures import problem_of
from figure_options import add_resolution
from output_files import write_figure
from output_kinds import FIGURE
from packages import require
from shown_text import shown
from units import add_reading_options, reading_of

MOST_DRAWN = 12  # pairs in a figure
ALARM = 0.05  # probability of a false alarm over all pairs of a comparison
HDF5 = b"\x89HDF"


def make_parser():
    parser = CommandParser(prog="starhist compare", description=__doc__)
    parser.add_input(
        "files", nargs="+", metavar="FILE", help="results of starhist rdf, and curves of other programs; two or more"
    )
    parser.add_output(
        "-o",
        "--output",
        kind=FIGURE,
        action="append",
        default=[],
        metavar="FILE",
        help="figure; its suffix (svg, png, pdf, eps, jpg, ...) selects the format; may be repeated",
    )
    parser.add_argument("--pairs", default="", metavar="A-B,...", help="species pairs (default: all that are common)")
    parser.add_argument(
        "--column", default="", metavar="NAME", help="column of curves (default: the one named like the pair)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="%(choices)s (default %(default)s)")
    add_reading_options(parser)
    parser.add_argument(
        "--width", type=float, default=7, metavar="INCH", help="width of the figure (default %(default)s)"
    )
    add_resolution(parser)
    return parser


def is_result(path):
    """Whether a file is HDF5; other files, and missing ones, are curves."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == HDF5
    except OSError:
        return False


def as_text(rows, unit):
    """Returns a paragraph for each comparison."""
    lines = []
    blank = f" {unit}" if unit else ""
    for row in rows:
        column = f" (column '{row['column']}')" if "column" in row else ""
        lines += [f"{row['other']}: {note}" for note in row.get("file_notes", [])]
        lines.append(f"{row['other']}, {row['pair']}{column}:")
        if row.get("p") is not None:
            lines.append(
                f"  p = {row['p']:.3g}, the probability of such a difference by chance ({row['blocks'][0]} and {row['blocks'][1]} blocks)"
            )
        # Causes are certain only for curves of the same frames.
        notes = [f"  {note}" for note in row["notes"]]
        if not row.get("same_frames", True):
            lines += notes
            notes = []
        for cause in row.get("causes", []):
            lines.append(f"  {cause['kind']}: {cause['text']}")
        if row.get("causes") == []:
            lines.append("  same conventions")
        at = row["largest"]
        if at and at["difference"] != 0:
            size = f"{at['difference']:+.4g}"
            if at["standard_errors"] is not None:
                size += f" = {at['standard_errors']:+.2g} standard errors"
            after = " after these corrections" if row.get("causes") else ""
            lines.append(
                f"  largest difference{after}, {row['other']} minus the first file: {size} at r = {at['r']:.4g}{blank}"
            )
        lines += notes
    tested = [row["p"] for row in rows if row.get("p") is not None]
    if tested:
        least, limit = min(tested), ALARM / len(tested)
        differ = least < limit
        verdict = "the results differ" if differ else "no significant difference"
        side = "below" if differ else "not below"
        smallest, number = f"p = {least:.3g}", f"{limit:g}"
        if len(tested) > 1:
            smallest, number = (
                f"the smallest p of {len(tested)} pairs, {least:.3g},",
                f"{limit:.2g} ({ALARM:g} divided by the number of pairs)",
            )
        lines.append(f"{verdict}: {smallest} is {side} {number}")
    return "\n".join(lines) + "\n"


def main():
    parser = make_parser()
    options = parser.parse_args()
    if len(options.files) < 2:
        parser.error("there is one file: pass two or more to compare")
    if not 1 <= options.width <= 100:
        parser.error("--width must be 1 to 100 inches")
    require(parser.prog, "numpy", *(["matplotlib"] if options.output else []))
    from comparison.compare_pairs import compared
    from starhist_program import NoProgram, ResultError, asking

    try:
        program = asking(**reading_of(options))
        reference = next((path for path in options.files if is_result(path)), options.files[0])
        others = list(options.files)
        others.remove(reference)
        files = [(path, is_result(path)) for path in others]
        found = compared(program, reference, is_result(reference), files, options.pairs, options.column)
        if options.output:
            draw(parser, options, found)
        if options.format == "json":
            for row in found.rows:
                row["notes"] = row.pop("file_notes", []) + row["notes"]
            facts = {"quantity": "comparison", "of": f"{found.quantity}(r)", "reference": shown(reference)}
            facts |= {"length_unit": found.unit or "unknown", "comparisons": found.rows}
            sys.stdout.write(json.dumps(facts, indent=1) + "\n")
        else:
            sys.stdout.write(as_text(found.rows, found.unit))
        sys.stdout.flush()
    except (ResultError, NoProgram) as error:
        sys.exit(f"starhist compare: {error}")
    except (OSError, ValueError) as error:
        sys.exit(f"starhist compare: the output cannot be written ({problem_of(error)})")


def draw(parser, options, found):
    from comparison.compare_figure import draw_comparison

    panels = found.panels
    if len(panels) > MOST_DRAWN:
        print(
            f"{parser.prog}: {len(panels)} pairs are too many for a figure: drawing the first {MOST_DRAWN} (choose "
            "others with --pairs)",
            file=sys.stderr,
        )
    write_figure(
        draw_comparison(panels[:MOST_DRAWN], found.unit, found.quantity, options.width), options.output, options.dpi
    )


if __name__ == "__main__":
    main()
