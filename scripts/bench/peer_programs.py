"""Pair counts of other programs on the frames of a System; used by compare_peers.py.

A peer has a name, version() (None if it is not installed), reason_to_skip() for a system and pair,
prepare(), which writes its input, and run(), timed, which gives a Counted.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass

import numpy as np

from peer_systems import shortest_vector

LIBRARIES = pathlib.Path(__file__).resolve().parent / "peer_libraries.py"


@dataclass
class Counted:
    """Unordered pairs between successive edges, which are multiples of the bin width."""

    seconds: float
    counts: np.ndarray
    edges: np.ndarray  # whole numbers, len(counts) + 1
    g: np.ndarray | None = None
    normalization: str = ""  # of g, as starhist calls it
    cells: np.ndarray | None = None  # as the peer understands them
    by_frame: np.ndarray | None = None  # counts [frames, bins], where g is a mean over frames


class PeerError(Exception):
    """A peer that ran and failed."""


def call(command, folder, threads, **more):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "GMX_MAXBACKUP": "-1", **more}
    start = time.perf_counter()
    run = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        text=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    seconds = time.perf_counter() - start
    if run.returncode:
        lines = (run.stderr + run.stdout).strip().splitlines() or ["no message"]
        reason = next((line for line in lines if "rror" in line), lines[-1])
        raise PeerError(f"{pathlib.Path(command[0]).name}: exit code {run.returncode}: {reason}")
    return seconds, run.stdout


def is_lower_triangular(cells):
    return not np.any(cells[:, [0, 0, 1], [1, 2, 2]]) and np.all(cells[:, [0, 1, 2], [0, 1, 2]] > 0)


def two_species(system, pair):
    """Positions [frames, N, 3] of a pair's one or two species, and the type (0 or 1) of each."""
    names = list(dict.fromkeys(pair))
    x = np.concatenate([system.positions[name] for name in names], axis=1)
    return x, np.repeat(np.arange(len(names)), [system.positions[name].shape[1] for name in names])


