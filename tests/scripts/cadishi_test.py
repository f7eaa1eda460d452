#!/usr/bin/python3
"""`starhist cadishi` against `cadishi histo` of PyPI's cadishi 1.1.4, which is built beside
starhist once, in cadishi-1.1.4: both get the same parameter file, and the files that they leave
are compared as a whole. Counts are equal to the pair, as CADISHI counts in double precision here,
and so is what `capriq postproc` makes of them (CAPRIQORN is on no index; docs/how-to/formats.md).

Skipped (77) where CADISHI cannot be built: it needs pip and its index, Cython, future, h5py.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(os.environ.get("STARHIST_PROGRAM", "build/starhist")).resolve())
FOLDER = pathlib.Path(PROGRAM).parent / "cadishi-1.1.4"
SPHERE = [{"MDReader": {"first": 1}}, {"Sphere": {"radius": 9.0, "r_max": 18.0}}]
SKIPPED = 77

try:
    import Cython  # noqa: F401  CADISHI's build needs these
    import future  # noqa: F401
    import h5py
    import numpy
    import scipy  # noqa: F401
    import yaml
except ImportError as problem:
    print(f"skipped: {problem}")
    sys.exit(SKIPPED)


def cadishi_source():
    """The folder of CADISHI with its kernel built, or None where that cannot be done."""
    if (FOLDER / "built").exists():
        return FOLDER
    work = pathlib.Path(tempfile.mkdtemp(dir=FOLDER.parent))
    try:
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--no-binary",
                ":all:",
                "--no-build-isolation",
                "--dest",
                work,
                "cadishi==1.1.4",
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
        shutil.unpack_archive(next(work.glob("cadishi-*.tar.gz")), work)
        source = next(folder for folder in work.glob("cadishi-*") if folder.is_dir())
        subprocess.run(
            [sys.executable, "setup.py", "build_ext", "--inplace"],
            cwd=source,
            env={**os.environ, "CAD_CUDA": "0"},
            check=True,
            capture_output=True,
            timeout=240,
        )
        (source / "built").touch()
        source.rename(FOLDER)
        return FOLDER
    except (subprocess.SubprocessError, OSError, StopIteration) as problem:
        print(f"CADISHI cannot be built: {problem}")
        return None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def write_trajectory(path, log):
    """Ten frames of three species in a cube of 10 A; the numbers of C and H change."""
    random = numpy.random.default_rng(7)
    with h5py.File(path, "w") as file:
        for frame in range(1, 11):
            group = file.create_group(str(frame))
            group.attrs["log"] = numpy.bytes_(json.dumps(log).encode())
            for species, count in (("C", 20 + frame), ("H", 60 - frame), ("O.s", 30)):
                group.create_dataset(
                    "coordinates/" + species, compression="lzf", data=random.uniform(-5, 5, (count, 3))
                )
                group["len_histograms/" + species] = random.integers(0, 9, 50).astype("f8")
            group["len_histograms/radii"] = numpy.arange(50) * 0.1 + 0.05
            group["dimensions"] = numpy.array([10, 10, 10, 90, 90, 90], dtype="f4")


def contents(path):
    """All datasets and attributes of each group, by name."""
    groups = {}
    with h5py.File(path) as file:
        for name, group in file.items():
            values = dict(group.attrs)

            def add(key, item, values=values):
                values.update({f"{key}/{k}": v for k, v in item.attrs.items()})
                if isinstance(item, h5py.Dataset):
                    values[key] = item[()]

            group.visititems(add)
            groups[name] = values
    return groups


class Cadishi(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def run_both(self, log, histogram, inputs=None):
        """Both with the same parameters but the folder of the output."""
        write_trajectory(self.folder / "t.h5", log)
        for name in ("cadishi", "starhist"):
            parameters = {
                "histogram": histogram,
                "cpu": {"precision": "double", "workers": 1},
                "gpu": {"workers": 0},
                "input": {"file": str(self.folder / "t.h5"), **(inputs or {})},
                "output": {"directory": str(self.folder / name) + "/"},
            }
            (self.folder / f"{name}.yaml").write_text(yaml.safe_dump(parameters))
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", "from cadishi.exe.cli import main; main()", "histo", "cadishi.yaml"],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
            check=True,
            capture_output=True,
            timeout=120,
        )
        run = subprocess.run(
            [PROGRAM, "cadishi", "starhist.yaml"], cwd=self.folder, capture_output=True, text=True, timeout=120
        )
        self.assertEqual(run.returncode, 0, run.stderr)

    def text(self, who, name):
        return (self.folder / who / name).read_text()

    def assert_equal_files(self, first, last):
        for name in ("header.dat", f"nrPart.{first}.{last}.dat"):
            self.assertEqual(self.text("starhist", name), self.text("cadishi", name))
        name = "preprocessor_log.json"
        self.assertEqual(self.text("starhist", name), self.text("cadishi", name))
        own, other = (yaml.safe_load(self.text(who, "histograms.yaml")) for who in ("starhist", "cadishi"))
        for section in ("general", "histogram", "input"):
            self.assertEqual(own[section], other[section])

    def assert_equal_histograms(self):
        own, other = (contents(self.folder / who / "histograms.h5") for who in ("starhist", "cadishi"))
        self.assertEqual(set(own), set(other))
        for block, expected in other.items():
            self.assertEqual(set(own[block]), set(expected))
            for name, value in expected.items():
                if name == "log":
                    self.assert_equal_logs(own[block][name], value)
                elif name == "volumes/box":  # CADISHI multiplies float32
                    numpy.testing.assert_allclose(
                        numpy.atleast_1d(own[block][name]), numpy.atleast_1d(value), rtol=1e-6
                    )
                else:
                    numpy.testing.assert_array_equal(own[block][name], value, name)

    def assert_equal_logs(self, own, other):
        own, other = json.loads(own), json.loads(other)
        self.assertEqual([list(entry) for entry in own], [list(entry) for entry in other])
        self.assertEqual(own[:-2], other[:-2])
        for section in ("general", "histogram", "input"):
            self.assertEqual(own[-2]["histograms"][section], other[-2]["histograms"][section])

    def test_sphere(self):
        self.run_both(SPHERE, {"r_max": -1, "dr": 0.01, "sum": 5})
        self.assert_equal_files(1, 10)
        self.assert_equal_histograms()

    def test_box(self):
        self.run_both([{"MDReader": {"first": 1}}], {"r_max": 9, "dr": 0.07, "sum": 4})
        self.assert_equal_files(1, 10)
        self.assert_equal_histograms()

    def test_frames_and_box_of_the_parameters(self):
        self.run_both(
            [],
            {"r_max": 30, "dr": 0.05, "sum": 2},
            {"first": 2, "last": 9, "step": 2, "periodic_box": [12.0, 11.0, 10.5, 90.0, 90.0, 90.0]},
        )
        self.assert_equal_files(2, 9)
        self.assert_equal_histograms()

    def test_single_frames(self):
        self.run_both(SPHERE, {"r_max": 18, "dr": 0.3, "sum": 1})
        self.assertEqual(len(contents(self.folder / "starhist/histograms.h5")), 10)
        self.assert_equal_histograms()


if __name__ == "__main__":
    SOURCE = cadishi_source()
    if SOURCE is None:
        sys.exit(SKIPPED)
    unittest.main()
