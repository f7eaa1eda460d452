#!/usr/bin/env python3
"""Decoding beside counting: runs on XTC, DCD and NetCDF, in turns with runs on H5MD of the same frames.

    tests/bench/decode_rates.py [--program build/starhist] [--atoms 100000] [--frames 40] [--repeat 5] [--folder FOLDER]

Prints a table in Markdown. Needs MDAnalysis and netCDF4 or SciPy; starhist reads DCD and NetCDF by this Python.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy

warnings.simplefilter("ignore")
import MDAnalysis  # noqa: E402

DENSITY = 100.0  # atoms per nm^3, as in water
FORMATS = {"XTC": "xtc", "DCD": "dcd", "NetCDF": "nc"}


def write_files(folder, atoms, frames):
    """Random positions in a cube, which move a little from frame to frame; of each format also one frame alone."""
    edge = 10 * (atoms / DENSITY) ** (1 / 3)  # in Angstrom
    generator = numpy.random.default_rng(1)
    positions = generator.uniform(0, edge, (atoms, 3))
    universe = MDAnalysis.Universe.empty(atoms, trajectory=True)
    universe.dimensions = [edge, edge, edge, 90, 90, 90]
    writers = [
        MDAnalysis.Writer(str(folder / f"{stem}.{ending}"), atoms)
        for stem in ("run", "one")
        for ending in FORMATS.values()
    ]
    for frame in range(frames):
        universe.atoms.positions = positions % edge
        universe.trajectory.ts.frame = frame
        for k, writer in enumerate(writers):
            if frame == 0 or k < len(FORMATS):
                writer.write(universe.atoms)
        positions += generator.normal(0, 0.3, (atoms, 3))
    for writer in writers:
        writer.close()


class Bench:
    def __init__(self, program):
        self.program = program
        self.environment = {**os.environ, "STARHIST_PYTHON": sys.executable, "STARPU_NCPU": "2"}

    def run(self, *arguments):
        """Seconds, and seconds of all processors."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run([self.program, *map(str, arguments)], check=True, capture_output=True, env=self.environment)
        seconds = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def count(self, path, output):
        r_max = "1" if path.suffix in (".h5", ".xtc") and "angstrom" not in path.stem else "10"
        return self.run("rdf", path, "-o", output, "-f", "-q", "--r-max", r_max, "--bins", 200)


def compare(bench, folder, name, ending, arguments):
    path = folder / f"run.{ending}"
    same = folder / (f"run-{ending}.h5" if ending == "xtc" else f"run-{ending}-angstrom.h5")
    bench.run("convert", path, "-o", same, "-f")
    outputs = [folder / "a.h5", folder / "b.h5"]
    runs, references, decoding = [], [], []
    for _ in range(arguments.repeat):
        runs.append(bench.count(path, outputs[0]))
        references.append(bench.count(same, outputs[1]))
        one = bench.run("info", folder / f"one.{ending}")[1]
        every = bench.run("info", path, "--all")[1]
        decoding.append((every - one) / (arguments.frames - 1))
    counts = [
        subprocess.run(
            [bench.program, "export", str(output), "--quantity", "counts"], check=True, capture_output=True, text=True
        ).stdout.partition("\nr,")[2]
        for output in outputs
    ]
    if counts[0] != counts[1]:
        sys.exit(f"{name}: the counts differ from those of H5MD")
    median = [statistics.median(column) for column in (*zip(*runs), *zip(*references))]
    ratios = sorted(run[0] / reference[0] for run, reference in zip(runs, references))
    rate = statistics.median(decoding)
    print(
        f"| {name} | {path.stat().st_size / 1e6:.1f} | {1e3 * rate:.1f} | {median[0]:.2f} | {median[2]:.2f} | "
        f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) | {median[1]:.2f} | {median[3]:.2f} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", default=str(pathlib.Path(__file__).resolve().parents[2] / "build/starhist"))
    parser.add_argument("--atoms", type=int, default=100000)
    parser.add_argument("--frames", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="starhist-decode-", dir=arguments.folder) as folder:
        folder = pathlib.Path(folder)
        write_files(folder, arguments.atoms, arguments.frames)
        print(
            "| format | MB | decoding, CPU ms per frame | run, s | H5MD run, s | ratio (range) | run, CPU s | H5MD run, CPU s |"
        )
        print("|---|---|---|---|---|---|---|---|", flush=True)
        for name, ending in FORMATS.items():
            compare(Bench(arguments.program), folder, name, ending, arguments)


if __name__ == "__main__":
    main()