class Lammps:
    """`rerun` with compute rdf: float64, every image within the cut-off."""

    name, exact = "LAMMPS", True

    def version(self):
        program = shutil.which("lmp")
        if not program:
            return None
        text = subprocess.run([program, "-h"], capture_output=True, text=True, check=False).stdout
        found = re.search(r"Simulator - (.*)", text)
        return found.group(1).strip() if found else "?"

    def reason_to_skip(self, system, pair):
        if not is_lower_triangular(system.cells):
            return "its boxes have a along x and b in the xy plane"
        if 2 * system.r_max > min(map(shortest_vector, system.cells)):
            return "it counts every image, beyond half the box too"
        return ""

    def prepare(self, system, pair, folder, threads):
        x, types = two_species(system, pair)
        self.system, self.pair, self.threads, self.numbers = system, pair, threads, np.bincount(types)
        tilted = np.any(system.cells * (1 - np.eye(3)))
        self.folder = folder
        with open(folder / "t.dump", "w", encoding="ascii") as file:
            for k, cell in enumerate(system.cells):
                file.write(f"ITEM: TIMESTEP\n{k}\nITEM: NUMBER OF ATOMS\n{len(types)}\n")
                (xy, xz, yz), size = cell[[1, 2, 2], [0, 0, 1]], np.diag(cell)
                bounds = [
                    (min(0, xy, xz, xy + xz), size[0] + max(0, xy, xz, xy + xz), xy),
                    (min(0, yz), size[1] + max(0, yz), xz),
                    (0, size[2], yz),
                ]
                file.write(f"ITEM: BOX BOUNDS {'xy xz yz ' if tilted else ''}pp pp pp\n")
                for row in bounds:
                    file.write(" ".join(f"{float(v):.17g}" for v in row[: 3 if tilted else 2]) + "\n")
                file.write("ITEM: ATOMS id type x y z\n")
                for i, (kind, at) in enumerate(zip(types, x[k].astype(float))):
                    file.write(f"{i + 1} {kind + 1} {at[0]:.17g} {at[1]:.17g} {at[2]:.17g}\n")
        r, density = system.r_max, len(types) / np.linalg.det(system.cells[0])
        most = int(8 * density * r**3 * 4.19) + 2000
        size = " ".join(f"0 {edge}" for edge in np.diag(system.cells[0]))
        tilts = " ".join(map(str, system.cells[0][[1, 2, 2], [0, 0, 1]]))
        region = f"prism {size} {tilts}" if tilted else f"block {size}"
        (folder / "in.rdf").write_text(
            f"""units lj
atom_style atomic
boundary p p p
box tilt large
region b {region}
create_box {len(self.numbers)} b
mass * 1.0
pair_style zero {1.02 * r}
pair_coeff * *
comm_modify cutoff {1.1 * r}
neighbor {0.05 * r} bin
neigh_modify one {most} page {20 * most}
compute rdf all rdf {system.bins} 1 {len(self.numbers)} cutoff {r!r}
thermo 1000000
fix out all ave/time 1 1 1 c_rdf[*] file rdf.txt mode vector format " %.15g"
rerun t.dump dump x y z box yes scaled no wrapped yes purge yes replace no add keep
""",
            encoding="ascii",
        )

    def run(self):
        seconds, _ = call(["lmp", "-in", "in.rdf", "-log", "none", "-screen", "none"], self.folder, self.threads)
        rows = [
            [float(word) for word in line.split()]
            for line in (self.folder / "rdf.txt").read_text().splitlines()
            if line and line[0] != "#"
        ]
        bins = self.system.bins
        table = np.array([row for row in rows if len(row) == 4]).reshape(-1, bins, 4)
        if len(table) != self.system.frames:
            raise PeerError(f"LAMMPS: {len(table)} of {self.system.frames} frames")
        like = self.pair[0] == self.pair[1]
        # The last column is the number of neighbours up to the bin, per centre.
        within = np.diff(table[:, :, 3] * self.numbers[0], axis=1, prepend=0) / (2 if like else 1)
        return Counted(
            seconds,
            within.sum(axis=0),
            np.arange(bins + 1),
            table[:, :, 2].mean(axis=0),
            "per-frame",
            by_frame=np.rint(2 * within) / 2,
        )


class Gromacs:
    """`gmx rdf`: float32, bins centred on multiples of their width."""

    name, exact = "GROMACS", False

    def version(self):
        if not shutil.which("gmx"):
            return None
        warnings.showwarning = lambda *_, **__: None  # MDAnalysis has much to remark, and says that it is heard
        try:
            from MDAnalysis.lib.formats.libmdaxdr import TRRFile  # noqa: F401
        except ImportError:
            return None  # no package to write its trajectory
        text = subprocess.run(["gmx", "--version"], capture_output=True, text=True, check=False).stdout
        found = re.search(r"GROMACS version:\s*(\S+)", text)
        return found.group(1).split("-")[0] if found else "?"

    def reason_to_skip(self, system, pair):
        return "" if is_lower_triangular(system.cells) else "its boxes have a along x and b in the xy plane"

    def prepare(self, system, pair, folder, threads):
        from MDAnalysis.lib.formats.libmdaxdr import TRRFile

        x, types = two_species(system, pair)
        self.system, self.pair, self.folder, self.threads = system, pair, folder, threads
        self.first = int(np.count_nonzero(types == 0))
        # It prints three digits of counts / (N bin frames); lengths times a power of two, which
        # changes no digit, make that enough to tell the integers.
        width = 2 * system.r_max / system.bins
        self.scale = 2.0 ** -max(0, np.ceil(np.log2(self.first * width * system.frames / 200)))
        with TRRFile(str(folder / "t.trr"), "w") as file:
            for k, cell in enumerate(system.cells):
                file.write(
                    (x[k] * self.scale).astype("f4"),
                    None,
                    None,
                    (cell * self.scale).astype("f4"),
                    k,
                    float(k),
                    0.0,
                    len(types),
                )
        with open(folder / "conf.gro", "w", encoding="ascii") as file:
            file.write(f"names\n{len(types)}\n")
            for i, kind in enumerate(types):
                file.write(f"{1:5d}SYS  {'AB'[kind]:>5s}{(i + 1) % 100000:5d}{0:8.3f}{0:8.3f}{0:8.3f}\n")
            file.write("1 1 1\n")
        self.width = width

    def run(self):
        like = self.pair[0] == self.pair[1]
        width = self.width * self.scale
        seconds, _ = call(
            [
                "gmx",
                "-quiet",
                "rdf",
                "-s",
                "conf.gro",
                "-f",
                "t.trr",
                "-o",
                "o.xvg",
                "-xvg",
                "none",
                "-ref",
                "name A",
                "-sel",
                "name A" if like else "name B",
                "-norm",
                "none",
                "-bin",
                f"{width:.17g}",
                "-rmax",
                f"{self.system.r_max * self.scale:.17g}",
            ],
            self.folder,
            self.threads,
        )
        y = np.loadtxt(self.folder / "o.xvg")[:, 1]
        counts = y * self.first * width * self.system.frames / (2 if like else 1)
        # Bin k ends at (k + 1/2) of gmx's bin widths, 2 k + 1 of starhist's. rmax may cut off the last bin.
        edges = np.concatenate([[0], 2 * np.arange(len(y)) + 1])
        kept = int(np.searchsorted(edges, self.system.bins, side="right")) - 1
        return Counted(seconds, counts[:kept], edges[: kept + 1])


