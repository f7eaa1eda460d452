#!/usr/bin/env python3
"""Plots radial distribution functions, van Hove functions or neighbours of a starhist result, or a table of export or analyze.

    starhist plot RESULT.h5 -o rdf.svg -o rdf.png [--pairs O-O,H-O] [--peaks]
    starhist plot RESULT.h5 -o rdf.pdf --panels
    starhist plot A.h5 B.h5 --label 300K --label 350K -o two.pdf
    starhist plot A.h5 B.h5 --pairs O-O --inset 0.4,0.7 --size single -o two.pdf
    starhist plot NEIGHBOURS.h5 -o pn.svg [--pairs O-H] [--series]
    starhist plot TABLE.csv -o sq.svg [--curves O-O,total] [--x-max 150]
    starhist plot XRAY.csv NEUTRON.csv --label X-ray --label neutron -o both.svg
    starhist plot VANHOVE.h5 -o gd.png [--quantity g|self|msd] [--map]
    starhist plot RESULT_WITH_AXIS2.h5 -o map.png --map [--pairs O-H]

Draws g(r) of all pairs, or of the pairs given. The shade is one standard error (jackknife over the
blocks, if there are two or more). The plot of a single pair also shows its running coordination
number n(r), dashed, on the right axis; --panels draws each pair with its n(r) in separate axes.
Peaks of bonded neighbours that would flatten the rest of the curve are cut off and labelled: narrow
peaks that hold the same number of neighbours in every block.

For open boxes, where g(r) is undefined, it draws the distribution p(r) of the counted distances, with
the largest distance D_max and the radius of gyration Rg (equal weights); --peaks prints both. They need
all distances between the particles: --r-max of the count above D_max.

Of a result of `starhist coordination`, it draws the distribution P(n) of the numbers of neighbours, with
standard errors; with --series, the mean number in each frame.

Of csv tables of `starhist export` or `starhist analyze`, it draws each column against the first, or
against the time of each lag, up to 12 of each table unless --curves names more; columns without a
defined value are left out. Intensities and structure factors have separate axes. --scale log or guinier
is for intensities at small angles, and guinier also fits Guinier's law up to q Rg = 1.3, and prints Rg
and I(0); loglog is for mean squared displacements. Several tables need the same quantity and units. A
table of `analyze --experiment` shows the measured points, the residual below and R_w. A table of
`analyze --quantity kirkwood-buff --table` shows G of each pair by each method.

Of a result of `starhist vanhove`, it draws for each pair the distinct part, divided by the density, as
a curve for each lag; with --quantity self the distribution of displacements, 4 pi r^2 G_s, of each
species; with --quantity msd mean squared displacements over the lag. --map draws distance and lag as
axes and the values as colours. Only msd and self leave lag 0 out.

Of a result of `starhist rdf --axis2`, --map draws g as colours over distance and second axis.

Needs NumPy and Matplotlib.
"""

import pathlib
import sys

from command_parser import CommandParser
from failures import problem_of
from figure_options import add_inset, add_resolution, add_size_and_style, read_style
from known_words import listed
from output_files import write_figure
from output_kinds import FIGURE
from packages import require
from units import LENGTHS, add_reading_options, reading_of

MOST_DRAWN = 12  # curves, unless --pairs names more
QUANTITIES = ("g", "self", "msd")  # of a result of starhist vanhove
# Options that apply only to radial distribution functions, to tables, and to results of starhist vanhove.
OF_DISTRIBUTIONS = "--peaks --panels --rebin"
OF_TABLES = "--curves --x-max --scale"
OF_LAGS = "--quantity --species"


