#!/usr/bin/env python3
"""Writes one HTML page of a starhist result: interactive plots, and how the result was made.

    starhist report RESULT.h5 -o report.html [--run SUMMARY.json]

The page needs neither a network nor other files. It shows g(r) and the running coordination
numbers n(r) with one standard error (jackknife over the blocks, if there are two or more), S(q),
the first peaks, the workers of the run (from the file of `starhist rdf --json SUMMARY.json`) and its
provenance, with the folders of files only if --paths is given. For open boxes, where g(r) is
undefined, it shows p(r), the distribution of the counted distances, with the largest distance and the
radius of gyration. Of a result of `starhist vanhove` it shows distances between frames and
displacements by lag, of `starhist coordination` the distribution of the numbers of neighbours. Curves
equal the output of `starhist export`, to six digits.

Needs NumPy.
Exit codes: 0 done, 1 bad usage or bad input, 2 a package is missing.
"""

import html
import json
import pathlib
import sys

from command_parser import CommandParser
from failures import problem_of
from output_files import write_whole_file
from output_kinds import REPORT
from packages import require
from starhist_program import DEFAULT, NoProgram, ResultError, asking
from units import add_reading_options, reading_of

PAGE = pathlib.Path(__file__).resolve().parent / "report"


def fill(title, content):
    """Returns the page: page.html with its parts inserted."""
    part = {
        name: (PAGE / name).read_text(encoding="utf-8")
        for name in ("page.html", "page.css", "chart.js", "interaction.js", "page.js")
    }
    # "<" could end the element that holds the data; in JSON it occurs only in strings.
    data = json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    script = part["chart.js"] + part["interaction.js"] + part["page.js"]
    page = part["page.html"].replace("@TITLE@", html.escape(title)).replace("@STYLE@", part["page.css"])
    head, tail = page.split("@DATA@")
    return head + data + tail.replace("@SCRIPT@", script)


def make_parser():
    parser = CommandParser(prog="starhist report", description=__doc__)
    parser.add_input("result", metavar="RESULT.h5", help="result of starhist rdf, vanhove or coordination")
    parser.add_output("-o", "--output", kind=REPORT, required=True, metavar="FILE", help="HTML file to write")
    parser.add_input(
        "--run",
        metavar="FILE",
        help="summary written by starhist rdf --json (default: the path recorded in the result, "
        "if that file is still from this run)",
    )
    parser.add_argument("--title", help="title of the page (default: the name of the result)")
    parser.add_argument(
        "--normalization",
        default="pairs-over-volume",
        metavar="N",
        choices=["pairs-over-volume", "mean-volume", "per-frame"],
        help="normalization of g(r): %(choices)s, as for starhist export (default %(default)s)",
    )
    add_reading_options(parser)
    parser.add_argument("--paths", action="store_true", help="also show the folders of the input files")
    parser.add_input("--program", metavar="FILE", help=f"starhist (default: {DEFAULT})")
    return parser


def main():
    parser = make_parser()
    options = parser.parse_args()
    require(parser.prog, "numpy")
    from report_curves import charts_and_peaks
    from report_facts import facts_of, run_of
    from report_others import CONTENTS, about, other_content
    from result_counts import read_counts

    try:
        program = asking(options.program, **reading_of(options))
        described = about(program, options.result)
        if described.get("command") in CONTENTS:
            if options.run:
                raise ResultError(f"{options.result}: is not a result of starhist rdf: leave --run out")
            content = other_content(program, options.result, described, options.paths)
        else:
            counts = read_counts(program, options.result)
            content = charts_and_peaks(program, options.result, options.normalization, counts)
            content |= facts_of(counts, options.result, options.paths) | run_of(counts, options.result, options.run)
        title = options.title or pathlib.Path(options.result).stem
        write_whole_file(options.output, fill(title, content))
    except (ResultError, NoProgram, OSError) as error:
        print(f"{parser.prog}: {problem_of(error)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
