"""Prints the first minimum of g(r) of species pairs, for --cutoff A-B=min of starhist coordination, which runs this script.

Prints the length unit, and a line for each --pair, in the order given: r_max, number of bins from 0 to
r_max, and the bin edge next to the minimum.
"""

import sys

from command_parser import CommandParser
from packages import require
from shown_text import shown

MOST_UNCERTAIN = 0.05  # largest standard error of a minimum's position, as a fraction of it


def refuse(pair, problem, remedy):
    from starhist_program import ResultError

    raise ResultError(f"--cutoff {pair}=min: {problem}: {remedy}")


def first_minimum(pair, curve, sums):
    """Returns the Extremum that ends the first peak. Raises ResultError if it is missing or ambiguous."""
    from curves.rdf_extrema import extrema, first_shell

    found = extrema(curve, sums)[0]
    _, minimum = first_shell(found)
    if minimum is None:
        refuse(pair, "g(r) has no minimum after its first peak", f"give the distance, {pair}=R, or count further")
    bonded_end = curve.edges[curve.bonded + 1] if curve.bonded else 0.0  # of the gap's lowest bin
    if minimum.value <= 0 or minimum.r <= bonded_end:
        later = [f"{each.r:.4g}" for each in found[2:] if not each.is_maximum]
        refuse(
            pair,
            f"the first minimum is ambiguous (the peak before it, up to r = {minimum.r:.4g}, is of bonded particles"
            + (f"; further minima are at {', '.join(later)}" if later else "")
            + ")",
            f"give the distance, {pair}=R, or count g(r) with --exclude-same molecule",
        )
    if minimum.r_error is not None and minimum.r_error > MOST_UNCERTAIN * minimum.r:
        refuse(
            pair,
            f"the first minimum is uncertain (r = {minimum.r:.4g}, standard error {minimum.r_error:.2g})",
            f"give the distance, {pair}=R, or count g(r) from more frames or in wider bins",
        )
    return minimum


def lines_of(path, pairs):
    """Yields the lines to print."""
    from curves.rdf_curves import read_with_blocks
    from result_counts import equal_widths
    from starhist_program import ResultError

    for k, pair in enumerate(pairs):
        result, blocks = read_with_blocks(path, pair)
        if not result.is_g:
            raise ResultError(
                f"{shown(path)}: has no g(r), because its boxes have no volume, and so no minimum for --cutoff {pair}=min: "
                "give the distance"
            )
        if k == 0:
            yield result.unit
        [curve], [sums] = result.curves, blocks
        edges = curve.edges
        width = (edges[-1] - edges[0]) / (len(edges) - 1)
        if not equal_widths(edges):
            raise ResultError(
                f"{shown(path)}: its bins have unequal widths, but --cutoff {pair}=min needs equal ones: count g(r) "
                "with --bins or --bin-width, or give the distance"
            )
        edge = round(first_minimum(pair, curve, sums).r / width)
        yield f"{float(edges[-1])!r} {round(edges[-1] / width)} {edge}"


def main():
    parser = CommandParser(prog="starhist coordination", description=__doc__)
    parser.add_input("result", metavar="RESULT.h5", help="result of starhist rdf")
    parser.add_argument("--pair", action="append", default=[], metavar="A-B", help="species pair; may be repeated")
    options = parser.parse_args()
    require(parser.prog, "numpy")
    from starhist_program import NoProgram, ResultError

    try:
        print("\n".join(lines_of(options.result, options.pair)))
    except (ResultError, NoProgram) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