def make_parser():
    parser = CommandParser(prog="starhist plot", description=__doc__)
    parser.add_input(
        "result",
        nargs="+",
        metavar="FILE",
        help="results of starhist rdf, vanhove or coordination, their .partial files, or csv tables of starhist export "
        "or analyze",
    )
    parser.add_output(
        "-o",
        "--output",
        kind=FIGURE,
        action="append",
        default=[],
        metavar="FILE",
        help="image file; its suffix (svg, png, pdf, eps, jpg, ...) selects the format (default: PNG); may be repeated",
    )
    parser.add_argument("--pairs", default="", metavar="A-B,...", help="pairs to draw (default: the 12 most frequent)")
    parser.add_argument(
        "--quantity", default="", metavar="Q", choices=QUANTITIES, help="of a vanhove result: %(choices)s (default: g)"
    )
    parser.add_argument(
        "--species", default="", metavar="A,...", help="for self and msd: species to draw (default: all)"
    )
    parser.add_argument(
        "--map",
        action="store_true",
        help="draw a map: of a vanhove result of distance and lag, of a result of rdf --axis2 of both axes",
    )
    add_reading_options(parser)
    parser.add_argument("--peaks", action="store_true", help="print the first peak of each pair")
    parser.add_argument(
        "--panels", action="store_true", help="draw each pair in separate axes, with its coordination numbers"
    )
    parser.add_argument(
        "--series",
        action="store_true",
        help="of a result of coordination with --per-frame: draw the mean of each frame",
    )
    parser.add_argument(
        "--width",
        type=float,
        metavar="INCH",
        help="width of the figure (default: 3.5, one column of a journal; with --panels 7, two columns)",
    )
    add_size_and_style(parser)
    add_inset(parser)
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="TEXT",
        help="name of a file in the legend, once for each file (default: the files' names, if there are several)",
    )
    parser.add_argument(
        "--rebin",
        type=int,
        metavar="N",
        help="merge N bins to one (default: for each pair as few as its counts allow, which a message reports)",
    )
    parser.add_argument("--curves", default="", metavar="NAME,...", help="of tables: columns to draw (default: all)")
    parser.add_argument(
        "--x-max",
        type=float,
        metavar="X",
        help="of tables: largest q, r or lag to draw, and to fit with --scale guinier",
    )
    parser.add_argument(
        "--scale",
        choices=("log", "loglog", "guinier"),
        help="of tables: log for a logarithmic vertical axis, loglog for both axes, guinier for the logarithm over x^2 "
        "and a fit of Guinier's law",
    )
    add_resolution(parser)
    return parser


def note(text):
    print(f"starhist plot: {text}", file=sys.stderr)


def most_frequent(curves):
    """Returns the MOST_DRAWN curves with the most distances, in their original order."""
    kept = sorted(range(len(curves)), key=lambda k: curves[k].counts.sum(), reverse=True)[:MOST_DRAWN]
    return [curves[k] for k in sorted(kept)]


def size_of_figure(options, width):
    """Returns (width, height or None) in inches; `width` is the default."""
    return options.size or (options.width or width, None)


def labels_of_files(parser, options):
    """Returns the name of each file in the legend."""
    labels = options.label or [pathlib.Path(path).stem for path in options.result]
    if len(labels) != len(options.result):
        parser.error(f"{len(labels)} --label for {len(options.result)} files: pass one for each")
    return labels


def refuse_options(parser, options, names, reason):
    """Ends the program with a usage error, which names the first file, if one of these options is given."""
    for name in names.split():
        value = getattr(options, name.removeprefix("--").replace("-", "_"))
        if value not in ("", None, False, []):
            parser.error(f"{options.result[0]}: {name} {reason}")


def draw_table_file(parser, options):
    """Returns the figure of csv tables, for which the options of results have no meaning."""
    from curves.table_files import Table, curve_names, not_positive, read
    from figures.integral_figure import draw_integrals, read_integrals
    from figures.table_figures import INTEGRALS, draw_tables
    from starhist_program import ResultError

    refuse_options(
        parser, options, f"--pairs --unit --out-unit {OF_DISTRIBUTIONS} {OF_LAGS} --map --series",
        "has no meaning for a table: pass it to starhist export or analyze",
    )  # fmt: skip
    tables_of_integrals = [path for path in options.result if read_integrals(path) is not None]
    if tables_of_integrals:
        refuse_options(
            parser,
            options,
            f"{OF_TABLES} --label",
            "has no meaning for a table of Kirkwood-Buff integrals: leave it out",
        )
        if len(options.result) > 1:
            raise ResultError(
                f"{tables_of_integrals[0]}: is a table of Kirkwood-Buff integrals, drawn alone (pass one file)"
            )
        return draw_integrals(*read_integrals(options.result[0]), *size_of_figure(options, 3.5))
    tables, notes, several = [], [], len(options.result) > 1
    for path, label in zip(options.result, labels_of_files(parser, options)):
        facts, columns = read(path)
        try:
            names, own = curve_names(columns, [name for name in options.curves.split(",") if name])
            own += not_positive(columns, names, options.scale)
        except ResultError as error:
            raise ResultError(f"{path}: {error}") from error
        own += [facts["isotropic_caveat"]] if "isotropic_caveat" in facts else []
        tables.append(Table(facts, columns, names, label if several or options.label else ""))
        notes += [f"{label}: {text}" if several else text for text in own]
        smallest = next(iter(columns.values()))[0]
        if options.x_max is not None and not options.x_max > smallest:
            parser.error(
                f"{path}: --x-max {options.x_max:g} shows no row of the table, which begins at {smallest:g}: give a "
                "larger value"
            )
        if options.label and facts["quantity"] == INTEGRALS:
            parser.error(f"{path}: --label has no meaning for running Kirkwood-Buff integrals: leave it out")
    figure, more = draw_tables(tables, options.x_max, *size_of_figure(options, 3.5), options.scale)
    for text in notes + more:
        note(text)
    return figure


