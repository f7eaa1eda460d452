#!/usr/bin/env python3
"""Tests of --unit and --out-unit of scripts/user: the same units as the program has. STARHIST_PROGRAM names it."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts/user"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "matplotlib")):
    print("SKIPPED: h5py, numpy or matplotlib is missing")
    sys.exit(77)

sys.path.insert(0, str(SCRIPTS))
import h5py  # noqa: E402
import numpy as np  # noqa: E402

import units  # noqa: E402
from curves import rdf_curves  # noqa: E402


def run(*words):
    return subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False)


def data_of(page):
    """The JSON in the page of a report."""
    text = page.read_text(encoding="utf-8")
    start = text.index('id="data">') + len('id="data">')
    return json.loads(text[start : text.index("</script>", start)])


class Units(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-units-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": folder.name}
        dump = cls.folder / "argon.xyz"
        random = np.random.default_rng(5)
        frame = "".join(f"Ar {x:.4f} {y:.4f} {z:.4f}\n" for x, y, z in random.uniform(0, 12, (60, 3)))
        dump.write_text(f'60\nLattice="12 0 0 0 12 0 0 0 12"\n{frame}' * 3, encoding="utf-8")
        cls.water, cls.unknown, cls.reduced, cls.open = (
            cls.folder / name for name in ("water.h5", "unknown.h5", "reduced.h5", "open.h5")
        )
        for words in (
            (
                ROOT / "tests/data/water.h5",
                "-o",
                cls.water,
                "--r-max",
                "1.4",
                "--bins",
                "140",
                "--last",
                "9",
                "--block",
                "2",
            ),
            (dump, "-o", cls.unknown, "--r-max", "6", "--bins", "60"),
            (dump, "-o", cls.reduced, "--r-max", "6", "--bins", "60", "--unit", "sigma"),
            (dump, "-o", cls.open, "--r-max", "6", "--bins", "60", "--unit", "A", "--box", "none"),
        ):
            subprocess.run([PROGRAM, "rdf", *map(str, words), "--quiet"], check=True, env=environment)

    def exported(self, *words):
        return json.loads(run(PROGRAM, "export", self.water, "--format", "json", *words).stdout)

    def test_the_program_has_the_same_units(self):
        refusal = run(PROGRAM, "export", self.water, "--out-unit", "parsec").stderr
        self.assertIn(f"(choose {', '.join(units.LENGTHS)})", refusal)
        for name, spellings in units.LENGTHS.items():
            for word in (name.upper(), *spellings[:2], *(word for word in spellings if not word.isascii())):
                with self.subTest(word):
                    self.assertEqual(
                        (self.exported("--out-unit", word)["length_unit"], units.spelling(word)), (name, name)
                    )

    def test_results_of_earlier_versions_in_reduced_units_have_the_same_unit(self):
        old = self.folder / "old.h5"
        shutil.copy(self.reduced, old)
        with h5py.File(old, "r+") as file:
            settings = file["parameters/pair_histogram"].attrs
            self.assertEqual(settings["length_unit"], b"sigma")
            settings["length_unit"] = np.bytes_("lj")
        table = json.loads(run(PROGRAM, "export", old, "--format", "json").stdout)
        self.assertEqual(table["length_unit"], "sigma")
        self.assertEqual(run(PROGRAM, "compare", old, self.reduced).stderr, "")
        merge = ("merge", old, self.reduced, "--repeated", "keep", "-o", self.folder / "merged.h5")
        self.assertEqual(run(PROGRAM, *merge).returncode, 0)

    def test_curves_are_those_of_export(self):
        for out_unit in ("A", "pm", "bohr", "nm", ""):
            with self.subTest(out_unit):
                table = self.exported(*(["--out-unit", out_unit] if out_unit else []))
                expected = {curve["label"]: np.array(curve["value"], float) for curve in table["curves"]}
                result = rdf_curves.read_with_blocks(self.water, "", out_unit=out_unit)[0]
                self.assertEqual(result.unit, table["length_unit"])
                for curve in result.curves:
                    np.testing.assert_allclose(curve.r, table["r"], rtol=1e-13)
                    np.testing.assert_allclose(curve.value, expected[curve.pair], rtol=1e-12)

    def test_distributions_of_open_boxes_are_per_length(self):
        result = rdf_curves.read_with_blocks(self.open, "", out_unit="nm")[0]
        curve, before = result.curves[0], rdf_curves.read_with_blocks(self.open, "")[0].curves[0]
        self.assertFalse(result.is_g)
        np.testing.assert_allclose(curve.value, 10 * before.value, rtol=1e-13)
        np.testing.assert_allclose(curve.r, before.r / 10, rtol=1e-13)

    def test_every_script_shows_the_unit(self):
        for result, words, r in (
            (self.water, ("--out-unit", "A"), "A"),
            (self.unknown, ("--unit", "A"), "A"),
            (self.unknown, ("--unit", "A", "--out-unit", "nm"), "nm"),
            (self.reduced, (), "sigma"),
        ):
            with self.subTest(words):
                image, page = self.folder / "g.svg", self.folder / "report.html"
                plot = run(PROGRAM, "plot", result, "-o", image, "--peaks", *words)
                self.assertEqual(plot.returncode, 0, plot.stderr)
                found = json.loads(run(PROGRAM, "peaks", result, "--format", "json", *words).stdout)
                self.assertEqual(found["length_unit"], r)
                made = run(PROGRAM, "report", result, "-o", page, *words)
                self.assertEqual(made.returncode, 0, made.stderr)
                data = data_of(page)
                shown = units.symbol(r)
                self.assertEqual([chart["xUnit"] for chart in data["charts"]], [shown, shown, f"{shown}⁻¹"])
                self.assertRegex(data["facts"], rf"bins up to [\d.]+ {shown}$")

    def test_axes_say_the_unit_with_its_symbol(self):
        from figures import rdf_figures

        for result, unit, label in (
            (self.water, "", "$r$ (nm)"),
            (self.water, "A", "$r$ (Å)"),
            (self.water, "um", "$r$ (µm)"),
            (self.reduced, "", "$r$ (σ)"),
            (self.unknown, "", "$r$"),
        ):
            figure = rdf_figures.draw(rdf_curves.read_with_blocks(result, "", out_unit=unit)[0], 3.5)
            self.assertEqual(figure.axes[0].get_xlabel(), label)

    def test_lengths_of_peaks_are_converted(self):
        def extrema(*words):
            return json.loads(run(PROGRAM, "peaks", self.water, "--pairs", "O-O", "--format", "json", *words).stdout)[
                "extrema"
            ]

        nm, angstroms = extrema(), extrema("--out-unit", "A")
        self.assertGreater(len(nm), 0)
        self.assertEqual(len(nm), len(angstroms))
        for row, other in zip(nm, angstroms):
            for name, factor in (("r", 10), ("r_error", 10), ("smoothing", 10), ("value", 1), ("coordination", 1)):
                self.assertAlmostEqual(other[name], factor * row[name], delta=1e-9 * factor * row[name], msg=name)
        text = run(PROGRAM, "peaks", self.water, "--pairs", "O-O", "--out-unit", "A").stdout
        self.assertRegex(text, r"maximum  r = 2\.\d+ ± [\d.]+ A ")
        self.assertRegex(
            run(PROGRAM, "plot", self.water, "--pairs", "O-O", "--peaks", "--out-unit", "A").stdout,
            r"^O-O: first peak at r = 2\.\d+ ± [\d.]+ A, ",
        )

    def test_the_page_has_the_curves_of_export(self):
        page = self.folder / "page.html"
        run(PROGRAM, "report", self.water, "-o", page, "--out-unit", "A")
        data = data_of(page)
        table = self.exported("--out-unit", "A")
        distances = data["charts"][0]
        self.assertEqual(distances["xEnd"], 14)
        np.testing.assert_allclose(distances["x"], table["r"], rtol=1e-5)  # six digits
        self.assertIn("140 bins up to 14 Å", data["facts"])
        self.assertIn("shell ends at (Å)", data["peaks"]["columns"])
        self.assertAlmostEqual(float(data["peaks"]["rows"][2][1].split()[0]), 2.75, delta=0.1)  # O-O

    def test_refusals(self):
        for command, more in (("plot", ("--peaks",)), ("peaks", ()), ("report", ("-o", self.folder / "no.html"))):
            for result, words, sentence in (
                (self.unknown, ("--out-unit", "A"), "unknown.h5: has no length unit"),
                (self.reduced, ("--out-unit", "A"), "reduced.h5: has lengths in sigma"),
                (self.water, ("--unit", "A"), "water.h5: has lengths in nm, not in A"),
                (self.water, ("--out-unit", "parsec"), "--out-unit 'parsec' is not a known unit of length"),
                (self.unknown, ("--unit", "nmm"), "sigma, lj, reduced): did you mean nm?"),
                (self.unknown, ("--unit", ""), "option --unit needs a value (UNIT), not ''"),
            ):
                with self.subTest(command=command, words=words):
                    refused = run(PROGRAM, command, result, *more, *words)
                    self.assertEqual(refused.returncode, 1)
                    self.assertIn(sentence, refused.stderr)
                    self.assertEqual(refused.stderr.count("\n"), 1)
        refused = run(PROGRAM, "plot", "")
        self.assertEqual((refused.returncode, "an argument is ''" in refused.stderr), (1, True))
        self.assertFalse((self.folder / "no.html").exists())


if __name__ == "__main__":
    unittest.main()
