#!/usr/bin/env python3
"""Tests of scripts/user/plot_rdf.py. STARHIST_PROGRAM names starhist."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/user/plot_rdf.py"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
WATER = ROOT / "tests/data/water.h5"

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "matplotlib")):
    print("SKIPPED: h5py, numpy or matplotlib is missing")
    sys.exit(77)

sys.path.insert(0, str(ROOT / "scripts/user"))
import h5py  # noqa: E402
import matplotlib.image  # noqa: E402
import matplotlib.path  # noqa: E402
import matplotlib.pyplot  # noqa: E402
import numpy as np  # noqa: E402

import plot_rdf  # noqa: E402
from curves import rdf_curves  # noqa: E402
from figures import display_width, insets, rdf_figures  # noqa: E402
from figures.legends import obstacles  # noqa: E402


class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-plot-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.result = cls.folder / "water.h5"
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": folder.name}
        subprocess.run(
            [
                PROGRAM,
                "rdf",
                str(WATER),
                "-o",
                str(cls.result),
                "--r-max",
                "1.4",
                "--bins",
                "140",
                "--last",
                "9",
                "--block",
                "2",
                "--quiet",
            ],
            check=True,
            env=environment,
        )

    def plot(self, *arguments):
        return subprocess.run(
            [sys.executable, SCRIPT, *map(str, arguments)], text=True, capture_output=True, check=False
        )

    def test_g_beyond_half_the_box_has_a_note(self):
        far = self.folder / "far.h5"
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(self.folder)}
        words = ["--r-max", "2.4", "--bins", "240", "--last", "3", "--block", "1", "--quiet"]
        subprocess.run([PROGRAM, "rdf", str(WATER), "-o", str(far), *words], check=True, env=environment)
        peaks = [sys.executable, SCRIPT.parent / "peaks.py"]
        note = "right only for isotropic systems"
        for result, check in ((far, self.assertIn), (self.result, self.assertNotIn)):
            check(note, self.plot(result, "-o", self.folder / "far.svg").stderr)
            check(note, subprocess.run([*peaks, result], text=True, capture_output=True, check=False).stderr)

    def exported(self, quantity, result=None):
        run = subprocess.run(
            [PROGRAM, "export", str(result or self.result), "--quantity", quantity, "--errors", "--format", "json"],
            text=True,
            capture_output=True,
            check=True,
        )
        return {curve["label"]: np.array(curve["value"], float) for curve in json.loads(run.stdout)["curves"]}

    def test_curves_and_errors_are_those_of_export(self):
        expected, coordination = self.exported("g"), self.exported("coordination")
        for curve in rdf_curves.read_with_blocks(self.result, "")[0].curves:
            np.testing.assert_allclose(curve.value, expected[curve.pair], rtol=1e-12)
            np.testing.assert_allclose(curve.error, expected[curve.pair + " standard error"], rtol=1e-9, atol=1e-13)
            for label, n in rdf_curves.coordination(curve):
                np.testing.assert_allclose(n, coordination[label], rtol=1e-12)

    def test_coordination_numbers_include_pairs_below_the_bins(self):
        result = self.folder / "from.h5"
        for words in (("--r-min", 0.2, "--r-max", 0.8, "--bins", 60), ("--edges", "0.15,0.3,0.4,0.8")):
            command = [
                PROGRAM,
                "rdf",
                ROOT / "tests/data/water.h5",
                "-o",
                result,
                "-f",
                "-q",
                "--last",
                9,
                "--block",
                5,
                *words,
            ]
            subprocess.run([*map(str, command)], check=True)
            expected = self.exported("coordination", result)
            for curve in rdf_curves.read_with_blocks(result, "H-O")[0].curves:
                self.assertGreater(curve.below, 0)
                for label, n in rdf_curves.coordination(curve):
                    np.testing.assert_allclose(n, expected[label], rtol=1e-12)

    def test_the_table_of_a_result_with_many_pairs_is_read(self):
        lines = ["50", 'Lattice="9 0 0 0 9 0 0 0 9"']
        lines += [f"N{k} {k * 7 % 9} {k * 5 % 8} {k % 7}" for k in range(50)]
        frame, result = self.folder / "names.xyz", self.folder / "names.h5"
        frame.write_text("\n".join(lines) + "\n", encoding="utf-8")
        subprocess.run(
            [PROGRAM, "rdf", str(frame), "-o", str(result), "--r-max", "4", "--bins", "20", "--all-pairs", "--quiet"],
            check=True,
        )
        with h5py.File(result) as file:
            self.assertEqual(list(file["observables/radial_distribution_functions"]), ["pairs"])
        run = subprocess.run(
            [PROGRAM, "export", str(result), "--quantity", "g", "--format", "json"],
            text=True,
            capture_output=True,
            check=True,
        )
        expected = {curve["label"]: np.array(curve["value"], float) for curve in json.loads(run.stdout)["curves"]}
        curves = rdf_curves.read_with_blocks(result, "N0-N8,N1-N9")[0].curves
        self.assertEqual([curve.pair for curve in curves], ["N0-N8", "N1-N9"])
        for curve in curves:
            self.assertGreater(curve.value.max(), 0)
            np.testing.assert_allclose(curve.value, expected[curve.pair], rtol=1e-12)

    def test_files_that_crash_hdf5_are_refused_before_they_are_opened(self):
        for name in ("traj-11-2805", "traj-31-724", "traj-31-8234"):
            run = self.plot(ROOT / f"tests/data/damaged/{name}.h5", "--peaks")
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(name, run.stderr)

    def test_data_in_other_files_need_a_word(self):
        linked = self.folder / "linked.h5"
        shutil.copy(self.result, linked)
        with h5py.File(linked, "r+") as file:
            del file["observables"]
            file["observables"] = h5py.ExternalLink("water.h5", "/observables")
        refused = self.plot(linked, "--peaks")
        self.assertEqual(refused.returncode, 1)
        for word in ("water.h5", "external link", "--allow-external"):
            self.assertIn(word, refused.stderr)
        followed = self.plot(linked, "--peaks", "--allow-external")
        self.assertEqual((followed.returncode, followed.stdout), (0, self.plot(self.result, "--peaks").stdout))

    def test_a_result_of_version_0_1_0_is_plotted(self):
        result = ROOT / "tests/data/result-0.1.0.h5"
        for quantity, numbers in (("counts", lambda curve: curve.counts), ("g", lambda curve: curve.value)):
            lines = (ROOT / f"tests/data/result-0.1.0.{quantity}.csv").read_text("utf-8").splitlines()
            names, *rows = [line.split(",") for line in lines if not line.startswith("#")]
            expected = dict(zip(names, np.array(rows, float).T))
            curves = rdf_curves.read_with_blocks(result, "")[0].curves
            self.assertEqual([curve.pair for curve in curves], ["H-H", "H-O", "O-O"])
            for curve in curves:
                if quantity == "counts":
                    np.testing.assert_array_equal(numbers(curve), expected[curve.pair])
                else:
                    np.testing.assert_allclose(numbers(curve), expected[curve.pair], rtol=1e-12)
        path = self.folder / "old.png"
        self.assertEqual(self.plot(result, "-o", path, "--pairs", "O-O", "--peaks").returncode, 0)
        self.assertGreater(path.stat().st_size, 10000)

    def test_errors_of_unequal_blocks_are_those_of_export(self):
        result = self.folder / "unequal.h5"  # blocks of 4, 4 and 2 frames
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(self.folder)}
        subprocess.run(
            [
                PROGRAM,
                "rdf",
                str(WATER),
                "-o",
                str(result),
                "--r-max",
                "1.4",
                "--bins",
                "140",
                "--last",
                "9",
                "--block",
                "4",
                "--quiet",
            ],
            check=True,
            env=environment,
        )
        expected = self.exported("g", result)
        for curve in rdf_curves.read_with_blocks(result, "")[0].curves:
            np.testing.assert_allclose(curve.error, expected[curve.pair + " standard error"], rtol=1e-9, atol=1e-13)
        # Three blocks are few: a note is printed and drawn below the axes.
        run = self.plot(result, "-o", self.folder / "few.svg")
        self.assertEqual(run.returncode, 0)
        self.assertIn("errors from 3 blocks are uncertain by 50 %", run.stderr)
        figure = rdf_figures.draw(rdf_curves.read_with_blocks(result, "")[0], 3.5)
        rdf_figures.add_note(figure, "a note of many words " * 9)
        lines = figure._supxlabel.get_text().split("\n")
        self.assertGreater(len(lines), 1)
        self.assertEqual(" ".join(lines), ("a note of many words " * 9).strip())

    def test_a_result_without_pairs_is_refused(self):
        trajectory, result = self.folder / "empty.xyz", self.folder / "empty.h5"
        trajectory.write_text('0\nLattice="5 0 0 0 5 0 0 0 5"\n')
        subprocess.run(
            [PROGRAM, "rdf", str(trajectory), "-o", str(result), "--r-max", "2", "--bins", "10", "--quiet"],
            check=True,
            env={**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(self.folder)},
        )
        run = self.plot(result, "--peaks")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no frame has a pair all-all", run.stderr)
        # Five species, none of them beside another: of their pairs the first are named.
        trajectory.write_text("".join(f'1\nLattice="5 0 0 0 5 0 0 0 5"\nA{k} 0 0 0\n' for k in range(5)))
        subprocess.run(
            [PROGRAM, "rdf", str(trajectory), "-o", str(result), "--r-max", "2", "--bins", "10", "--quiet", "--force"],
            check=True,
            env={**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(self.folder)},
        )
        self.assertIn("A2-A4, ... (15 in all)", self.plot(result, "--peaks").stderr)

    def test_every_format_is_written_and_the_same_result_gives_the_same_svg(self):
        outputs = [self.folder / f"plot.{suffix}" for suffix in ("svg", "png", "pdf")]
        again = self.folder / "again.svg"
        run = self.plot(self.result, *(word for path in [*outputs, again] for word in ("-o", path)))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        starts = [path.read_bytes()[:5] for path in outputs]
        self.assertEqual(starts, [b"<?xml", b"\x89PNG\r", b"%PDF-"])
        self.assertEqual(outputs[0].read_bytes(), again.read_bytes())

    def test_jpeg_is_written_and_unknown_formats_are_one_message(self):
        path = self.folder / "plot.jpg"
        run = self.plot(self.result, "-o", path, "--dpi", "100")
        self.assertEqual((run.returncode, run.stderr, path.read_bytes()[:2]), (0, "", b"\xff\xd8"))
        run = self.plot(self.result, "-o", self.folder / "plot.xyz")
        self.assertEqual(run.returncode, 1)
        self.assertIn("the ending .xyz is not one of a figure", run.stderr)
        self.assertNotIn("Traceback", run.stderr)

    def test_panels_have_axes_for_each_pair_and_coordination(self):
        result = rdf_curves.read_with_blocks(self.result, "")[0]
        figure = rdf_figures.draw_panels(result, 7)
        titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
        self.assertEqual(titles, ["H-H", "H-O", "O-O"])
        numbers = [
            line.get_label() for axes in figure.axes for line in axes.get_lines() if "around" in line.get_label()
        ]
        self.assertEqual(len(numbers), 4)  # H-O in both directions
        figure.draw_without_rendering()
        for side in figure.axes:
            if side.get_legend():
                box = side.get_legend().get_window_extent()
                beneath = [axes for axes in figure.axes if axes.bbox.overlaps(side.bbox)]
                self.assertFalse(any(path.intersects_bbox(box, filled) for path, filled in obstacles(beneath)))
        path = self.folder / "panels.png"
        self.assertEqual(self.plot(self.result, "-o", path, "--panels", "--width", "5", "--dpi", "100").returncode, 0)
        self.assertEqual(matplotlib.image.imread(path).shape[1], 500)

    def test_bins_are_merged_as_the_counts_ask_for(self):
        names = "".join(f"Na {x} {y} 0\nW {x}.3 {y}.4 {y}\n" for x in range(0, 12, 3) for y in range(0, 12, 3))
        frame, result = self.folder / "few.xyz", self.folder / "few.h5"
        frame.write_text(f'32\nLattice="12 0 0 0 12 0 0 0 12"\n{names}' * 2)
        subprocess.run(
            [PROGRAM, "rdf", frame, "-o", result, "--r-max", "5", "--bins", "500", "-q", "--block", "1", "-f"],
            check=True,
        )
        words = ["--format", "json", "--pairs", "Na-W"]
        run = subprocess.run(
            [PROGRAM, "export", result, "--rebin", "5", *words], text=True, capture_output=True, check=True
        )
        merged = np.array(json.loads(run.stdout)["curves"][0]["value"], float)
        program = rdf_curves.asking()
        read, _, counts = rdf_curves.read_all(program, result, "Na-W")
        [curve], chosen = display_width.for_display(program, result, read, counts)
        self.assertEqual(chosen, [("Na-W", "0.05")])
        self.assertEqual(curve.title, "Na-W (bins of 0.05)")
        np.testing.assert_allclose(curve.value, merged, rtol=1e-12)
        self.assertEqual(curve.counts.sum(), read.curves[0].counts.sum())
        unmerged, chosen = display_width.for_display(program, result, read, counts, 1)
        self.assertEqual((unmerged, chosen), (read.curves, []))
        message = self.plot(result, "-o", self.folder / "few.svg").stderr
        self.assertIn("drawn in bins of 0.05, because there are few counts per bin (--rebin 1", message)
        self.assertNotIn("drawn in", self.plot(result, "-o", self.folder / "few.svg", "--rebin", "2").stderr)
        self.assertNotIn("drawn in", self.plot(self.result, "-o", self.folder / "few.svg").stderr)

    def test_several_results_are_drawn_with_their_labels(self):
        other, plot = self.folder / "other.h5", self.folder / "two.svg"
        words = ["--r-max", "1.2", "--bins", "60", "--first", "20", "--last", "23", "-q", "-f"]
        subprocess.run([PROGRAM, "rdf", WATER, "-o", other, *words], check=True)
        words = ("--pairs", "O-O", "-o", plot)
        run = self.plot(self.result, other, *words, "--label", "early", "--label", "late", "--size", "89x60mm")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = plot.read_text()
        self.assertRegex(text, r'width="252.28[0-9]*pt" height="170.07')
        for label in ("early", "late"):
            self.assertIn(f"<!-- {label} -->", text)
        short = self.folder / "short_blocks.h5"
        subprocess.run([PROGRAM, "rdf", WATER, "-o", short, "--r-max", "1.2", "--bins", "60", "-q", "-f"], check=True)
        caveat = self.plot(short, other, *words, "--label", "early", "--label", "late").stderr
        self.assertIn("result 'early': standard errors are too small", caveat)
        in_plane = ["--r-max", "1.2", "--bins", "60", "--plane", "xy", "--last", "1", "-q", "-f"]
        subprocess.run([PROGRAM, "rdf", WATER, "-o", short, *in_plane], check=True)
        refused = self.plot(self.result, short, *words).stderr
        self.assertIn("one has distances in the plane xy, the other in space", refused)
        self.assertEqual(self.plot(short, short, *words, "--label", "a", "--label", "b").returncode, 0)
        self.assertEqual(self.plot(self.result, other, *words, "--size", "85mm").returncode, 0)
        self.assertRegex(plot.read_text(), r'width="240.94[0-9]*pt" height="178.29')
        self.assertEqual(self.plot(self.result, other, *words, "--style", "ggplot").returncode, 0)
        self.assertIn("<!-- other -->", plot.read_text())
        for more, expected in (
            (("--label", "early"), "1 --label for 2 files"),
            (("--panels",), "--panels draws one result"),
            (("--size", "89"), "'89' is not single, double, W or WxH with a unit"),
            (("--size", "0mm"), "'0mm' is not single"),
            (("--size", "single", "--width", "3"), "exclude each other"),
            (("--style", "gplot"), "did you mean ggplot?"),
        ):
            self.assertIn(expected, self.plot(self.result, other, *words, *more).stderr)

    def test_an_inset_enlarges_the_curves_and_covers_none(self):
        for pairs, limits in ((3, [0.3, 0.6]), (1, [0.1, 0.4]), (3, [0.2, 1.2, 0, 2])):
            result = rdf_curves.read_with_blocks(self.result, "")[0]
            result.curves = result.curves[-pairs:]
            figure = rdf_figures.draw(result, 3.5)
            axes, *others = figure.axes
            inset = insets.add_inset(figure, limits)
            self.assertEqual(list(inset.get_xlim()), limits[:2])
            figure.draw_without_rendering()
            box = inset.get_tightbbox()
            for side in (axes, *others):
                for line in side.get_lines():
                    points = line.get_transform().transform(line.get_xydata())
                    points = points[np.isfinite(points).all(axis=1)]
                    self.assertFalse(matplotlib.path.Path(points).intersects_bbox(box, False))
                legend = side.get_legend()
                self.assertFalse(legend and legend.get_window_extent().overlaps(box))
            drawn = [line.get_ydata() for line in inset.get_lines() if len(line.get_ydata()) > 2]
            self.assertEqual(len(drawn), pairs)
            for curve, y in zip(result.curves, drawn):
                np.testing.assert_array_equal(y, curve.value)
            if len(limits) == 2:
                shown = [curve.value[(curve.r >= limits[0]) & (curve.r <= limits[1])] for curve in result.curves]
                self.assertLess(inset.get_ylim()[0], min(map(min, shown)))
                self.assertGreater(inset.get_ylim()[1], max(map(max, shown)))
            matplotlib.pyplot.close(figure)

    def test_of_many_pairs_the_most_frequent_are_drawn(self):
        curves = [types.SimpleNamespace(counts=np.array([k % 20, 1]), pair=k) for k in range(60)]
        self.assertEqual(
            [curve.pair for curve in plot_rdf.most_frequent(curves)], [16, 17, 18, 19, 36, 37, 38, 39, 56, 57, 58, 59]
        )
        self.assertEqual(plot_rdf.most_frequent(curves[:12]), curves[:12])

    def test_the_curve_is_seen_in_its_colour(self):
        path = self.folder / "oo.png"
        self.plot(self.result, "-o", path, "--pairs", "O-O")
        image = matplotlib.image.imread(path)[..., :3]
        blue = np.array([0x00, 0x72, 0xB2]) / 255
        self.assertGreater((abs(image - blue).max(axis=2) < 0.02).sum(), 1000)

    def test_bad_input_is_one_message(self):
        output = self.folder / "bad.svg"
        for arguments, words, code in (
            ((self.folder / "no.h5",), "does not exist", 1),
            ((WATER,), "not a result", 1),
            ((SCRIPT,), "is not a starhist result", 1),
            ((self.result, "--pairs", "O-X"), "pair 'O-X': there is no species 'X'", 1),
            ((self.result, "--pairs", "o-h"), "did you mean O-H?", 1),
            ((self.result, "-f"), "unknown option '-f': omit it, an existing output is replaced", 1),
            ((self.result, "--pair", "O-O"), "unknown option '--pair': did you mean --pairs?", 1),
            ((self.result, "--range", "1"), "unknown option '--range' (", 1),
            ((self.result, "--pairs", ""), "option --pairs needs a value (A-B,...), not ''", 1),
            ((self.result, "--x-max", "1"), "--x-max is for tables of starhist export and analyze", 1),
            ((self.result, "--width", "0"), "--width", 1),
            ((self.result, "--rebin", "0"), "--rebin must be 1 or more", 1),
            ((self.result, "--inset", "0.6,0.3"), "'0.6,0.3' is not X0,X1 or X0,X1,Y0,Y1 with rising limits", 1),
            ((self.result, "--inset", "0.3,0.6,1"), "is not X0,X1", 1),
            ((self.result, "--inset", "1,2"), "--inset 1,2 is outside the axes (they show 0 to 1.4)", 1),
            ((self.result, "--inset", "1.001,1.002"), "contains no point of a curve", 1),
            ((self.result, "--inset", "0.3,0.6", "--panels"), "leave out --panels", 1),
            ((self.result, "--inset", "0.3,0.6", "--size", "1x1in"), "no room for --inset", 1),
            ((self.result, "--dpi", "0"), "'0' is not a whole number from 10 to 2400", 1),
            ((self.result, "--dpi", "100000"), "'100000' is not a whole number", 1),
        ):
            with self.subTest(words):
                run = self.plot(*arguments, "-o", output)
                self.assertEqual(run.returncode, code, run.stderr)
                self.assertIn(words, run.stderr)
                self.assertNotIn("Traceback", run.stderr)
                self.assertFalse(output.exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