def draw_neighbours_of(parser, options, program):
    """Returns the figure of a result of starhist coordination; None for other files."""
    from figures.neighbour_figures import draw_neighbours, is_neighbour_result, neighbour_table
    from starhist_program import ResultError

    if not options.series and not is_neighbour_result(program, options.result[0]):
        return None
    table, refusal = neighbour_table(program, options.result[0], options.pairs, options.series)
    if table is None:
        raise ResultError(refusal)
    refuse_options(
        parser, options, f"{OF_DISTRIBUTIONS} --label --inset {OF_TABLES} {OF_LAGS} --map",
        "has no meaning for numbers of neighbours: leave it out",
    )  # fmt: skip
    if len(options.result) > 1:
        raise ResultError(f"{options.result[0]}: results of starhist coordination are drawn one by one (pass one file)")
    return draw_neighbours(table, options.series, *size_of_figure(options, 3.5))


def read_result(program, path, options):
    """Returns the Result of a file with its bins merged for the figure. Prints peaks if they are wanted."""
    from curves.body_size import size_lines
    from curves.rdf_curves import read_all
    from curves.rdf_extrema import print_first_peaks
    from figures.display_width import for_display

    result, blocks, counts = read_all(program, path, options.pairs)
    if options.peaks:
        print_first_peaks(result, blocks)
        if not result.is_g:
            print("\n".join(size_lines(result)))
    if not options.output:
        return result
    if not options.pairs and len(result.curves) > MOST_DRAWN:
        note(
            f"{len(result.curves)} curves would hide each other: drawing only the {MOST_DRAWN} most frequent pairs (choose "
            "others with --pairs)"
        )
        result.curves = most_frequent(result.curves)
    result.curves, merged = for_display(program, path, result, counts, options.rebin)
    for width in dict.fromkeys(width for _, width in merged):
        pairs = [pair for pair, other in merged if other == width]
        note(
            f"{listed(pairs)} drawn in bins of {width}, because there are few counts per bin (--rebin 1 draws the bins of the "
            "result)"
        )
    return result


def united(results, labels):
    """Returns one Result with the curves of several, whose names contain the labels."""
    from curves.rdf_curves import Result, space_of
    from starhist_program import ResultError

    first = results[0]
    for result, label in zip(results, labels):
        if result.is_g != first.is_g:
            raise ResultError(
                f"{label} and {labels[0]}: one has g(r), the other p(r) of an open box (draw each on its own)"
            )
        if result.plane != first.plane:
            raise ResultError(
                f"{label} and {labels[0]}: one has distances in {space_of(result)}, the other in {space_of(first)} "
                "(draw each on its own)"
            )
        if result.unit != first.unit:
            units = [each or "unknown" for each in (first.unit, result.unit)]
            remedy = (
                "give the unknown one with --unit"
                if "unknown" in units
                else "convert them with --out-unit"
                if all(each in LENGTHS for each in units)
                else "they cannot be converted: draw each on its own"
            )
            raise ResultError(f"{labels[0]} and {label}: their length units are {units[0]} and {units[1]} ({remedy})")
        for curve in result.curves:
            curve.pair = label if len(result.curves) == 1 else f"{curve.pair}, {label}"
    caveats = [f"result '{label}': {each.caveat}" for each, label in zip(results, labels) if each.caveat]
    return Result(
        [curve for result in results for curve in result.curves],
        first.is_g,
        first.unit,
        min(result.blocks for result in results),
        "; ".join(caveats),
        plane=first.plane,
        geometry=first.geometry,
    )


def print_isotropic(results):
    for text in dict.fromkeys(result.isotropic for result in results if result.isotropic):
        note(text)


def add_caveat(figure, result):
    """Prints the caveat of a result, if it has one, and writes it below the axes."""
    from figures.rdf_figures import add_note

    if result.caveat:
        note(result.caveat)
        add_note(figure, result.caveat)


def draw_lag_result(parser, options, program, path):
    """Returns the figure of a result of starhist vanhove, which is one of the files."""
    from curves.lag_curves import read_lag_curves
    from figures.lag_figures import draw_lags
    from starhist_program import ResultError

    quantity = options.quantity or "g"
    if len(options.result) > 1:
        raise ResultError(f"{path}: results of starhist vanhove are drawn one by one (pass this file only)")
    refuse_options(
        parser, options, f"{OF_DISTRIBUTIONS} --label --inset {OF_TABLES}",
        "does not apply to a result of starhist vanhove: leave it out",
    )  # fmt: skip
    if quantity == "msd" and options.map:
        parser.error(f"{path}: --map has no meaning with msd, which has one value per lag: leave it out")
    given = {"--pairs": options.pairs, "--species": options.species}
    chosen = [word for option, value in given.items() if value for word in (option, value)]
    result = read_lag_curves(program, path, quantity, chosen)
    if quantity != "g" and not any(result.lags > 0):
        raise ResultError(f"{path}: has only lag 0, at which no particle has moved (count longer --lags)")
    if not chosen and len(result.curves) > MOST_DRAWN:
        option = "--pairs" if quantity == "g" else "--species"
        note(f"drawing only the first {MOST_DRAWN} of {len(result.curves)} (choose others with {option})")
        result.curves = result.curves[:MOST_DRAWN]
    figure = draw_lags(result, options.map, *(options.size or (options.width, None)))
    print_isotropic([result])
    add_caveat(figure, result)
    return figure


