#!/usr/bin/env python3
"""Tests of bins between explicit edges: a NumPy loop, exports, merges, scripts and bad input.

STARHIST_PROGRAM: path of the program."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
PROGRAM = os.environ.get("STARHIST_PROGRAM", str(ROOT / "build/starhist"))

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy")):
    print("SKIPPED: h5py or numpy is missing")
    sys.exit(77)

import h5py  # noqa: E402
import numpy as np  # noqa: E402

LIST = "0.1,0.25,0.28,0.5,1.4"
# Open MPI as root, with more ranks than cores.
ALLOWED = ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"]


def run(*words):
    environment = {**os.environ, "STARPU_WORKERS_NOBIND": "1", "STARPU_NCPU": "2", "STARHIST_PROGRAM": PROGRAM}
    environment.setdefault("STARPU_HOME", tempfile.gettempdir())
    return subprocess.run([*map(str, words)], text=True, capture_output=True, check=False, env=environment)


def script(name, *words):
    return run(sys.executable, ROOT / "scripts/user" / f"{name}.py", *words)


class BinEdges(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="starhist-edges-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        with h5py.File(DATA / "water.h5") as file:
            particles = next(iter(file["particles"].values()))
            names = {number: name for name, number in h5py.check_enum_dtype(particles["species"].dtype).items()}
            oxygen = np.array([names[number] == "O" for number in particles["species"][()].ravel()])
            cls.positions = particles["position/value"][:4].astype(float)[:, oxygen]
            edges = particles["box/edges"]
            boxes = edges["value"][:4] if isinstance(edges, h5py.Group) else np.array([edges[()]] * 4)
            cls.boxes = [np.diag(box) if box.ndim == 2 else box for box in boxes.astype(float)]

    def result(self, name, *options, frames=4, trajectory=DATA / "water.h5"):
        path = self.folder / name
        counted = run(
            PROGRAM,
            "rdf",
            trajectory,
            "-o",
            path,
            "--force",
            "--quiet",
            "--pairs",
            "O-O",
            "--last",
            frames - 1,
            *options,
        )
        self.assertEqual(counted.returncode, 0, counted.stderr)
        return path

    def refused(self, *options):
        counted = run(PROGRAM, "rdf", DATA / "water.h5", "-o", self.folder / "refused.h5", *options)
        self.assertEqual(counted.returncode, 1, counted.stdout)
        self.assertFalse((self.folder / "refused.h5").exists())
        return " ".join(counted.stderr.split())

    def exported(self, path, quantity, *options):
        written = run(PROGRAM, "export", path, "--quantity", quantity, "--format", "json", *options)
        self.assertEqual(written.returncode, 0, written.stderr)
        return json.loads(written.stdout)

    def squares(self):
        for positions, box in zip(self.positions, self.boxes):
            first, second = np.triu_indices(len(positions), 1)
            step = positions[first] - positions[second]
            step -= np.round(step / box) * box
            yield (step**2).sum(axis=1)

    def naive(self, edges):
        """Counts of a loop over all pairs, between the edges, below the first and from the last on."""
        bins = sum(
            np.bincount(np.searchsorted(np.square(edges), r2, side="right"), minlength=len(edges) + 1)
            for r2 in self.squares()
        )
        return bins[1:-1], bins[0], bins[-1]

    def check_counts(self, path, edges):
        counts, below, beyond = self.naive(edges)
        table = self.exported(path, "counts")
        np.testing.assert_array_equal([table["r_lower"][0], *table["r_upper"]], edges)
        self.assertEqual(table["curves"][0]["value"], counts.tolist())
        self.assertEqual(table["curves"][0]["out_of_range"], beyond)
        self.assertEqual(table["bins"], "edges")
        with h5py.File(path) as file:
            group = file["observables/pair_distance_histogram"]
            np.testing.assert_array_equal(group["bin_edges"], edges)
            self.assertEqual(group["underflow"][()].sum(), below)
            self.assertEqual(list(file["h5md/modules/pair_histogram"].attrs["version"]), [2, 0])

    def test_counts_equal_a_numpy_loop(self):
        edges = np.array([float(edge) for edge in LIST.split(",")])
        self.check_counts(self.result("list.h5", "--edges", LIST), edges)
        self.check_counts(self.result("zero.h5", "--edges", "0,0.3,1.45"), np.array([0, 0.3, 1.45]))
        log = 0.2 * (1.4 / 0.2) ** (np.arange(31) / 30)
        log[-1] = 1.4
        path = self.result("log.h5", "--bins", "log:30", "--r-min", 0.2, "--r-max", 1.4)
        with h5py.File(path) as file:
            written = file["observables/pair_distance_histogram/bin_edges"][()]
        np.testing.assert_allclose(written, log, rtol=1e-15)
        self.check_counts(path, written)

    def test_tiles_and_kernels_do_not_change_the_counts(self):
        for options in (["--clusters", "on"], ["--labels", "on"], ["--variant", "baseline"], ["--cpu-mode", "team"]):
            path = self.result("other.h5", "--edges", LIST, *options)
            self.check_counts(path, np.array([float(edge) for edge in LIST.split(",")]))

    def test_a_file_of_edges(self):
        text = self.folder / "edges.txt"
        text.write_text("# nm\n0.1 0.25\n0.28,0.5 # shell\n\n1.4\n")
        one, other = self.result("file.h5", "--edges", text), self.result("list.h5", "--edges", LIST)
        self.assertEqual(self.exported(one, "counts")["curves"], self.exported(other, "counts")["curves"])

    def test_g_divides_by_the_shells_between_the_edges(self):
        edges = np.array([float(edge) for edge in LIST.split(",")])
        path = self.result("g.h5", "--edges", LIST)
        pairs = len(self.positions[0]) * (len(self.positions[0]) - 1) / 2
        ideal = sum(pairs / box.prod() for box in self.boxes) * 4 / 3 * np.pi * np.diff(edges**3)
        table = self.exported(path, "g")
        np.testing.assert_allclose(table["curves"][0]["value"], self.naive(edges)[0] / ideal, rtol=1e-12)
        np.testing.assert_allclose(table["r"], (edges[:-1] + edges[1:]) / 2, rtol=1e-14)
        merged = self.exported(path, "g", "--rebin", 2)
        np.testing.assert_allclose(
            merged["curves"][0]["value"], self.naive(edges)[0].reshape(2, 2).sum(axis=1) / ideal.reshape(2, 2).sum(axis=1),
            rtol=1e-12,
        )  # fmt: skip
        chosen = self.exported(path, "g", "--rebin", "0.1,0.28,1.4")
        self.assertEqual(chosen["curves"], merged["curves"])
        done = run(PROGRAM, "export", path, "--rebin", "0.1,0.3,1.4")
        self.assertIn("0.3 is not a bin edge of the result: the nearest are 0.28 and 0.5", done.stderr)
        for edge in ("0.05", "2"):
            done = run(PROGRAM, "export", path, "--rebin", ",".join(sorted([edge, "0.28"])))
            self.assertIn(f"{edge} is outside the result (the bins are from 0.1 to 1.4)", done.stderr)
        angstrom = self.exported(path, "g", "--out-unit", "A")
        np.testing.assert_allclose(angstrom["r_upper"], 10 * edges[1:], rtol=1e-14)
        np.testing.assert_allclose(angstrom["curves"][0]["value"], table["curves"][0]["value"], rtol=1e-12)

    def test_the_plane(self):
        path = self.result("plane.h5", "--edges", LIST, "--plane", "xy")
        edges = np.array([float(edge) for edge in LIST.split(",")])
        counts = 0
        for positions, box in zip(self.positions, self.boxes):
            first, second = np.triu_indices(len(positions), 1)
            step = (positions[first] - positions[second])[:, :2]
            step -= np.round(step / box[:2]) * box[:2]
            counts = counts + np.histogram((step**2).sum(axis=1), edges**2)[0]
        self.assertEqual(self.exported(path, "counts")["curves"][0]["value"], counts.tolist())

    def test_parts_merge_to_the_run(self):
        whole = self.result("whole.h5", "--edges", LIST, "--block", 1)
        parts = [self.result(f"part{k}.h5", "--edges", LIST, "--block", 1, "--part", f"{k}/2") for k in (1, 2)]
        merged = self.folder / "merged.h5"
        done = run(PROGRAM, "merge", *parts, "-o", merged, "--force")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(
            self.exported(merged, "g", "--errors"), {**self.exported(whole, "g", "--errors"), "source": str(merged)}
        )
        other = self.result("other.h5", "--edges", "0.1,0.25,0.29,0.5,1.4", "--block", 1)
        done = run(PROGRAM, "merge", parts[0], other, "-o", merged, "--force")
        self.assertEqual(done.returncode, 1)
        self.assertIn("4 bins between the edges 0.1, 0.25, 0.29, 0.5, 1.4", done.stderr)
        uniform = self.result("uniform.h5", "--r-max", 1.4, "--bins", 4, "--block", 1)
        done = run(PROGRAM, "merge", parts[0], uniform, "-o", merged, "--force")
        self.assertEqual(done.returncode, 1)
        self.assertIn("4 bins up to 1.4", done.stderr)

    def test_a_killed_run_is_resumed_to_the_same_counts(self):
        whole = self.result("alone.h5", "--edges", LIST, "--block", 1, frames=51)
        out = self.folder / "killed.h5"
        partial = pathlib.Path(f"{out}.partial")
        words = [PROGRAM, "rdf", DATA / "water.h5", "-o", out, "--edges", LIST, "--block", "1", "--checkpoint", "0.001"]
        words = [*map(str, words), "--pairs", "O-O", "--resume", "--quiet"]
        killed = subprocess.Popen(words)
        while killed.poll() is None and not partial.exists():
            time.sleep(0.001)
        killed.kill()
        killed.wait()
        self.assertTrue(partial.exists(), "the run ended before it could be killed")
        other = run(*[word if word != LIST else "0.1,0.3,1.4" for word in words])
        self.assertIn("between the edges 0.1, 0.3, 1.4", other.stderr)
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.exported(out, "counts")["curves"], self.exported(whole, "counts")["curves"])

    def test_ranks_count_the_same(self):
        program = pathlib.Path(PROGRAM).with_name("starhist-mpi")
        if not (program.exists() and shutil.which("mpirun")):
            self.skipTest("starhist-mpi or mpirun is missing")
        whole = self.result("one-process.h5", "--edges", LIST, "--block", 1)
        out = self.folder / "ranks.h5"
        os.environ |= dict.fromkeys(ALLOWED, "1")
        words = ["--pairs", "O-O", "--edges", LIST, "--block", 1, "--last", 3]
        done = run("mpirun", "-n", 2, program, "rdf", DATA / "water.h5", "-o", out, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.exported(out, "counts")["curves"], self.exported(whole, "counts")["curves"])

    def test_results_are_verified(self):
        path = self.result("verified.h5", "--edges", LIST)
        for recounter in ("reference", "cpu"):
            done = run(PROGRAM, "verify", path, "--blocks", "all", "--with", recounter)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_damaged_edges_are_refused(self):
        for change in ("rise", "r_max", "kind", "version"):
            path = self.result("damaged.h5", "--edges", LIST)
            with h5py.File(path, "r+") as file:
                if change == "rise":
                    file["observables/pair_distance_histogram/bin_edges"][2] = 0.2
                elif change == "r_max":
                    file["parameters/pair_histogram/r_max"][()] = 1.5
                elif change == "kind":
                    file["parameters/pair_histogram"].attrs["bins"] = np.bytes_("other")
                else:
                    file["h5md/modules/pair_histogram"].attrs["version"] = np.array([0, 2], "i4")
            done = run(PROGRAM, "export", path)
            self.assertEqual(done.returncode, 1, change)
            self.assertIn("damaged" if change != "version" else "not known", done.stderr)

    def test_quantities_of_equal_widths_are_refused(self):
        path = self.result("refusals.h5", "--edges", LIST)
        for words in (
            ["analyze", path, "--quantity", "sq"],
            ["analyze", path, "--quantity", "kirkwood-buff"],
            ["analyze", path, "--quantity", "kirkwood-buff", "--table"],
            ["export", path, "--like", "gmx"],
            ["export", path, "--smooth", "0.5"],
            ["export", path, "--rebin", "log:2"],
            ["export", path, "--cadishi", "-o", self.folder / "cadishi.h5"],
        ):
            done = run(PROGRAM, *words)
            self.assertEqual(done.returncode, 1, words)
            self.assertRegex(" ".join(done.stderr.split()), "equal width|unequal width")
            self.assertIn("--bins N", done.stderr)
        blocks = self.result("blocks.h5", "--edges", LIST, "--block", 1, frames=40)
        done = run(PROGRAM, "analyze", blocks, "--quantity", "blocks")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_info(self):
        path = self.result("info.h5", "--edges", LIST)
        self.assertIn("4 of unequal width from 0.1 nm up to 1.4 nm", run(PROGRAM, "info", path).stdout)

    def test_bad_edges_are_refused(self):
        words = self.folder / "words.txt"
        words.write_text("0.1\n0.2 nm\n")
        empty = self.folder / "empty.txt"
        empty.write_text("# nothing\n")
        many = self.folder / "many.txt"
        many.write_text("\n".join(str(k) for k in range(1, 1100)))
        for edges, text in {
            "0.1,0.3,0.2": "edge 0.2 follows 0.3 (edges must rise): sort them",
            "0.1,0.1": "edge 0.1 follows 0.1",
            "0.3": "one edge makes no bin: give at least two",
            "0.1,1e400": "--edges 0.1,1e400",
            "0.1,1e200": "edge 1e+200 is not a distance",
            "0.1,nan": "neither a list of numbers, such as 0,0.1,0.3, nor a file",
            "0.1,,0.3": "--edges 0.1,,0.3",
            "0.1,50": "largest bin edge 50 is too large: in frame ",
            str(words): f"{words}, line 2: 'nm' is not a number",
            str(empty): "the file contains no edges",
            str(many): "the file has more than 1001 edges",
            str(self.folder): "nor a file that can be read",
            str(self.folder / "missing.txt"): "nor a file that can be read",
        }.items():
            self.assertIn(text, self.refused("--edges", edges))
        self.assertIn("edge -0.1 is not a distance", self.refused("--edges=-0.1,0.3"))
        for option, value in {"--bins": "4", "--bin-width": "0.1", "--r-max": "1", "--r-min": "0.1"}.items():
            self.assertIn(f"--edges and {option} exclude each other", self.refused("--edges", LIST, option, value))

    def test_bad_logarithmic_bins_are_refused(self):
        for options, text in (
            (["--bins", "log:30", "--r-max", "1"], "--bins log:30 needs --r-min, the first edge"),
            (["--bins", "log:30"], "--bins log:30 needs --r-min, the first edge"),
            (["--bins", "log:30", "--r-min", "0", "--r-max", "1"], "--r-min"),
            (["--bins", "log:30", "--r-min", "2", "--r-max", "1"], "from 2 to 1 do not exist"),
            (["--bins", "log:0", "--r-min", "0.1", "--r-max", "1"], "--bins log:0:"),
            (["--bins", "log:x", "--r-min", "0.1", "--r-max", "1"], "--bins log:x:"),
            (["--bins", "log:5000", "--r-min", "0.1", "--r-max", "1"], "5000 logarithmic bins are not usable"),
            (["--bins", "log:9", "--bin-width", "0.1", "--r-min", "0.1"], "exclude each other"),
            (["--bins", "log:9", "--centred", "--r-max", "1"], "bins of equal width"),
        ):
            self.assertIn(text, self.refused(*options))

    def test_the_default_of_r_max(self):
        path = self.result("default.h5", "--bins", "log:8", "--r-min", "0.1")
        with h5py.File(path) as file:
            edges = file["observables/pair_distance_histogram/bin_edges"][()]
        self.assertEqual(edges[0], 0.1)
        self.assertTrue(0.9 < edges[-1] / (0.5 * self.boxes[0].min()) < 1)
        self.check_counts(path, edges)

    def test_other_commands_refuse_them(self):
        for command, options in (("vanhove", []), ("coordination", ["--cutoff", "O-H=0.24"])):
            done = run(PROGRAM, command, DATA / "water.h5", "-o", self.folder / "x.h5", "--bins", "log:3", *options)
            self.assertEqual(done.returncode, 1)
            self.assertIn("bins of equal width", " ".join(done.stderr.split()))
            done = run(PROGRAM, command, DATA / "water.h5", "-o", self.folder / "x.h5", "--edges", LIST, *options)
            self.assertEqual(done.returncode, 1)

    def test_figures_and_peaks(self):
        path = self.result("figure.h5", "--bins", "log:40", "--r-min", 0.2, "--r-max", 1.4)
        done = script("peaks", path)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("equal width", " ".join(done.stderr.split()))
        if importlib.util.find_spec("matplotlib") is None:
            self.skipTest("matplotlib is missing")
        done = script("plot_rdf", path, "-o", self.folder / "figure.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = script("report", path, "-o", self.folder / "report.html")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