class Library:
    """A Python library, in the first interpreter that has it."""

    exact = False

    def __init__(self, key, name, normalization, pythons, most_pairs=float("inf")):
        self.key, self.name, self.normalization, self.most_pairs = key, name, normalization, most_pairs
        self.pythons = pythons + [sys.executable, "/usr/bin/python3", "python3"]

    def version(self):
        for python in self.pythons:
            try:
                run = subprocess.run(
                    [python, LIBRARIES, self.key, "--version"], capture_output=True, text=True, check=False
                )
            except OSError:
                continue
            if run.returncode == 0:
                self.python = python
                return run.stdout.strip()
        return None

    def reason_to_skip(self, system, pair):
        a, b = (system.positions[name].shape[1] for name in pair)
        if (a * (a - 1) // 2 if pair[0] == pair[1] else a * b) > self.most_pairs:
            return "it keeps all pairs in memory"
        if self.key == "freud" and 2 * system.r_max >= min(
            1 / np.linalg.norm(np.linalg.inv(cell), axis=0).max() for cell in system.cells
        ):
            return "it wants r_max below half the smallest width"
        if self.key == "freud" and not is_lower_triangular(system.cells):
            return "its boxes have a along x and b in the xy plane"
        return ""

    def prepare(self, system, pair, folder, threads):
        self.folder, self.threads, self.bins = folder, threads, system.bins
        a, b = (system.positions[name] for name in pair)
        np.savez(
            folder / "in.npz",
            a=a,
            cells=system.cells,
            r_max=system.r_max,
            bins=system.bins,
            threads=threads,
            **({} if pair[0] == pair[1] else {"b": b}),
        )

    def run(self):
        _, text = call([self.python, LIBRARIES, self.key, "in.npz", "out.npz"], self.folder, self.threads)
        found = np.load(self.folder / "out.npz")
        return Counted(
            json.loads(text.splitlines()[-1])["seconds"],
            found["counts"],
            np.arange(self.bins + 1),
            found["g"],
            self.normalization,
            found["cells"],
            found.get("by_frame"),
        )


def peers(pythons):
    return {
        "lammps": Lammps(),
        "gromacs": Gromacs(),
        "mdanalysis": Library("mdanalysis", "MDAnalysis", "mean-volume", pythons),
        "mdtraj": Library("mdtraj", "mdtraj", "pairs-over-volume", pythons, 2e7),
        "freud": Library("freud", "freud", "per-frame", pythons),
    }
