"""Trajectories for compare_peers.py, read without starhist: H5MD, LAMMPS dumps, GRO."""

import gzip
import itertools
import pathlib
from dataclasses import dataclass, field

import h5py
import numpy as np


class BadInput(Exception):
    """A mistake of the user; printed without a traceback."""


@dataclass
class System:
    """Frames of a trajectory, lengths in the file's own unit.

    positions: species -> [frames, N, 3], float32 or float64 as the file has them; cells: [frames, 3, 3],
    rows are the edge vectors, float64. All axes are periodic.
    """

    path: pathlib.Path
    positions: dict
    cells: np.ndarray
    unit: str = ""
    native: bool = True  # starhist reads the file itself
    r_max: float = 0.0
    bins: int = 200
    pairs: list = field(default_factory=list)

    @property
    def name(self):
        # GRO files are often called conf.gro: include the folders.
        parent = self.path.resolve().parent
        same = self.path.stem == "conf"
        folder = parent.parent.name if parent.name == "atomistic" else parent.name
        return folder if same else self.path.stem

    @property
    def frames(self):
        return len(self.cells)


def shortest_vector(cell):
    """Length of the shortest lattice vector; of cells with edges that are not much too long."""
    steps = np.array([n for n in itertools.product(range(-2, 3), repeat=3) if any(n)])
    return float(np.linalg.norm(steps @ cell, axis=1).min())


def smallest_width(cell):
    """Between opposite faces of the cell."""
    return float(1.0 / np.linalg.norm(np.linalg.inv(cell), axis=0).max())


def read_h5md(path, frames):
    with h5py.File(path, "r") as file:
        group = next(iter(file["particles"].values()))
        position = group["position/value"]
        unit = position.attrs.get("unit", "")
        species = group["species"]
        species = species["value"][0] if isinstance(species, h5py.Group) else species[()]
        kind = h5py.check_enum_dtype(group["species"].dtype) if isinstance(group["species"], h5py.Dataset) else None
        names = {number: name for name, number in kind.items()} if kind else {k: str(k) for k in set(species)}
        x = position[:frames]
        edges = group["box/edges"]
        cells = np.asarray(edges["value"][:frames] if isinstance(edges, h5py.Group) else [edges[()]] * len(x), float)
        boundary = np.atleast_1d(group["box"].attrs["boundary"]).astype(str)
        if any(axis != "periodic" for axis in boundary):
            raise BadInput(f"{path}: its box is not periodic along all axes")
    if cells.ndim == 2:
        cells = np.array([np.diag(cell) for cell in cells])
    return System(
        path,
        {names[k]: x[:, species == k] for k in sorted(names)},
        cells,
        unit.decode() if isinstance(unit, bytes) else str(unit),
    )


def dump_cell(header, bounds):
    """Edge vectors and origin from BOX BOUNDS, as LAMMPS' manual (Howto_triclinic) has them."""
    tilt = [row[2] for row in bounds] if "xy xz yz" in header else [0.0, 0.0, 0.0]
    xy, xz, yz = tilt
    low = np.array([bounds[0][0] - min(0, xy, xz, xy + xz), bounds[1][0] - min(0, yz), bounds[2][0]])
    high = np.array([bounds[0][1] - max(0, xy, xz, xy + xz), bounds[1][1] - max(0, yz), bounds[2][1]])
    x, y, z = high - low
    return np.array([[x, 0, 0], [xy, y, 0], [xz, yz, z]]), low


def read_dump(path, frames):
    positions, cells, order = {}, [], None
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="ascii") as file:
        while len(cells) < frames and (line := file.readline()):
            if line.startswith("ITEM: NUMBER OF ATOMS"):
                count = int(file.readline())
            elif line.startswith("ITEM: BOX BOUNDS"):
                cell, origin = dump_cell(line, [[float(word) for word in file.readline().split()] for _ in range(3)])
            elif line.startswith("ITEM: ATOMS"):
                columns = line.split()[2:]
                rows = np.array([file.readline().split() for _ in range(count)])
                rows = rows[np.argsort(rows[:, columns.index("id")].astype(int))]
                prefix = "x" if "x" in columns else "xs"
                at = columns.index(prefix)
                x = rows[:, at : at + 3].astype(float)
                x = x if prefix == "x" else origin + x @ cell
                types = rows[:, columns.index("type")]
                order = sorted(set(types)) if order is None else order
                for kind in order:
                    positions.setdefault(kind, []).append(x[types == kind])
                cells.append(cell)
    if not cells:
        raise BadInput(f"{path}: holds no frame of a LAMMPS dump")
    return System(path, {kind: np.array(x) for kind, x in positions.items()}, np.array(cells), "A")