def draw_second_axis_result(parser, options, program):
    """Returns the map of a result of starhist rdf --axis2."""
    from figures.second_axis_figures import draw_second_axis, second_axis_table
    from starhist_program import ResultError

    if len(options.result) > 1:
        raise ResultError(f"{options.result[0]}: maps are drawn one by one (pass one file)")
    refuse_options(parser, options, f"{OF_DISTRIBUTIONS} --label --inset", "does not apply to --map: leave it out")
    table = second_axis_table(program, options.result[0], options.pairs)
    most = len(table["curves"]) if options.pairs else MOST_DRAWN
    if len(table["curves"]) > most:
        note(f"drawing only the first {most} of {len(table['curves'])} pairs (choose others with --pairs)")
    return draw_second_axis(table, most, *(options.size or (options.width, None)))


def draw_results(parser, options, program):
    """Returns the figure of the results; None without --output."""
    from curves.lag_curves import is_lag_result
    from figures.body_figures import draw_bodies
    from figures.rdf_figures import draw, draw_panels

    of_lags = next((path for path in options.result if is_lag_result(program, path)), None)
    if of_lags:
        return draw_lag_result(parser, options, program, of_lags)
    refuse_options(
        parser, options, OF_TABLES, "is for tables of starhist export and analyze: leave it out, or draw such a table"
    )
    refuse_options(parser, options, OF_LAGS, "is for results of starhist vanhove: leave it out")
    if options.map:
        return draw_second_axis_result(parser, options, program)
    labels = labels_of_files(parser, options)
    several = len(options.result) > 1
    if several and options.panels:
        parser.error("--panels draws one result: pass one file, or leave it out")
    results = []
    for path, label in zip(options.result, labels):
        if several and options.peaks:
            print(f"{label}:")
        results.append(read_result(program, path, options))
    if not options.output:
        return None
    print_isotropic(results)
    result = united(results, labels) if several or options.label else results[0]
    if options.panels:
        figure = draw_panels(result, *size_of_figure(options, 7))
    else:
        figure = (draw if result.is_g else draw_bodies)(result, *size_of_figure(options, 3.5))
    add_caveat(figure, result)
    return figure


def main():
    parser = make_parser()
    options = parser.parse_args()
    if not options.output and not options.peaks:
        parser.error("nothing to do: pass -o FILE, --peaks or both")
    if options.width is not None and not 1 <= options.width <= 100:
        parser.error("--width must be 1 to 100 inches")
    if options.width is not None and options.size:
        parser.error("--width and --size exclude each other")
    if options.inset and options.panels:
        parser.error("--inset is for a single plot: leave out --panels, or choose a pair with --pairs")
    if options.rebin is not None and options.rebin < 1:
        parser.error("--rebin must be 1 or more bins")
    require(parser.prog, "numpy", "matplotlib")
    from curves.table_files import is_table
    from figures import insets
    from figures.rdf_figures import STYLE
    from starhist_program import NoProgram, ResultError, asking

    if options.style:
        read_style(parser, options.style, STYLE)
    try:
        of_tables = [is_table(path) for path in options.result]
        if any(of_tables) and not all(of_tables):
            other = options.result[of_tables.index(False)]
            if not pathlib.Path(other).exists():
                raise ResultError(f"{other}: does not exist")
            raise ResultError(
                f"{other}: is not a table of starhist export or analyze, and tables are drawn only with other tables"
            )
        if of_tables[0]:
            figure = draw_table_file(parser, options)
        else:
            program = asking(**reading_of(options))
            figure = draw_neighbours_of(parser, options, program) if options.output else None
            figure = figure or draw_results(parser, options, program)
        if figure and options.inset:
            insets.add_inset(figure, options.inset)
        if figure:
            write_figure(figure, options.output, options.dpi)
    except (ResultError, NoProgram) as error:
        sys.exit(f"starhist plot: {error}")
    except (OSError, ValueError) as error:
        sys.exit(f"starhist plot: the plot cannot be written ({problem_of(error)})")


if __name__ == "__main__":
    main()
