#!/usr/bin/env python3
"""Tests of scripts/user/report.py: the page is opened in headless Chromium, clicked and looked at.

STARHIST_PROGRAM names starhist; CTest runs each class on its own.
"""

import html.parser
import importlib.util
import json
import os
import pathlib
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/user/report.py"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))
WATER = ROOT / "tests/data/water.h5"

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "matplotlib")):
    print("SKIPPED: h5py, numpy or matplotlib is missing")
    sys.exit(77)

import h5py  # noqa: E402
import numpy  # noqa: E402

import chromium  # noqa: E402


class Folder(unittest.TestCase):
    """A folder with a result of the water sample, made once."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-report-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.result, cls.page = cls.folder / "water.h5", cls.folder / "water.html"
        cls.count(
            WATER,
            cls.result,
            "--r-max",
            "1.4",
            "--bins",
            "140",
            "--last",
            "9",
            "--block",
            "2",
            "--json",
            cls.folder / "run.json",
        )

    @classmethod
    def count(cls, trajectory, result, *options):
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(cls.folder)}
        subprocess.run(
            [PROGRAM, "rdf", str(trajectory), "-o", str(result), *map(str, options), "--quiet"],
            check=True,
            env=environment,
        )

    @classmethod
    def report(cls, *arguments, program=PROGRAM):
        return subprocess.run(
            [sys.executable, SCRIPT, "--program", program, *map(str, arguments)],
            text=True,
            capture_output=True,
            check=False,
        )

    @classmethod
    def exported(cls, *options):
        run = subprocess.run(
            [PROGRAM, "export", str(cls.result), "--format", "json", *options],
            text=True,
            capture_output=True,
            check=True,
        )
        return json.loads(run.stdout)


def data_of(page):
    """The JSON in the page."""
    text = page.read_text(encoding="utf-8")
    start = text.index('id="data">') + len('id="data">')
    return json.loads(text[start : text.index("</script>", start)])


class Content(Folder):
    """What is in the page, without a browser."""

    def made(self, *more):
        run = self.report(self.result, "-o", self.page, *more)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return data_of(self.page)

    def test_curves_are_those_of_export_with_errors(self):
        data = self.made()
        for chart, quantity in zip(data["charts"], ("g", "coordination")):
            expected = self.exported("--quantity", quantity, "--errors")
            self.assertEqual(chart["x"], [float(f"{r:.6g}") for r in expected["r"]])
            by_label = {curve["label"]: curve["value"] for curve in expected["curves"]}
            self.assertEqual(2 * len(chart["curves"]), len(by_label))
            for curve in chart["curves"]:
                for ours, name in ((curve["y"], curve["label"]), (curve["error"], curve["label"] + " standard error")):
                    numpy.testing.assert_allclose(ours, by_label[name], rtol=1e-5)

    def test_peaks_workers_and_provenance(self):
        data = self.made()
        self.assertEqual(data["peaks"]["rows"][2][0], "O-O")
        self.assertAlmostEqual(float(data["peaks"]["rows"][2][1].split()[0]), 0.275, delta=0.0051)
        summary = json.loads((self.folder / "run.json").read_text())
        self.assertEqual(data["run"]["workers"], summary["workers"])
        provenance = dict(map(tuple, data["provenance"]))
        self.assertEqual(provenance["option --bins"], "140")
        self.assertRegex(provenance["input 1 bytes"], "^1\u202f669\u202f297$")

    def rows_of_peaks(self, result):
        """The table of first peaks, from what `starhist peaks` prints."""
        text = subprocess.run([PROGRAM, "peaks", result], text=True, capture_output=True, check=True).stdout
        rows = []
        for pair, block in re.findall(r"^(\S+): .(?:\(r\)).*\n((?:  .*\n)+)", text, re.MULTILINE):
            found = re.findall(
                r"^  (maximum|minimum)  r = (.*?)(?: nm)?   . = (.*)\n((?:    .*\n)*)", block, re.MULTILINE
            )
            end, within = (
                (found[1][1], "\n".join(map(str.strip, found[1][3].splitlines())))
                if len(found) > 1
                else ("no minimum", "")
            )
            rows.append([pair, found[0][1], found[0][2], end, within])
        return rows

    def test_peaks_and_minima_are_those_of_starhist_peaks(self):
        shapes = {
            "ends": ("--r-max", "1.9", "--bins", "500", "--block", "4"),  # g(r) ends before r_max
            "one": ("--r-max", "1.2", "--bins", "60"),  # one block: no errors
            "open": ("--r-max", "1.4", "--bins", "280", "--box", "none"),
        }  # p(r)
        without = 0
        for name, options in shapes.items():
            result, page = self.folder / f"peaks-{name}.h5", self.folder / f"peaks-{name}.html"
            self.count(ROOT / "tests/data/nacl-triclinic-npt.h5", result, *options)
            run = self.report(result, "-o", page)
            self.assertEqual((run.returncode, run.stderr), (0, ""), name)
            rows = data_of(page)["peaks"]["rows"]
            self.assertEqual(rows, self.rows_of_peaks(result), name)
            without += sum(row[3:] == ["no minimum", ""] for row in rows)
        self.assertGreater(without, 0)

    def test_folders_and_the_account_are_not_shown_unless_asked_for(self):
        account = pwd.getpwuid(os.geteuid()).pw_name
        provenance = dict(map(tuple, self.made()["provenance"]))
        self.assertEqual(provenance["input 1"], WATER.name)
        self.assertEqual(provenance["option --output"], self.result.name)
        self.assertEqual(provenance["option --json"], "run.json")
        self.assertNotIn("account", provenance)
        self.assertNotIn(account, provenance.values())
        for folder in (WATER.parent, self.folder):
            self.assertNotIn(str(folder), self.page.read_text(encoding="utf-8"))
        provenance = dict(map(tuple, self.made("--paths")["provenance"]))
        self.assertEqual(provenance["input 1"], str(WATER))
        self.assertEqual(provenance["option --output"], str(self.result))
        self.assertNotIn("account", provenance)

    def test_no_folders_of_results_that_were_merged_are_shown(self):
        parts, merged, page = (
            [self.folder / f"{k}.h5" for k in range(2)],
            self.folder / "all.h5",
            self.folder / "all.html",
        )
        for part, frames in zip(parts, (("--last", "1"), ("--first", "2", "--last", "3"))):
            self.count(WATER, part, "--r-max", "1", "--bins", "10", "--guess-elements", *frames)
        subprocess.run([PROGRAM, "merge", *map(str, parts), "-o", str(merged)], check=True, capture_output=True)
        self.assertEqual(self.report(merged, "-o", page).returncode, 0)
        provenance = dict(map(tuple, data_of(page)["provenance"]))
        self.assertEqual(provenance["result 2"], "1.h5")
        self.assertEqual(provenance["result 1 input 1"], WATER.name)
        self.assertIn("elements", provenance["result 1 remark 1"])
        for folder in (WATER.parent, self.folder):
            self.assertNotIn(str(folder), page.read_text(encoding="utf-8"))

    def test_no_part_of_a_folder_with_a_blank_is_shown(self):
        folder = self.folder / "some one's files" / "of june"
        folder.mkdir(parents=True)
        shutil.copy(WATER, folder / "a water.h5")
        self.count(folder / "a water.h5", folder / "r 1.h5", "--r-max", "1", "--bins", "10", "--guess-elements")
        run = self.report(folder / "r 1.h5", "-o", folder / "page.html")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        text = (folder / "page.html").read_text(encoding="utf-8")
        provenance = dict(map(tuple, data_of(folder / "page.html")["provenance"]))
        self.assertEqual(provenance["input 1"], "a water.h5")
        self.assertEqual(provenance["option --output"], "r 1.h5")
        self.assertTrue(provenance["remark 1"].startswith("a water.h5: "), provenance["remark 1"])
        for part in ("some one", "of june"):
            self.assertNotIn(part, text)

    def test_of_many_pairs_the_most_frequent_are_shown_at_first(self):
        trajectory, result, page = (self.folder / f"many.{end}" for end in ("xyz", "h5", "html"))
        atoms = "".join(f"A{k % 6} {0.1 * k} {0.3 * k % 4} {0.7 * k % 4}\n" for k in range(31))
        trajectory.write_text(f'31\nLattice="4 0 0 0 4 0 0 0 4"\n{atoms}')
        self.count(trajectory, result, "--r-max", "2", "--bins", "8")
        self.assertEqual(self.report(result, "-o", page).returncode, 0)
        pairs = {pair["name"]: pair["shown"] for pair in data_of(page)["pairs"]}
        self.assertEqual(sum(pairs.values()) - pairs.get("total", 0), 12)
        self.assertTrue(pairs["A0-A1"])  # 6 x 5, and 5 x 5 of others
        self.assertFalse(pairs["A1-A1"])  # 10

    def test_few_blocks_are_said_below_each_chart_with_errors(self):
        self.assertEqual([chart["note"] for chart in self.made()["charts"][:2]], ["", ""])
        few, page = self.folder / "few.h5", self.folder / "few.html"
        self.count(WATER, few, "--r-max", "1.4", "--bins", "140", "--last", "9", "--block", "4")
        self.assertEqual(self.report(few, "-o", page).returncode, 0)
        for chart in data_of(page)["charts"]:
            self.assertIn("errors from 3 blocks are uncertain by 50 %", chart["note"])

    def test_data_in_other_files_need_a_word(self):
        linked, page = self.folder / "linked.h5", self.folder / "linked.html"
        shutil.copy(self.result, linked)
        with h5py.File(linked, "r+") as file:
            del file["observables"]
            file["observables"] = h5py.ExternalLink("water.h5", "/observables")
        refused = self.report(linked, "-o", page)
        self.assertEqual(refused.returncode, 1)
        for word in ("linked.h5", "external link", "--allow-external"):
            self.assertIn(word, refused.stderr)
        self.assertFalse(page.exists())
        followed = self.report(linked, "-o", page, "--allow-external")
        self.assertEqual((followed.returncode, followed.stderr), (0, ""))
        self.assertEqual(data_of(page)["charts"], self.made()["charts"])

    def test_nothing_is_loaded_from_elsewhere(self):
        self.made()
        links = []
        parser = html.parser.HTMLParser()
        parser.handle_starttag = lambda tag, attributes: links.extend(
            value for name, value in attributes if name in ("src", "href")
        )
        parser.feed(self.page.read_text(encoding="utf-8"))
        self.assertEqual(links, [])

    def test_names_are_text_and_never_markup(self):
        trajectory, result = self.folder / "odd.xyz", self.folder / "odd.h5"
        trajectory.write_text('2\nLattice="4 0 0 0 4 0 0 0 4"\n</script><b> 0 0 0\nA 1 0 0\n')
        self.count(trajectory, result, "--r-max", "2", "--bins", "8")
        page = self.folder / "odd.html"
        self.assertEqual(self.report(result, "-o", page, "--title", "<i>&").returncode, 0)
        self.assertEqual(data_of(page)["pairs"][1]["name"], "</script><b>-A")
        self.assertIn("<h1>&lt;i&gt;&amp;</h1>", page.read_text(encoding="utf-8"))

    def test_open_boxes_have_p_of_r_and_a_note(self):
        result, page = self.folder / "open.h5", self.folder / "open.html"
        self.count(WATER, result, "--r-max", "2", "--bins", "50", "--box", "none", "--last", "1")
        self.assertEqual(self.report(result, "-o", page).returncode, 0)
        data = data_of(page)
        self.assertEqual([chart["id"] for chart in data["charts"]], ["p", "n"])
        self.assertIn("g(r) is not available", data["notes"][0])
        self.assertTrue(0 < sum(data["charts"][0]["curves"][2]["y"]) * 0.04 <= 1.0)

    def test_structure_factor_where_the_program_has_it(self):
        program = self.folder / "with_sq"
        program.write_text(
            f'#!/bin/sh\ncase "$1" in\n--help) echo analyze;;\n'
            """analyze) echo '{"length_unit": "nm", "window": "lorch", "q": [1, 2, 3], """
            """"curves": [{"label": "O-O", "value": [0.5, 1.5, 1]}, {"label": "total", "value": [1, null, 1]}]}';;\n"""
            f'*) exec {PROGRAM} "$@";;\nesac\n'
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.assertEqual(self.report(self.result, "-o", self.page, program=str(program)).returncode, 0)
        chart = data_of(self.page)["charts"][2]
        self.assertEqual((chart["id"], chart["x"], chart["xUnit"]), ("S", [1, 2, 3], "nm⁻¹"))
        self.assertEqual([curve["pair"] for curve in chart["curves"]], ["O-O", "total"])
        self.assertEqual(chart["curves"][1]["y"], [1, None, 1])
        self.assertEqual(chart["note"], "window: lorch")

    def page_of(self, command, *options):
        """The data of the page of a result of another command, and a function that exports its quantities."""
        result, page = self.folder / f"{command}.h5", self.folder / f"{command}.html"
        environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_HOME": str(self.folder)}
        words = [PROGRAM, command, WATER, "-o", result, "--last", "9", "--block", "2", "--force", "--quiet"]
        subprocess.run([*map(str, words), *options], check=True, env=environment)
        run = self.report(result, "-o", page)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        refused = self.report(result, "-o", page, "--run", self.folder / "run.json")
        self.assertIn("leave --run out", refused.stderr)

        def export(*words):
            command = [PROGRAM, "export", result, "--format", "json", "--errors", "--quantity", *words]
            return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

        return data_of(page), export

    def test_displacements_and_distances_between_frames(self):
        data, export = self.page_of("vanhove", "--lags", "0,1,4", "--r-max", "0.8", "--bins", "40")
        self.assertIn("10 frames in 5 blocks · 3 lags", data["facts"])
        distinct, own, squares = data["charts"]
        table = export("g", "--map")
        values = {curve["label"]: curve["value"] for curve in table["curves"]}
        by_name = {curve["pair"]: curve for curve in distinct["curves"]}
        self.assertEqual(len(by_name), 9)
        numpy.testing.assert_allclose(by_name["H-O, 0.1 ps"]["y"], values["H-O"][40:80], rtol=1e-5)
        numpy.testing.assert_allclose(by_name["O-O, 0.1 ps"]["error"], values["O-O standard error"][40:80], rtol=1e-5)
        self.assertEqual(by_name["O-O, 0.4 ps"]["error"], [None] * 40)
        for chart in data["charts"]:
            self.assertIn("no standard errors at 1 lag, from lag 4 on", chart["note"])
        self.assertEqual({curve["pair"] for curve in own["curves"]}, {f"{s}, {t} ps" for s in "HO" for t in (0.1, 0.4)})
        r = numpy.array(table["r"][:40])
        expected = numpy.array(export("self", "--map")["curves"][0]["value"][40:80]) * 4 * numpy.pi * r**2
        numpy.testing.assert_allclose(own["curves"][0]["y"], expected, rtol=1e-5)
        self.assertEqual(squares["x"], [0, 0.1, 0.4])
        numpy.testing.assert_allclose(squares["curves"][1]["y"], export("msd")["curves"][2]["value"], rtol=1e-5)
        self.assertEqual([row[0] for row in data["sizes"]["rows"]], ["0 ps", "0.1 ps", "0.4 ps"])
        self.assertIn("nearest images", data["sizes"]["note"])
        self.assertIn(["option --lags", "0,1,4"], data["provenance"])
        names = {button["name"] for button in data["pairs"]}
        self.assertEqual(names, {curve["pair"] for chart in data["charts"] for curve in chart["curves"]})

    def test_numbers_of_neighbours(self):
        data, export = self.page_of("coordination", "--cutoff", "O-O=0.35,O-H=0.25", "--per-frame")
        distribution, series = data["charts"]
        table = export("distribution")
        for curve, k in zip(distribution["curves"], (0, 2)):
            numpy.testing.assert_allclose(curve["y"], table["curves"][k]["value"], rtol=1e-5)
            numpy.testing.assert_allclose(curve["error"], table["curves"][k + 1]["value"], rtol=1e-5)
        self.assertEqual([curve["pair"] for curve in series["curves"]], ["O-O below 0.35 nm", "O-H below 0.25 nm"])
        self.assertEqual((len(series["x"]), len(series["curves"][0]["y"])), (10, 10))
        mean = export("mean")["curves"][0]["value"][0]
        self.assertAlmostEqual(float(data["sizes"]["rows"][0][1].split()[0]), mean, delta=0.001)

    def test_bad_input_is_one_message(self):
        other = self.folder / "other.json"
        summary = json.loads((self.folder / "run.json").read_text())
        other.write_text(json.dumps({**summary, "pairs": 1}))
        for arguments, words in (
            ((self.folder / "no.h5",), "does not exist"),
            ((self.result, "--run", pathlib.Path(__file__)), "line 1 is not JSON"),
            ((WATER,), "not a result"),
            ((SCRIPT,), "report.py"),
            ((self.result, "--run", other), "another run"),
            ((self.result, "--run", self.result), "rdf --json"),
            ((self.result, "--run", self.folder / "no.json"), "does not exist"),
            ((self.result, "--run", pathlib.Path(__file__)), "line 1 is not JSON"),
            ((self.result, "--program", "/no/starhist"), "cannot be run"),
        ):
            with self.subTest(words):
                output = self.folder / "bad.html"
                run = self.report(*arguments, "-o", output)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertIn(words, run.stderr)
                self.assertNotIn("Traceback", run.stderr)
                self.assertFalse(output.exists())


