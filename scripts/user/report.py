#!/usr/bin/env python3
"""One HTML page of a starhist result: plots to click, zoom and save, and how they were made.

    starhist report RESULT.h5 -o report.html [--run SUMMARY.json]

The page needs no network and no other file. It shows g(r) and the running coordination numbers
n(r) with one standard error (jackknife over the blocks, if there are several), S(q) where starhist has
`analyze`, the first peaks, the run's workers (from what `starhist rdf --json SUMMARY.json`
wrote) and its provenance, without the folders of files unless --paths is given. Where there is no
g(r) (open boxes) it shows p(r), the distribution of the distances that were counted. All curves are those of `starhist export`, to six digits.

Needs NumPy.
Exit codes: 0 done, 1 bad usage or bad input, 2 a package is missing.
"""

import html
import json
import pathlib
import sys

from command_parser import CommandParser
from output_files import path_conflict, write_whole_file
from packages import require
from starhist_program import DEFAULT, NoProgram, ResultError, asking
from units import add_unit_options

PAGE = pathlib.Path(__file__).resolve().parent / "report"


def fill(title, content):
    """The page: its parts put into page.html."""
    part = {
        name: (PAGE / name).read_text(encoding="utf-8")
        for name in ("page.html", "page.css", "chart.js", "interaction.js", "page.js")
    }
    # "<" would end the element that holds the data; in JSON it occurs in texts only.
    data = json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    script = part["chart.js"] + part["interaction.js"] + part["page.js"]
    page = part["page.html"].replace("@TITLE@", html.escape(title)).replace("@STYLE@", part["page.css"])
    head, tail = page.split("@DATA@")
    return head + data + tail.replace("@SCRIPT@", script)


def make_parser():
    parser = CommandParser(prog="starhist report", description=__doc__)
    parser.add_input("result", metavar="RESULT.h5", help="a result of starhist rdf")
    parser.add_output("-o", "--output", required=True, metavar="FILE", help="the page to write")
    parser.add_input(
        "--run",
        metavar="FILE",
        help="summary that starhist rdf --json wrote (default: where the "
        "result says it is, if it still is of this run)",
    )
    parser.add_argument("--title", help="title of the page (default: the name of the result)")
    parser.add_argument(
        "--normalization",
        default="pairs-over-volume",
        metavar="N",
        choices=["pairs-over-volume", "mean-volume", "per-frame"],
        help="of g(r): %(choices)s, as of starhist export (default %(default)s)",
    )
    add_unit_options(parser)
    parser.add_argument(
        "--allow-external", action="store_true", help="read HDF5 files whose data lie in other files, which they name"
    )
    parser.add_argument("--paths", action="store_true", help="show the folders of the files that were read, too")
    parser.add_input("--program", metavar="FILE", help=f"starhist (default: {DEFAULT})")
    return parser


def main():
    parser = make_parser()
    options = parser.parse_args()
    require(parser.prog, "numpy")
    from report_curves import charts_and_peaks
    from report_facts import facts_of, run_of
    from result_counts import read_counts

    try:
        program = asking(
            options.program, allow_external=options.allow_external, unit=options.unit, out_unit=options.out_unit
        )
        counts = read_counts(program, options.result)
        summary = counts.provenance.get("option --json", "")
        conflict = path_conflict([(options.output, "--output")], [(summary, "the report")] if summary else [])
        if conflict:
            raise ResultError(conflict)
        content = charts_and_peaks(program, options.result, options.normalization, counts)
        content |= facts_of(counts, options.result, options.paths) | run_of(counts, options.result, options.run)
        title = options.title or pathlib.Path(options.result).stem
        write_whole_file(options.output, fill(title, content))
    except (ResultError, NoProgram, OSError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
