#!/usr/bin/env python3
"""Counts crystals with decimal lattice constants in every format: the counts must equal an exact integer count.

    count_crystals.py --program build/starhist [--crystals 100] [--seed 1] [--widths 0.01 0.02 0.05]

Rock salt, fcc, bcc, hcp and diamond, as unit cells and supercells, wrapped or not, at any origin. Lattice constants have
four decimals [Angstrom]; in every second crystal, nearest neighbours lie on bin edges. The expected count uses positions
in integer multiples of 0.0001 Angstrom: bin k contains the pairs with k w <= r < (k + 1) w exactly, so each shell is in a
single bin. For formats with fewer decimals, the crystal is rounded to their precision.
"""

import concurrent.futures
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import h5py
import numpy

from campaign_runs import make_parser, rdf

UNIT = 10000  # whole numbers per angstrom
R_MAX = 8 * UNIT  # at most
KINDS = ("rock salt", "fcc", "bcc", "hcp", "diamond")


class Crystal:
    """Positions, names and the edges of an orthorhombic cell, in whole numbers of 0.0001 angstrom."""

    def __init__(self, rng, number):
        self.kind = KINDS[number % len(KINDS)]
        self.on_edges = number // len(KINDS) % 2 == 0
        step = 2000 if self.on_edges else 12  # so that all parts of the cell are whole numbers
        a = rng.randrange(25 * UNIT // 10, 65 * UNIT // 10) // step * step
        cell, sites = self.cell_of(a, 200 if self.on_edges else 2)
        times = [rng.choice((1, 1, 2, 3)) for _ in range(3)]
        offset = [rng.randrange(-99, 99) * (100 if self.on_edges else 1) for _ in range(3)]
        self.edges = cell * times
        farthest = int(numpy.sqrt((self.edges**2).sum()) / 2)
        self.r_max = min(R_MAX, (farthest // 1000 + 1) * 1000)  # a whole number of bins of all widths
        grid = numpy.array([(i, j, k) for i in range(times[0]) for j in range(times[1]) for k in range(times[2])])
        self.positions = (grid[:, None, :] * cell + sites).reshape(-1, 3) + offset
        self.names = [
            ("Na", "Cl")[2 * s // len(sites) if self.kind == "rock salt" else 0] for s in range(len(sites))
        ] * len(grid)
        if rng.random() < 0.5:  # unwrapped
            images = numpy.array([[rng.randrange(-3, 4) for _ in range(3)] for _ in self.positions])
            self.positions = self.positions + images * self.edges

    def cell_of(self, a, even):
        """Edges of the cell, and its sites; all multiples of even / 2."""
        half = a // 2
        face = [(0, 0, 0), (0, half, half), (half, 0, half), (half, half, 0)]
        if self.kind == "bcc":
            sites = [(0, 0, 0), (half, half, half)]
        elif self.kind == "hcp":  # in a cell with right angles, whose edges are rounded
            b = round(a * 3**0.5 / (3 * even)) * 3 * even
            c = round(a * (8 / 3) ** 0.5 / even) * even
            return numpy.array((a, b, c)), numpy.array(
                [(0, 0, 0), (half, b // 2, 0), (half, b // 6, c // 2), (0, b * 2 // 3, c // 2)]
            )
        else:
            shift = {"rock salt": (half, 0, 0), "diamond": (a // 4,) * 3}.get(self.kind)
            sites = face + [tuple(x + y for x, y in zip(site, shift)) for site in face] if shift else face
        return numpy.array((a, a, a)), numpy.array(sites)

    def rounded(self, grid):
        """Positions and edges as multiples of grid."""
        return tuple((x + grid // 2) // grid * grid for x in (self.positions, self.edges))

    def counts(self, grid, width):
        """Pairs per bin, width in whole numbers, and out of range."""
        x, edges = self.rounded(grid)
        i, j = numpy.triu_indices(len(x), 1)
        d = (x[i] - x[j]) % edges
        d = numpy.minimum(d, edges - d)
        square = (d * d).sum(axis=1)
        bins = self.r_max // width
        k = numpy.sqrt(square / width**2).astype(numpy.int64)
        k -= k * k * width**2 > square
        k += (k + 1) * (k + 1) * width**2 <= square
        return numpy.bincount(numpy.minimum(k, bins), minlength=bins + 1)


def decimal(x, digits):
    """Formats an integer multiple of 0.0001 Angstrom in Angstrom, with `digits` decimals."""
    return f"{x / UNIT:.{digits}f}"


def xyz(crystal, path, comment):
    x, _ = crystal.rounded(1)
    lines = [str(len(x)), comment] + [
        f"{name} " + " ".join(decimal(v, 4) for v in p) for name, p in zip(crystal.names, x)
    ]
    path.write_text("\n".join(lines) + "\n")


def write_xyz(crystal, path):
    xyz(crystal, path, "")
    return ["--box", ",".join(decimal(v, 4) for v in crystal.edges)]


def write_extxyz(crystal, path):
    a, b, c = (decimal(v, 4) for v in crystal.edges)
    xyz(crystal, path, f'Lattice="{a} 0 0 0 {b} 0 0 0 {c}" Properties=species:S:1:pos:R:3 pbc="T T T"')
    return []


def write_dump(crystal, path):
    x, edges = crystal.rounded(1)
    bounds = "\n".join(f"0.0 {decimal(v, 4)}" for v in edges)
    atoms = "\n".join(
        f"{k + 1} {1 + (name == 'Cl')} " + " ".join(decimal(v, 4) for v in p)
        for k, (name, p) in enumerate(zip(crystal.names, x))
    )
    path.write_text(
        f"ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n{len(x)}\nITEM: BOX BOUNDS pp pp pp\n{bounds}\n"
        f"ITEM: ATOMS id type xu yu zu\n{atoms}\n"
    )
    return ["--unit", "A"]


def write_pdb(crystal, path):
    x, edges = crystal.rounded(10)
    lines = ["CRYST1" + "".join(f"{v / UNIT:9.3f}" for v in edges) + "  90.00  90.00  90.00 P 1           1"]
    for k, (name, p) in enumerate(zip(crystal.names, x)):
        lines.append(
            f"HETATM{k + 1:5d} {name.upper():>2s}   {name.upper():<3s} A{k % 9999 + 1:4d}    "
            + "".join(f"{v / UNIT:8.3f}" for v in p)
            + f"  1.00  0.00          {name.upper():>2s}  "
        )
    path.write_text("\n".join(lines + ["END", ""]))
    return []


def write_gro(crystal, path):
    x, edges = crystal.rounded(1)
    width = 10  # five decimals of nm
    lines = ["crystal", str(len(x))]
    lines += [
        f"{k % 99999 + 1:5d}{name.upper():<5s}{name.upper():>5s}{k % 99999 + 1:5d}"
        + "".join(f"{v / UNIT / 10:{width}.5f}" for v in p)
        for k, (name, p) in enumerate(zip(crystal.names, x))
    ]
    path.write_text("\n".join(lines + [" ".join(f"{v / UNIT / 10:.5f}" for v in edges), ""]))
    return []


def write_xtc(crystal, path):
    """All atoms as places in the box around them, without differences; up to nine as floats."""
    x, edges = crystal.rounded(1)
    box = numpy.diag(edges / (10 * UNIT)).ravel()
    head = struct.pack(">iiif9fi", 1995, len(x), 0, 0.0, *box, len(x))
    if len(x) <= 9:
        path.write_bytes(head + struct.pack(f">{x.size}f", *(x / (10 * UNIT)).ravel()))
        return []
    low, high = x.min(axis=0), x.max(axis=0)
    ranges = [int(v) for v in high - low + 1]
    bits = (ranges[0] * ranges[1] * ranges[2]).bit_length()
    stream = ""
    for p in x - low:
        number = (int(p[0]) * ranges[1] + int(p[1])) * ranges[2] + int(p[2])
        data = number.to_bytes((bits + 7) // 8, "little")
        whole = "".join(f"{byte:08b}" for byte in data)
        last = (bits - 1) % 8 + 1
        stream += whole[:-8] + whole[-last:] + "0"  # no atoms follow as differences
    code = int(stream.ljust((len(stream) + 7) // 8 * 8, "0"), 2).to_bytes((len(stream) + 7) // 8, "big")
    path.write_bytes(
        head + struct.pack(">f7iI", 10.0 * UNIT, *low, *high, 20, len(code)) + code + bytes(-len(code) % 4)
    )
    return []


# Name, writer, integer multiples of 0.0001 Angstrom per step of its precision, units per Angstrom.
FORMATS = (
    ("xyz", write_xyz, 1, 1),
    ("extxyz", write_extxyz, 1, 1),
    ("dump", write_dump, 1, 1),
    ("pdb", write_pdb, 10, 1),
    ("gro", write_gro, 1, 10),
    ("xtc", write_xtc, 1, 10),
)


def counted(program, path, options, r_max, width, per_angstrom):
    """Counts of all species pairs together, and of pairs out of range."""
    output = path.with_name(path.name + f".{width}.h5")
    words = rdf(
        program, [path], output, "--r-max", f"{r_max / UNIT / per_angstrom:.6g}", "--bins", r_max // width, *options
    )
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{path}: exit code {run.returncode}: {run.stderr}")
    with h5py.File(output) as file:
        histogram = file["observables/pair_distance_histogram"]
        value = histogram["value"][()].sum(axis=(0, 1))
        return numpy.append(value, histogram["overflow"][()].sum())


def check(arguments, number):
    """Messages about one crystal, and whether a shell is on an edge; the number of counts."""
    rng = random.Random(f"{arguments.seed} {number}")
    crystal = Crystal(rng, number)
    widths = [round(w * UNIT) for w in arguments.widths]
    widths = widths if arguments.crystals >= 100 else [rng.choice(widths)]
    wrong = []
    runs = 0
    with tempfile.TemporaryDirectory(prefix="starhist-crystals-") as folder:
        for name, write, grid, per_angstrom in FORMATS:
            path = pathlib.Path(folder) / f"crystal.{name}"
            options = write(crystal, path)
            for width in widths:
                expected = crystal.counts(grid, width)
                counts = counted(arguments.program, path, options, crystal.r_max, width, per_angstrom)
                runs += 1
                differ = numpy.flatnonzero(counts != expected)
                if len(differ) > 0:
                    k = differ[0]
                    wrong.append(
                        f"crystal {number} ({crystal.kind}, {len(crystal.names)} atoms) as {name}, w = {width / UNIT}: "
                        f"bin {k} has {counts[k]} pairs, not {expected[k]}"
                    )
    return wrong, runs


def main():
    parser = make_parser(__doc__)
    parser.add_argument(
        "--crystals", type=int, default=100, help="number of crystals; with less than 100 one width each"
    )
    parser.add_argument("--widths", type=float, nargs="+", default=[0.01, 0.02, 0.05], help="of bins, in angstrom")
    parser.add_argument("--jobs", type=int, default=2, help="crystals at a time")
    arguments = parser.parse_args()
    right = runs = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for wrong, of_crystal in pool.map(lambda k: check(arguments, k), range(arguments.crystals)):
            print(*wrong, sep="\n", end="\n" if wrong else "", flush=True)
            right += not wrong
            runs += of_crystal
    print(f"seed {arguments.seed}: {right} of {arguments.crystals} crystals, {runs} counts")
    sys.exit(0 if right == arguments.crystals else 1)


if __name__ == "__main__":
    main()