class ManyPairs(Folder):
    """A page holds as many values as a browser can take."""

    def test_the_pairs_with_the_most_distances_are_kept(self):
        trajectory, result, page = (self.folder / f"bins.{end}" for end in ("xyz", "h5", "html"))
        names = [f"Species{k}" for k in range(7) for _ in range(k + 1)]  # 28 pairs of species
        atoms = "".join(f"{name} {k / 10} 0 0\n" for k, name in enumerate(names))
        trajectory.write_text(f'28\nLattice="4 0 0 0 4 0 0 0 4"\n{atoms}')
        self.count(trajectory, result, "--r-max", "2", "--bins", "25000")
        run = self.report(result, "-o", page)
        self.assertEqual(run.returncode, 0, run.stderr)
        text = page.read_text(encoding="utf-8")
        self.assertIn("the 20 pairs of species with the most distances, of 28", text)
        self.assertIn('"Species6-Species6"', text)
        self.assertNotIn('"Species0-Species0"', text)
        self.assertLess(len(text), 2e7)


class Browser(Folder):
    """What a reader sees and does."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run = cls.report(cls.result, "-o", cls.page)
        assert run.returncode == 0, run.stderr
        cls.browser = chromium.Page(cls.page)
        cls.addClassCleanup(cls.browser.__exit__)

    def setUp(self):
        self.browser.value("setTheme(false)")
        self.browser.click("#all")
        self.browser.click("#reset")

    def coloured(self, colour, selector="#g svg.plot"):
        """Pixels of that colour, a little lighter or darker where a line is smoothed."""
        code = self.browser.value(f"colourOf('{colour}')")
        wanted = numpy.array([int(code[k : k + 2], 16) for k in (1, 3, 5)])
        image = chromium.pixels(self.browser.picture(selector))
        return int((abs(image - wanted).max(axis=2) < 12).sum())

    def drawn(self):
        return self.browser.value("[...document.querySelectorAll('#g path.curve')].map((path) => path.dataset.pair)")

    def test_a_click_on_a_pair_takes_its_curve_away_and_brings_it_back(self):
        before = {colour: self.coloured(colour) for colour in ("curve0", "curve1", "curve2")}
        self.assertEqual(self.drawn(), ["H-H", "H-O", "O-O"])
        for count in before.values():
            self.assertGreater(count, 300)
        self.browser.click('#pairs [data-pair="O-O"]')
        self.assertEqual(self.drawn(), ["H-H", "H-O"])
        self.assertEqual(self.coloured("curve2"), 0)
        self.assertGreater(self.coloured("curve0"), 300)
        self.assertEqual(self.coloured("curve2", "#n svg.plot"), 0)
        pressed = "document.querySelector('#pairs [data-pair=\"O-O\"]').getAttribute('aria-pressed')"
        self.assertEqual(self.browser.value(pressed), "false")
        self.browser.click('#pairs [data-pair="O-O"]')
        self.assertEqual(self.browser.value(pressed), "true")
        self.assertEqual(self.coloured("curve2"), before["curve2"])

    def test_shift_click_shows_a_pair_alone_and_none_shows_nothing(self):
        self.browser.click('#pairs [data-pair="H-O"]', modifiers=8)
        self.assertEqual(self.drawn(), ["H-O"])
        self.assertEqual(self.coloured("curve0"), 0)
        self.browser.click("#none")
        self.assertEqual(self.drawn(), [])
        self.assertEqual(self.coloured("curve1"), 0)

    def test_shades_of_errors_can_be_switched_off(self):
        bands = "document.querySelectorAll('#g path.band').length"
        self.assertEqual(self.browser.value(bands), 3)
        self.browser.click("#bands")
        self.assertEqual(self.browser.value(bands), 0)
        self.browser.click("#bands")

    def test_bonded_peaks_are_cut_until_one_wants_them(self):
        self.assertLess(self.browser.value("page.charts[0].high"), 5)
        self.browser.click("#cut")
        self.assertGreater(self.browser.value("page.charts[0].high"), 10)
        self.browser.click("#cut")

    def test_the_mouse_shows_the_values_of_the_bin_below_it(self):
        x, y = self.browser.middle("#g svg.plot")
        self.browser.mouse("Moved", x, y)
        self.browser.settle()
        k = self.browser.value("page.charts[0].cursor")
        table = self.exported("--quantity", "g", "--errors")
        values = {curve["label"]: curve["value"][k] for curve in table["curves"]}
        shown = self.browser.value("[...document.querySelectorAll('#g .tooltip tr')].map((row) => row.innerText)")
        self.assertIn(f"{table['r'][k]:.4g} nm", shown[0])
        self.assertIn(f"{values['O-O']:.4g} ± {values['O-O standard error']:.4g}", shown[3])
        box = self.browser.value(
            "(() => { const b = document.querySelector('#g .tooltip').getBoundingClientRect();"
            "const p = document.querySelector('#g svg.plot').getBoundingClientRect();"
            "return [b.left > p.left, b.right < p.right, b.top > p.top, b.width > 50]; })()"
        )
        self.assertEqual(box, [True] * 4)

    def test_dragging_zooms_both_plots_of_r_and_reset_shows_all(self):
        everything = self.browser.value("page.charts.map((chart) => chart.range)")
        _, y = self.browser.middle("#g svg.plot")
        left = self.browser.value("document.querySelector('#g svg.plot').getBoundingClientRect().left")
        expected = self.browser.value("[200, 500].map((px) => page.charts[0].xAt(px))")
        self.browser.drag(left + 200, left + 500, y)
        ranges = self.browser.value("page.charts.map((chart) => chart.range)")
        for found in ranges[:2]:
            numpy.testing.assert_allclose(found, expected, atol=0.01)
        self.assertEqual(ranges[2:], everything[2:])  # S(q)
        self.browser.click("#reset")
        self.assertEqual(self.browser.value("page.charts.map((chart) => chart.range)"), everything)

    def test_keys_move_the_cursor_and_zoom_and_the_values_are_said(self):
        self.browser.value("document.querySelector('#g svg.plot').focus()")
        self.browser.key("Home")
        self.browser.key("ArrowRight")
        self.assertIn("r = 0.015 nm: H-H 0", self.browser.value("document.getElementById('reading').textContent"))
        self.browser.key("+")
        self.assertLess(self.browser.value("page.charts[0].range[1]"), 1.4)
        self.browser.key("0")
        self.assertEqual(self.browser.value("page.charts[0].range[1]"), 1.4)
        self.browser.value("document.activeElement.blur()")

    def test_dark(self):
        light = chromium.pixels(self.browser.picture("main"))
        self.browser.click("#theme")
        dark = chromium.pixels(self.browser.picture("main"))
        self.assertGreater(numpy.median(light), 200)
        self.assertLess(numpy.median(dark), 60)
        self.assertGreater(self.coloured("curve2"), 300)

    def test_a_plot_is_saved_as_an_svg_that_is_whole(self):
        text = self.browser.value("""(async () => { let blob; const make = URL.createObjectURL;
            URL.createObjectURL = (given) => { blob = given; return make(given); };
            HTMLAnchorElement.prototype.click = () => {};
            await page.charts[0].save("svg"); URL.createObjectURL = make; return blob.text(); })()""")
        self.assertIn('xmlns="http://www.w3.org/2000/svg"', text)
        self.assertEqual(text.count('class="curve"'), 3)
        self.assertNotIn("var(", text)

    def test_no_errors_and_no_network(self):
        self.assertEqual(self.browser.errors, [])
        for url in self.browser.requests:
            self.assertRegex(url, "^(file|blob|data):")


class Narrow(Folder):
    """A page of many pairs, 400 pixels wide as on a phone."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        trajectory, result, page = (cls.folder / f"many.{end}" for end in ("xyz", "h5", "html"))
        # Pairs of neighbours at 0.3 are peaks.
        places = [(0.1 + k % 3 + 0.3 * (k % 2), 0.5 + k // 3 % 3, 0.5 + k // 9) for k in range(28)]
        atoms = "".join(f"Species{k % 7} {x} {y} {z}\n" for k, (x, y, z) in enumerate(places))
        trajectory.write_text(f'28\nLattice="4 0 0 0 4 0 0 0 4"\n{atoms}' * 20)
        cls.count(trajectory, result, "--r-max", "2", "--bins", "20", "--block", "4")
        run = cls.report(result, "-o", page)
        assert run.returncode == 0, run.stderr
        cls.browser = chromium.Page(page, width=400)
        cls.addClassCleanup(cls.browser.__exit__)

    def test_nothing_is_wider_than_the_page(self):
        self.assertEqual(self.browser.value("document.documentElement.scrollWidth"), 400)
        wider = """[...document.querySelectorAll("main *")].filter((element) => !element.closest(".scroll, svg") &&
            element.getBoundingClientRect().right > 400).map((element) => element.tagName + element.className)"""
        self.assertEqual(self.browser.value(wider), [])

    def test_rows_of_a_wide_table_are_blocks_of_labelled_values(self):
        table = "document.querySelector('#peaks .scroll')"
        self.assertGreater(self.browser.value("document.querySelectorAll('#peaks tbody tr').length"), 3)
        self.assertEqual(self.browser.value(f"{table}.scrollWidth"), self.browser.value(f"{table}.clientWidth"))
        cells = """[...document.querySelectorAll("#peaks tbody tr:first-child td")].map((cell) => {
            const box = cell.getBoundingClientRect();
            return [cell.dataset.column, getComputedStyle(cell, "::before").content, box.left >= 0 && box.right <= 400,
              cell.innerText]; })"""
        first, *others = self.browser.value(cells)
        self.assertEqual(first[0::3], ["pair", "Species0-Species1"])
        self.assertGreater(len(others), 2)
        for column, label, inside, text in others:
            self.assertEqual((label, inside), (f'"{column}"', True))
            self.assertTrue(text)

    def test_a_wide_table_scrolls_to_its_last_column(self):
        size = {"height": 1600, "deviceScaleFactor": 1, "mobile": False}
        self.browser.call("Emulation.setDeviceMetricsOverride", width=610, **size)
        self.addCleanup(self.browser.call, "Emulation.setDeviceMetricsOverride", width=400, **size)
        lengthen = "(() => { const text = document.querySelector('#peaks tbody td:nth-child(2) span'); STEP })()"
        self.browser.value(
            lengthen.replace("STEP", "text.dataset.was = text.textContent; text.textContent += ' and more'.repeat(40)")
        )
        self.addCleanup(self.browser.value, lengthen.replace("STEP", "text.textContent = text.dataset.was"))
        self.browser.settle()
        table = "document.querySelector('#peaks .scroll')"
        self.assertGreater(self.browser.value(f"{table}.scrollWidth"), self.browser.value(f"{table}.clientWidth"))
        self.assertEqual(self.browser.value(f"{table}.tabIndex"), 0)
        self.browser.value(f"{table}.scrollLeft = 10000")
        self.browser.settle()
        inside = (
            f"(() => {{ const box = {table}.getBoundingClientRect();"
            f"const cell = {table}.querySelector('tbody tr td:NUMBER').getBoundingClientRect();"
            "return [cell.left >= box.left - 1, cell.right <= box.right + 1, cell.height < 60]; })()"
        )
        self.assertEqual(self.browser.value(inside.replace("NUMBER", "last-child"))[1:], [True, True])
        # The name of the pair stays.
        self.assertEqual(self.browser.value(inside.replace("NUMBER", "first-child"))[0], True)

    def test_pairs_are_found_by_a_part_of_their_name(self):
        shown = """[...document.querySelectorAll("#pairs button")].filter((button) => button.offsetHeight > 0)
            .map((button) => button.dataset.pair)"""
        self.assertEqual(len(self.browser.value(shown)), 29)  # and the total of S(q)
        find = "const f = document.getElementById('filter'); f.value = 'TEXT'; f.dispatchEvent(new Event('input'))"
        self.browser.value("(() => {" + find.replace("TEXT", "s6-s") + "})()")
        self.assertEqual(self.browser.value(shown), ["Species6-Species6"])
        self.browser.value("(() => {" + find.replace("TEXT", "") + "})()")
        self.assertEqual(len(self.browser.value(shown)), 29)
        # However many there are, plots are seen below them.
        self.assertLess(self.browser.value("document.getElementById('controls').offsetHeight"), 400)

    def test_no_errors(self):
        self.assertEqual(self.browser.errors, [])


if __name__ == "__main__":
    if {"Browser", "Narrow"} & set(sys.argv[1:]) and not chromium.find():
        print("SKIPPED: there is no Chromium")
        sys.exit(77)
    if not chromium.find():
        del Browser, Narrow
    unittest.main(verbosity=2)
