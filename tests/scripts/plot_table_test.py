#!/usr/bin/env python3
"""starhist plot of tables of starhist analyze, with and without an experiment, and of other files."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import matplotlib.pyplot
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/user"))
import numpy as np  # noqa: E402

from curves.guinier import NoGuinierRange, guinier_fit  # noqa: E402
from curves.table_files import Table, curve_names, read  # noqa: E402
from figures.integral_figure import draw_integrals, read_integrals  # noqa: E402
from figures.legends import obstacles  # noqa: E402
from figures.table_figures import draw_tables, value_label  # noqa: E402
from starhist_program import ResultError  # noqa: E402

STARHIST = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build" / "starhist"))


def draw_table(facts, columns, names, x_max, width, **options):
    """Returns the figure of one table."""
    return draw_tables([Table(facts, columns, names)], x_max, width, **options)[0]


def run(*command):
    environment = dict(os.environ, STARPU_WORKERS_NOBIND="1", STARPU_NCPU="2", STARHIST_PYTHON=sys.executable)
    return subprocess.run([str(word) for word in command], env=environment, text=True, capture_output=True, check=False)


class PlotTable(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def plot(self, *options):
        return run(STARHIST, "plot", *options, "-o", self.path / "plot.png")

    def test_curves_with_errors(self):
        result, table = self.path / "out.h5", self.path / "sq.csv"
        done = run(
            STARHIST, "rdf", ROOT / "tests/data/water.h5", "-o", result, "--r-max", 1, "--bins", 500, "--block", 10
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(STARHIST, "analyze", result, "--errors", "-o", table)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(value_label(read(table)[0]), "$S(q)$")
        images = []
        for curves in ("O-O", "O-O,total"):
            done = self.plot(table, "--curves", curves, "--dpi", 100)
            self.assertEqual(done.returncode, 0, done.stderr)
            images.append(matplotlib.pyplot.imread(self.path / "plot.png"))
        self.assertEqual(images[0].shape[:2], (259, 350))
        self.assertTrue((images[0] != images[1]).any())  # a curve more
        self.assertLess(images[0].mean(), 0.999)  # something is drawn
        done = self.plot(table, "--curves", "N-N")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no curve 'N-N'", done.stderr)

    def test_measured_points_and_residual_are_drawn(self):
        table = self.path / "fit.csv"
        rows = "".join(f"{x},{x + 1},{x + 1.1 + 0.1 * (x % 2)},0.5,{0.1 + 0.1 * (x % 2)}\n" for x in range(1, 30))
        head = "# Structure factor, written by starhist\n# quantity: sq\n# q_unit: 1/nm\n# r_w: 0.0123\n"
        table.write_text(head + "q,total,experiment,experiment standard error,residual\n" + rows)
        plot = self.path / "fit.svg"
        self.assertEqual(run(STARHIST, "plot", table, "-o", plot).stderr, "")
        with_points = plot.read_text()
        self.assertEqual(run(STARHIST, "plot", table, "-o", plot, "--inset", "4,9").stderr, "")
        self.assertGreater(plot.read_text().count("<use "), with_points.count("<use ") + 29)  # the points again
        table.write_text(head + "q,total\n" + "".join(",".join(row.split(",")[:2]) + "\n" for row in rows.split()))
        self.assertEqual(run(STARHIST, "plot", table, "-o", plot).returncode, 0)
        without = plot.read_text()
        self.assertIn("axes_2", with_points)
        self.assertNotIn("axes_2", without)
        self.assertGreater(with_points.count("<use "), without.count("<use ") + 29)

    def test_labels_are_those_of_the_header(self):
        for values, length, label in (
            ("GPDF(r) (1/A^2)", "A", "$GPDF(r)$ (1/Å$^{2}$)"),
            ("T(r) (fm^2/nm^2)", "nm", "$T(r)$ (fm$^{2}$/nm$^{2}$)"),
            ("G_s(r, t) (nm^-3)", "nm", r"$G_\mathrm{s}(r, t)$ (nm$^{-3}$)"),
            ("G(R)", "unknown", "$G(R)$"),
            ("number density rho(r) (1/um^2)", "um", r"number density $\rho(r)$ (1/µm$^{2}$)"),
            (
                "mean squared displacement <dr^2> (A^2)",
                "A",
                r"mean squared displacement $\langle \Delta r^2 \rangle$ (Å$^{2}$)",
            ),
            ("S_ZZ(q)", "A", r"$S_\mathrm{ZZ}(q)$"),
            ("w(r) (kJ/mol)", "m", "$w(r)$ (kJ/mol)"),
            ("g(r) ($A^3)", "$A", r"$g(r)$ (\$A$^{3}$)"),
        ):
            self.assertEqual(value_label({"quantity": "x", "values": values, "length_unit": length}), label)
        self.assertEqual(value_label({"quantity": "s2"}), "s2")

    def test_legends_have_the_symbols_of_functions(self):
        columns = {"q": np.arange(1.0, 5), "S_NC(q)": np.arange(4.0), "S_ZZ(q)/<z^2>": np.ones(4), "A_1-B": np.ones(4)}
        facts = {"quantity": "sq", "values": "S(q)"}
        [axes] = draw_table(facts, columns, list(columns)[1:], None, 3.5).axes
        self.assertEqual(
            axes.get_legend_handles_labels()[1],
            [r"$S_\mathrm{NC}(q)$", r"$S_\mathrm{ZZ}(q)$/$\langle z^2 \rangle$", "A_1-B"],
        )

    def test_equal_curves_are_drawn_once(self):
        columns = {"q": np.arange(3.0), "S_ZZ(q)": np.array([0.1, 2, 1]), "S_ZZ(q)/<z^2>": np.array([0.1, 2, 1])}
        self.assertEqual(curve_names(columns, []), (["S_ZZ(q)"], ["S_ZZ(q)/<z^2> left out (equal to S_ZZ(q))"]))
        self.assertEqual(curve_names(columns, list(columns)[1:]), (list(columns)[1:], []))

    def test_running_integrals_have_a_panel_for_each_pair(self):
        pairs, methods = ("H-H", "H-O"), ("", " Krueger 2013", " Krueger-Vlugt 2018")
        columns = {"R": np.arange(1.0, 5)}
        columns |= {pair + method: np.arange(4.0) + len(method) for pair in pairs for method in methods}
        facts = {"quantity": "kirkwood-buff", "length_unit": "nm", "values": "G(R) (nm^3)"}
        panels = draw_table(facts, columns, list(columns)[1:], None, 3.5).axes
        self.assertEqual([axes.get_title() for axes in panels], list(pairs))
        self.assertEqual([axes.get_ylabel() for axes in panels], ["$G(R)$ (nm$^{3}$)"] * 2)
        for axes in panels:
            drawn = axes.get_legend_handles_labels()[1]
            self.assertEqual(drawn, ["plain", "Krueger 2013", "Krueger-Vlugt 2018"])
        self.assertEqual([axes.get_legend() is not None for axes in panels], [True, False])
        [axes] = draw_table(facts, columns, ["H-O Krueger 2013"], None, 3.5).axes
        self.assertEqual((axes.get_title(), axes.get_legend_handles_labels()[1]), ("H-O", ["Krueger 2013"]))

    def test_legends_of_many_curves_leave_the_axes_and_the_curves_free(self):
        table = self.path / "many.csv"
        names = [f"Cl-Na a method of some length {k}" for k in range(30)]
        rows = "".join(",".join(str(x if c == 0 else (x * c) % 7) for c in range(31)) + "\n" for x in range(1, 60))
        table.write_text(f"# X, written by starhist\n# quantity: g\nr,{','.join(names)}\n{rows}")
        for options in ((), ("--curves", ",".join(names))):
            done = self.plot(table, *options)
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("UserWarning", done.stderr)
            self.assertEqual(
                "drawing only the first 12 of 30 curves (choose others with --curves)" in done.stderr, not options
            )
        facts, columns = read(table)
        figure = draw_table(facts, columns, names, None, 3.5)
        figure.draw_without_rendering()
        [axes] = figure.axes
        box, inside = axes.get_legend().get_window_extent(), axes.get_window_extent()
        self.assertGreater(inside.height, 1.5 * figure.dpi)  # the curves keep their height
        self.assertGreaterEqual(box.x0, 0)
        self.assertLessEqual(box.x1, figure.bbox.x1)
        self.assertFalse(any(path.intersects_bbox(box, filled) for path, filled in obstacles([axes])))

    def test_curves_without_values_are_left_out(self):
        table = self.path / "t.csv"
        table.write_text("# X, written by starhist\n# quantity: g\nr,O-O,Xe-Xe\n1,2,\n2,3,\n")
        done = self.plot(table)
        self.assertEqual(done.returncode, 0)
        self.assertIn("Xe-Xe left out (without a defined value)", done.stderr)
        self.assertEqual(curve_names(read(table)[1], [])[0], ["O-O"])
        done = self.plot(table, "--curves", "Xe-Xe")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no curve to draw (Xe-Xe without a defined value)", done.stderr)

    def test_second_axes_and_ids_are_no_curves(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "table.csv"
            table.write_text(
                "# quantity: axis2\n# axis2: dz\n# axis2_bin_count: 2\nr,dz,O-O\n0.1,0.1,1\n0.1,0.3,2\n",
                encoding="utf-8",
            )
            with self.assertRaisesRegex(ResultError, "a table of two axes, as of --map, has no curves"):
                read(table)
        columns = {"particle": np.arange(3.0), "id": np.array([5.0, 7.0, 9.0]), "O-H": np.ones(3)}
        self.assertEqual(curve_names(columns, [])[0], ["O-H"])

    def test_intensities_and_structure_factors_have_separate_axes(self):
        columns = {"q": np.arange(1.0, 5), "I(q)/N": np.arange(4.0) + 60, "S(q)": np.arange(4.0) / 4}
        facts = {"quantity": "xray", "q_unit": "1/nm", "length_unit": "nm", "intensity_unit": "electrons^2"}
        above, below = draw_table(facts, columns, ["I(q)/N", "S(q)"], None, 3.5).axes
        self.assertEqual([above.get_ylabel(), below.get_ylabel()], ["$I(q)/N$ (electrons$^{2}$)", "$S(q)$"])
        self.assertEqual([len(axes.get_lines()) for axes in (above, below)], [1, 1])
        self.assertEqual(below.get_xlabel(), "$q$ (nm$^{-1}$)")
        [axes] = draw_table(facts, columns, ["I(q)/N"], None, 3.5).axes
        self.assertEqual(axes.get_ylabel(), "$I(q)/N$ (electrons$^{2}$)")

    def test_scales(self):
        columns = {"q": np.arange(0.0, 4), "I(q)": np.array([-1.0, 100, 10, 1])}
        facts = {"quantity": "xray", "q_unit": "1/nm", "length_unit": "nm", "intensity_unit": "electrons^2"}
        scales = {}
        for scale in (None, "log", "loglog", "guinier"):
            [axes] = draw_table(facts, columns, ["I(q)"], None, 3.5, scale=scale).axes
            scales[scale] = (axes.get_xscale(), axes.get_yscale())
            x = axes.get_lines()[0].get_xdata()
            np.testing.assert_array_equal(x, columns["q"] ** (2 if scale == "guinier" else 1))
            self.assertEqual(
                axes.get_xlabel(), "$q$$^2$ (nm$^{-2}$)" if scale == "guinier" else "$q$ (nm$^{-1}$)", scale
            )
        self.assertEqual(
            scales,
            {
                None: ("linear", "linear"),
                "log": ("linear", "log"),
                "loglog": ("log", "log"),
                "guinier": ("linear", "log"),
            },
        )
        [axes] = draw_table(facts, columns, ["I(q)"], 2.0, 3.5, scale="guinier").axes
        np.testing.assert_array_equal(axes.get_lines()[0].get_xdata(), [0, 1, 4])  # up to q = 2
        table = self.path / "t.csv"
        table.write_text("# X, written by starhist\n# quantity: sq\nq,a,b\n0,0,-2\n1,2,-3\n2,3,-1\n")
        done = self.plot(table, "--curves", "a", "--scale", "log")
        self.assertEqual(done.returncode, 0)
        self.assertIn("values of 'a' that are not positive are left out: 1 (--scale log)", done.stderr)
        self.assertEqual(self.plot(table, "--curves", "a", "--scale", "loglog").stderr, "")
        done = self.plot(table, "--scale", "log")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'b' has only values that are not positive, which --scale log cannot show", done.stderr)
        self.assertIn("--scale is for tables", self.plot("no.h5", "--scale", "log").stderr)

    def test_several_tables_share_the_axes(self):
        xray, neutron = ({"quantity": "pdf", "values": "GPDF(r) (1/A^2)", "length_unit": "A"} for _ in range(2))
        some = {"r": np.arange(1.0, 5), "GPDF": np.arange(4.0)}
        others = {"r": np.arange(1.0, 9), "GPDF": np.ones(8), "GPDF standard error": np.ones(8)}
        tables = [Table(xray, some, ["GPDF"], "X-ray"), Table(neutron, others, ["GPDF"], "neutron")]
        [axes] = draw_tables(tables, None, 3.5)[0].axes
        self.assertEqual(axes.get_legend_handles_labels()[1], ["X-ray", "neutron"])
        self.assertEqual(axes.get_xlim(), (0, 8))
        self.assertEqual([line.get_xdata().size for line in axes.get_lines()], [4, 8])
        self.assertNotEqual(*(line.get_color() for line in axes.get_lines()))
        paths, limit = [], ("--x-max", "1.5")
        for name, column, unit in (("a", "S(q)", "electrons^2"), ("b", "S(q)", "fm^2"), ("c", "S_NN(q)", "fm^2")):
            paths.append(self.path / f"{name}.csv")
            paths[-1].write_text(
                f"# X, written by starhist\n# quantity: x\n# values: I(q)/N ({unit}) and total {column}\n# q_unit: 1/A\n"
                f"# intensity_unit: {unit}\nq,I(q)/N,{column}\n1,5,1\n2,6,2\n"
            )
        done = self.plot(paths[0], paths[1])
        self.assertEqual((done.returncode, "b: has I(q)/N (fm^{2}), a table before it" in done.stderr), (1, True))
        self.assertEqual(self.plot(paths[0], paths[1], "--curves", "S(q)").stderr, "")
        self.assertEqual(self.plot(*paths[:2], "--curves", "S(q)", *limit).returncode, 0)
        self.assertIn("c.csv: there is no curve 'S(q)'", self.plot(*paths[1:], "--curves", "S(q)").stderr)
        self.assertIn("b.csv: --rebin has no meaning for a table", self.plot(*paths[1:], "--rebin", "2").stderr)
        done = self.plot(*paths[1:])
        self.assertIn("c: has I(q)/N (fm^{2}) and total S_mathrm{NN}(q)".replace("mathrm", r"\mathrm"), done.stderr)
        late = self.path / "late.csv"
        late.write_text(paths[1].read_text().replace("\n1,5,1\n2,6,2", "\n6,5,1\n7,6,2"))
        self.assertIn("late.csv: --x-max 1.5 shows no row", self.plot(paths[1], late, *limit).stderr)
        self.assertIn("gone.csv: does not exist", self.plot(paths[0], self.path / "gone.csv").stderr)
        running = self.path / "running.csv"
        running.write_text("# X, written by starhist\n# quantity: kirkwood-buff\nR,A-A\n1,2\n2,3\n")
        self.assertIn("--label has no meaning for running", self.plot(running, "--label", "a").stderr)
        self.assertIn("running: is drawn on its own", self.plot(running, paths[0]).stderr)
        measured = self.path / "measured.csv"
        measured.write_text("# X, written by starhist\n# quantity: sq\nq,total,experiment,residual\n1,2,3,1\n2,3,4,1\n")
        self.assertIn("measured: is drawn on its own", self.plot(paths[0], measured).stderr)
        self.assertIn("2 --label for 1 files", self.plot(paths[0], "--label", "a", "--label", "b").stderr)
        self.assertIn("tables are drawn only with other tables", self.plot(paths[0], ROOT / "README.md").stderr)

    def test_labels_come_from_the_tables_that_draw_the_curves(self):
        intensity = {
            "quantity": "xray",
            "values": "I(q) (electrons^2)",
            "intensity_unit": "electrons^2",
            "q_unit": "1/A",
        }
        factor = {"quantity": "sq", "values": "S(q)", "q_unit": "1/A"}
        x = {"q": np.arange(1.0, 5)}
        tables = [
            Table(intensity, x | {"I(q)": np.ones(4)}, ["I(q)"], "a"),
            Table(factor, x | {"O-O": np.ones(4)}, ["O-O"], "b"),
        ]
        for order in (tables, tables[::-1]):
            above, below = draw_tables(order, None, 3.5)[0].axes
            self.assertEqual([above.get_ylabel(), below.get_ylabel()], ["$I(q)$ (electrons$^{2}$)", "$S(q)$"])
            self.assertEqual([len(axes.get_lines()) for axes in (above, below)], [1, 1])

    def test_tables_over_lags_are_drawn_over_their_times(self):
        table = self.path / "lags.csv"
        head = "# X, written by starhist\n# quantity: msd\n# values: <dr^2> (A^2)\n# length_unit: A\n# time_unit: ps\n"
        for rows, label, last in (("0,0,1\n5,2.5,2\n", "lag (ps)", 2.5), ("0,,1\n5,,2\n", "lag (frames)", 5)):
            table.write_text(head + "lag,time,O\n" + rows)
            [axes] = draw_table(*read(table), ["O"], None, 3.5).axes
            self.assertEqual((axes.get_xlabel(), axes.get_lines()[0].get_xdata()[-1]), (label, last))

    def test_guinier_gives_the_radius_of_a_sphere(self):
        q = np.linspace(0.01, 3, 300)
        for radius in (1.0, 2.5):
            x = q * radius
            intensity = 7 * (3 * (np.sin(x) - x * np.cos(x)) / x**3) ** 2
            fit = guinier_fit(q, intensity)
            rg = np.sqrt(3 / 5) * radius
            self.assertAlmostEqual(fit.rg / rg, 1, delta=0.02)
            self.assertAlmostEqual(fit.intensity / 7, 1, delta=0.01)
            self.assertLessEqual(fit.q_last * fit.rg, 1.3)
            self.assertGreater((fit.q_last + q[1] - q[0]) * fit.rg, 1.25)
        self.assertAlmostEqual(guinier_fit(q, 3 * np.exp(-((q * 1.7) ** 2) / 3)).rg, 1.7, places=10)
        for x, y, reason in (
            (q[::100], 3 * np.exp(-((q[::100] * 1.7) ** 2) / 3), "fewer than 4 points"),
            (q, 1 + q, "does not fall"),
            (q, np.full(q.size, 3.1), "does not fall"),
            (q, -np.ones(q.size), "fewer than 4 points"),
        ):
            with self.assertRaisesRegex(NoGuinierRange, reason):
                guinier_fit(x, y)
        random, found = np.random.default_rng(1), []
        law = 10 * np.exp(-((q * 5) ** 2) / 3)
        for _ in range(50):  # 12 points up to q Rg = 1.3 for 1 % of noise
            error = 0.01 * law
            found.append(guinier_fit(q[:40], (law + error * random.normal(size=q.size))[:40], error[:40]).rg)
        self.assertAlmostEqual(np.mean(found), 5, delta=0.1)
        self.assertLess(np.std(found), 0.15)
        table = self.path / "iq.csv"
        head = "# X, written by starhist\n# quantity: xray\n# q_unit: 1/A\n# length_unit: A\nq,I(q)/N\n"
        table.write_text(head + "".join(f"{x},{3 * np.exp(-((x * 1.7) ** 2) / 3)}\n" for x in q))
        done = self.plot(table, "--scale", "guinier")
        self.assertIn("Rg = 1.7 Å, I(0) = 3 (Guinier's law, 76 points up to q = 0.76 1/Å, q Rg < 1.3)", done.stderr)
        table.write_text(head + "0,1\n1,0.5\n2,0.1\n3,0.01\n4,0.001\n")
        self.assertIn(
            "'I(q)/N': no radius of gyration, because fewer than 4 points",
            self.plot(table, "--scale", "guinier").stderr,
        )

    def test_tables_of_integrals_are_drawn_by_pair_and_method(self):
        table = self.path / "kbt.csv"
        head = "# X, written by starhist\n# quantity: kirkwood-buff\nquantity,of,method,value,standard error,unit\n"
        table.write_text(
            head + "density,A,,0.5,,1/nm^3\nG,A-A,plain,-2.5,0.1,nm^3\nG,A-A,plain,-1500,60,cm^3/mol\n"
            "G,A-A,Krueger 2013,-1.5,,nm^3\nG,A-B,plain,,,nm^3\nexcess number,A around A,plain,-1,0.1,1\n"
        )
        unit, values = read_integrals(table)
        self.assertEqual(
            [unit, *(row[:3] for row in values)], ["nm^3", ("A-A", "plain", -2.5), ("A-A", "Krueger 2013", -1.5)]
        )
        [axes] = draw_integrals(unit, values, 3.5).axes
        self.assertEqual(axes.get_ylabel(), "$G$ (nm$^3$)")
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["plain", "Krueger 2013"])
        self.assertEqual(self.plot(table).returncode, 0)
        self.assertIn("--curves has no meaning for a table of Kirkwood-Buff", self.plot(table, "--curves", "G").stderr)
        table.write_text(head + "G,A-B,plain,,,nm^3\n")
        self.assertIn("has no defined Kirkwood-Buff integral", self.plot(table).stderr)

    def test_options_of_results_are_refused_for_tables(self):
        table = self.path / "t.csv"
        table.write_text("# X, written by starhist\n# quantity: g\nr,O-O\n1,2\n2,3\n")
        for option in (("--pairs", "O-O"), ("--panels",), ("--out-unit", "A")):
            self.assertIn(f"{option[0]} has no meaning for a table", self.plot(table, *option).stderr)
        self.assertIn("--curves is for tables", self.plot("no.h5", "--curves", "a").stderr)

    def test_an_inset_of_logarithmic_axes_is_refused(self):
        table = self.path / "blocks.csv"
        table.write_text("# X, written by starhist\n# quantity: blocks\nframes per block,O-O\n1,2\n2,3\n4,3\n")
        self.assertIn("--inset needs linear axes", self.plot(table, "--inset", "1,2").stderr)

    def test_other_files(self):
        other = self.path / "other.csv"
        other.write_text("# X, written by starhist\na,b\n1,2\n")
        done = self.plot(other)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not a csv table", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_bad_usage_has_the_exit_code_of_the_program(self):
        for command in ("plot", "report", "peaks"):
            done = run(STARHIST, command, "--no-such-option")
            self.assertEqual((done.returncode, "unknown option" in done.stderr), (1, True), done.stderr)


if __name__ == "__main__":
    unittest.main()