def read_gro(path):
    """The one frame of a GRO file; as GROMACS itself reads it, in float32. Species are atom names."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    count = int(lines[1])
    atoms = lines[2 : 2 + count]
    width = atoms[0].index(".", 25) - atoms[0].index(".", 20)
    x = np.array([[line[20 + width * k : 20 + width * (k + 1)] for k in range(3)] for line in atoms]).astype("f4")
    names = np.array([line[10:15].strip() for line in atoms])
    box = [float(word) for word in lines[2 + count].split()] + [0.0] * 6
    cell = np.array([[box[0], box[3], box[4]], [box[5], box[1], box[6]], [box[7], box[8], box[2]]])
    return System(
        path,
        {name: x[None, names == name] for name in sorted(set(names))},
        cell.astype("f4").astype(float)[None],
        "nm",
        native=False,
    )


def write_h5md(system, path, species):
    """For starhist, where it does not read the file itself."""
    with h5py.File(path, "w", libver=("v108", "v108")) as file:
        file.create_group("h5md").attrs["version"] = [1, 1]
        group = file.create_group("particles/all")
        x = np.concatenate([system.positions[name] for name in species], axis=1)
        position = group.create_dataset("position/value", data=x, chunks=(1, *x.shape[1:]))
        position.attrs["unit"] = system.unit
        group["position/step"] = np.arange(system.frames)
        box = group.create_group("box")
        box.attrs["dimension"] = 3
        box.attrs.create("boundary", [b"periodic"] * 3, dtype="S8")
        box["edges/value"] = system.cells
        box["edges/step"] = group["position/step"]
        numbers = np.repeat(np.arange(len(species)), [system.positions[name].shape[1] for name in species])
        kind = h5py.enum_dtype({name: k for k, name in enumerate(species)}, basetype="i4")
        group.create_dataset("species", data=numbers.astype("i4"), dtype=kind)


def read_system(description):
    """ "PATH[,r_max=R][,bins=N][,pairs=A-A+A-B][,frames=F]"."""
    name, *settings = description.split(",")
    given = dict(part.partition("=")[::2] for part in settings)
    unknown = set(given) - {"r_max", "bins", "pairs", "frames"}
    path = pathlib.Path(name)
    if unknown:
        raise BadInput(f"'{description}': {', '.join(sorted(unknown))} is not one of r_max, bins, pairs, frames")
    if not path.is_file():
        raise BadInput(f"{path}: file not found")
    try:
        frames, bins = int(given.get("frames", 3)), int(given.get("bins", 200))
        r_max = float(given.get("r_max", 0))
        if frames < 1 or bins < 1 or not 0 <= r_max < np.inf:
            raise BadInput(f"'{description}': frames and bins are at least 1, r_max is positive")
        if path.suffix == ".gro":
            system = read_gro(path)
        elif h5py.is_hdf5(path):
            system = read_h5md(path, frames)
        else:
            system = read_dump(path, frames)
    except (ValueError, KeyError, IndexError, OSError) as error:
        raise BadInput(f"{description}: cannot be read ({error})") from error
    system.bins = bins
    # Two digits below half the smallest width, where all programs can be compared.
    half = min(map(smallest_width, system.cells)) / 2
    system.r_max = r_max or float(f"{0.995 * half:.1e}")
    if not r_max and system.r_max >= half:
        system.r_max = float(f"{0.9 * half:.1e}")
    for pair in given["pairs"].split("+") if "pairs" in given else ["-".join([next(iter(system.positions))] * 2)]:
        a, dash, b = pair.partition("-")
        for species in (a, b):
            if not dash or species not in system.positions:
                raise BadInput(f"{path}: '{pair}' is not a pair of its species, {', '.join(system.positions)}")
        system.pairs.append((a, b))
    return system
