#!/usr/bin/env python3
"""Finds maxima and minima of g(r) in a starhist result, and the coordination numbers at the minima.

    starhist peaks RESULT.h5 [--pairs O-O,H-O] [--format csv] [-o peaks.csv]

Extrema are located in the curve after smoothing by a Gaussian, as narrow as the noise allows; its
width is printed. Positions and heights come from parabolas fitted to the unsmoothed curve.
A maximum and the next minimum count only if their heights differ by five standard errors of the
counts, by three standard deviations between bootstrap samples, and by --prominence. If the result has no g(r) (open boxes),
extrema of the distance distribution p(r) are reported, with the largest distance D_max and, if all
distances between the particles were counted, the radius of gyration Rg (equal weights).

Standard errors come from a bootstrap over the blocks; each sample locates its own extrema. The
error of a coordination number therefore includes the uncertainty of the minimum's position.
Coordination numbers are undefined beyond half the shortest lattice vector of the box.

Needs NumPy.
Exit codes: 0 done, 1 bad usage or bad input, 2 a package is missing.
"""

import argparse
import csv
import io
import json
import math
import pathlib
import sys
import textwrap

from command_parser import CommandParser
from error_text import with_error
from failures import problem_of
from known_words import listed
from output_files import write_whole_file
from output_kinds import PEAKS
from packages import require
from shown_text import shown
from units import add_reading_options, reading_of

# Columns of the csv table, the keys of rows_of().
COLUMNS = "pair kind r r_error value value_error direction coordination coordination_error smoothing".split()


def _fraction(text):
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a fraction from 0 to 1, such as 0.05 for 5 %")
    return value


def make_parser():
    parser = CommandParser(prog="starhist peaks", description=__doc__)
    parser.add_input("result", metavar="RESULT.h5", help="result of starhist rdf, or its .partial file")
    parser.add_argument("--pairs", default="", metavar="A-B,...", help="species pairs (default: all)")
    parser.add_argument(
        "--prominence",
        type=_fraction,
        default=0.01,
        metavar="P",
        help="smallest height difference of neighbouring extrema, as a fraction of the curve's range "
        "beyond bonded peaks (default %(default)s)",
    )
    parser.add_argument(
        "--format",
        choices=("text", "csv", "json"),
        metavar="F",
        help="output format: %(choices)s (default: by the suffix of FILE, otherwise text)",
    )
    add_reading_options(parser)
    parser.add_output("-o", "--output", kind=PEAKS, metavar="FILE", help="output file (default: standard output)")
    return parser


def as_text(tables, unit, symbol, n_end):
    lines, without = [], []
    blank = f" {unit}" if unit else ""
    undefined = f"undefined beyond r = {n_end:.6g}{blank}"
    for pair, directions, found, width in tables:
        if not found:
            without.append(pair)
            continue
        lines.append(f"{pair}: {symbol}(r)" + (f" smoothed by {width:.3g}{blank}" if width else ""))
        for extremum in found:
            kind = "maximum" if extremum.is_maximum else "minimum"
            lines.append(
                f"  {kind}  r = {with_error(extremum.r, extremum.r_error)}{blank}   "
                f"{symbol} = {with_error(extremum.value, extremum.value_error)}"
            )
            if not extremum.is_maximum:
                errors = extremum.number_errors or [None] * len(directions)
                numbers = [
                    with_error(n, error) if math.isfinite(n) else undefined
                    for n, error in zip(extremum.numbers, errors)
                ]
                lines += [f"           {label}: {number}" for label, number in zip(directions, numbers)]
    if without:
        lines += textwrap.wrap(
            "no peak stands out of the noise: " + ", ".join(without),
            100,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines) + "\n"


def rows_of(tables):
    """Yields a row for each extremum and direction of the pair."""
    for pair, directions, found, width in tables:
        for extremum in found:
            errors = extremum.number_errors or [None] * len(directions)
            for label, n, error in zip(directions, extremum.numbers, errors):
                n, error = (n, error) if math.isfinite(n) else (None, None)
                yield {
                    "pair": pair,
                    "kind": "maximum" if extremum.is_maximum else "minimum",
                    "r": extremum.r,
                    "r_error": extremum.r_error,
                    "value": extremum.value,
                    "value_error": extremum.value_error,
                    "direction": label,
                    "coordination": n,
                    "coordination_error": error,
                    "smoothing": width,
                }


def as_csv(tables, facts):
    out = io.StringIO()
    for name, value in facts.items():
        out.write(f"# {name}: {value}\n")
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows_of(tables))
    return out.getvalue()


def main():
    parser = make_parser()
    options = parser.parse_args()
    ending = pathlib.Path(options.output or "").suffix
    form = options.format or (ending[1:] if ending in (".csv", ".json") else "text")
    require(parser.prog, "numpy")
    from curves.body_size import size_lines, size_rows
    from curves.rdf_curves import read_with_blocks
    from curves.rdf_extrema import extrema
    from starhist_program import NoProgram, ResultError

    try:
        result, blocks = read_with_blocks(options.result, options.pairs, **reading_of(options))
        tables = []
        for curve, sums in zip(result.curves, blocks):
            found, width = extrema(curve, sums, options.prominence)
            tables.append((curve.pair, curve.directions, found, float(width)))
        caveat = result.caveat
        for note in filter(None, (caveat, result.isotropic)):
            print(f"starhist peaks: {note}", file=sys.stderr)
        beyond = max((extremum.r for _, _, found, _ in tables for extremum in found), default=0) > blocks[0].n_end
        if beyond:
            limit = f"{blocks[0].n_end:.6g} {result.unit}".rstrip()
            print(
                f"starhist peaks: coordination numbers are undefined beyond r = {limit} (larger "
                "spheres do not fit into the box, and counts include only nearest images): repeat the cell before "
                "counting",
                file=sys.stderr,
            )
        facts = {
            "quantity": "peaks",
            "of": "g(r)" if result.is_g else "p(r)",
            "source": shown(options.result),
            "length_unit": result.unit or "unknown",
            "blocks": result.blocks,
            "prominence": options.prominence,
        } | ({"errors_caveat": caveat} if caveat else {})
        without = [pair for pair, _, found, _ in tables if not found]
        if without:
            facts["without_peaks"] = ", ".join(without)
            if form == "csv":
                print(f"starhist peaks: no peak stands out of the noise: {listed(without)}", file=sys.stderr)
        if form == "json":
            sizes = {} if result.is_g else {"sizes": size_rows(result)}
            text = json.dumps(facts | {"extrema": list(rows_of(tables))} | sizes, indent=1) + "\n"
        else:
            text = (
                as_csv(tables, facts)
                if form == "csv"
                else as_text(tables, result.unit, "g" if result.is_g else "p", blocks[0].n_end)
            )
            if form == "text" and not result.is_g:
                text += "\n".join(size_lines(result)) + "\n"
        if options.output:
            write_whole_file(options.output, text)
        else:
            sys.stdout.write(text)
            sys.stdout.flush()
    except (ResultError, NoProgram) as error:
        sys.exit(f"starhist peaks: {error}")
    except (OSError, UnicodeError) as error:
        sys.exit(f"starhist peaks: the table cannot be written ({problem_of(error)})")


if __name__ == "__main__":
    main()
