"""DCD, Amber and GROMACS binaries, GSD and H5MD. The first three are written number by number."""

import struct

import numpy as np

from readers.reading import FrameData, Reading, cell_matrix
from readers.system import AXES, Case, general_matrix, generator, lengths_and_angles, restricted_matrix, write_lines


def singles(rng, count, low=-20.0, high=30.0):
    """[count][3] random float32."""
    return np.array([[rng.uniform(low, high) for _ in range(3)] for _ in range(count)], "f4")


def record(file, order, data):
    """A record of a Fortran file: its length in front of it and behind."""
    size = struct.pack(order + "i", len(data))
    file.write(size + data + size)


def shape_matrix(matrix):
    """The symmetric square root of the cell's metric tensor, as CHARMM stores crystals."""
    values, vectors = np.linalg.eigh(matrix @ matrix.T)
    return vectors @ np.diag(np.sqrt(values)) @ vectors.T


def dcd_cell(rng, form, kind):
    """(six numbers of a unit cell, its matrix)."""
    lengths, angles = lengths_and_angles(rng, kind)
    a, b, c = lengths
    if form == "charmm shape":
        symmetric = shape_matrix(cell_matrix(lengths, angles))
        return [
            symmetric[0, 0],
            symmetric[1, 0],
            symmetric[1, 1],
            symmetric[2, 0],
            symmetric[2, 1],
            symmetric[2, 2],
        ], symmetric
    matrix = cell_matrix(lengths, angles)
    if form == "degrees":
        return [a, angles[2], b, angles[1], angles[0], c], matrix
    cosines = [0.0 if x == 90 else float(np.cos(np.radians(x))) for x in angles]
    return [a, cosines[2], b, cosines[1], cosines[0], c], matrix


def make_dcd(seed, stem):
    rng, tags = generator("dcd", seed), set()
    count, frames = rng.randint(2, 8), []
    form = rng.choice(("no cell", "degrees", "cosines", "charmm shape"))
    kind = rng.choice(("orthorhombic", "hexagonal", "triclinic", "octahedron"))
    if form == "charmm shape" and kind == "orthorhombic":
        form = "degrees"
    order = rng.choice("<<>")
    tags |= {f"cell {form}", f"box {kind}"} | ({"big endian"} if order == ">" else set())
    n_frames = rng.randint(1, 4)
    control = [0] * 20
    control[0], control[1], control[2] = n_frames, 100, 100
    # Word 20 is CHARMM's version; NAMD writes 24. Shape matrices are written since 22.
    control[19] = 35 if form == "charmm shape" else 24
    control[10] = 0 if form == "no cell" else 1
    path = stem + ".dcd"
    with open(path, "wb") as file:
        words = (
            struct.pack(order + "9i", *control[:9])
            + struct.pack(order + "f", 0.0204548)
            + struct.pack(order + "10i", *control[10:])
        )
        record(file, order, b"CORD" + words)
        record(file, order, struct.pack(order + "i", 2) + b"Created by a generator".ljust(80) + b"REMARKS".ljust(80))
        record(file, order, struct.pack(order + "i", count))
        for _ in range(n_frames):
            positions, matrix = singles(rng, count), None
            if form != "no cell":
                numbers, matrix = dcd_cell(rng, form, kind)
                record(file, order, struct.pack(order + "6d", *numbers))
            for axis in range(3):
                record(file, order, positions[:, axis].astype(order + "f4").tobytes())
            frames.append(FrameData(positions.astype(float), matrix=matrix, periodic=(matrix is not None,) * 3))
    reading = Reading(frames, {}, length_unit="A", box_tolerance=2e-6)
    return Case(path, "dcd", seed, reading, tags)


def make_netcdf(seed, stem):
    """Amber NetCDF, by the conventions 1.0 (ambermd.org/netcdf/nctraj.xhtml)."""
    import netCDF4

    rng, tags = generator("netcdf", seed), set()
    count, n_frames = rng.randint(2, 8), rng.randint(1, 4)
    kind = rng.choice(("none", "orthorhombic", "triclinic", "octahedron"))
    timed, scaled = rng.random() < 0.8, rng.random() < 0.15
    tags |= {f"box {kind}"} | ({"scale_factor"} if scaled else set())
    path = stem + rng.choice((".nc", ".ncdf"))
    frames = []
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.Conventions, file.ConventionVersion = "AMBER", "1.0"
        file.program, file.programVersion, file.title = "generator", "1", "generated"
        for name, size in (
            ("frame", None),
            ("spatial", 3),
            ("atom", count),
            ("cell_spatial", 3),
            ("cell_angular", 3),
            ("label", 5),
        ):
            file.createDimension(name, size)
        spatial = file.createVariable("spatial", "S1", ("spatial",))
        spatial[:] = list("xyz")
        coordinates = file.createVariable("coordinates", "f4", ("frame", "atom", "spatial"))
        coordinates.units = "angstrom"
        if scaled:
            coordinates.scale_factor = np.float32(2.0)
            coordinates.set_auto_scale(False)
        if timed:
            time = file.createVariable("time", "f4", ("frame",))
            time.units = "picosecond"
        if kind != "none":
            cell = file.createVariable("cell_lengths", "f8", ("frame", "cell_spatial"))
            cell.units = "angstrom"
            corner = file.createVariable("cell_angles", "f8", ("frame", "cell_angular"))
            corner.units = "degree"
        for k in range(n_frames):
            positions, matrix = singles(rng, count), None
            coordinates[k] = positions
            if timed:
                time[k] = 0.5 * k
            if kind != "none":
                lengths, angles = lengths_and_angles(rng, kind)
                cell[k], corner[k] = lengths, angles
                matrix = cell_matrix(lengths, angles)
            frames.append(
                FrameData(
                    positions.astype(float) * (2 if scaled else 1),
                    matrix=matrix,
                    periodic=(matrix is not None,) * 3,
                    time=0.5 * k if timed else None,
                )
            )
    return Case(path, "netcdf", seed, Reading(frames, {}, length_unit="A", box_tolerance=2e-6), tags)


def make_restart(seed, stem):
    """Amber's restart as text (ambermd.org/FileFormats.php)."""
    rng, tags = generator("restart", seed), set()
    count = rng.choice((1, 2, 3, 5, 6, 8))
    boxed, velocities = rng.random() < 0.7, rng.random() < 0.4
    kind = rng.choice(("orthorhombic", "octahedron", "triclinic"))
    tags |= {f"box {kind}" if boxed else "box none", f"{count} atoms"} | ({"velocities"} if velocities else set())
    texts = [[f"{rng.uniform(-20, 30):12.7f}" for _ in range(3)] for _ in range(count)]
    lines = ["generated", f"{count:6d}" + (" 5.0000000E+00" if rng.random() < 0.6 else "")]

    def rows(numbers):
        return ["".join(numbers[k : k + 6]) for k in range(0, len(numbers), 6)]

    lines += rows([x for row in texts for x in row])
    if velocities:
        lines += rows([f"{rng.uniform(-1, 1):12.7f}" for _ in range(3 * count)])
    matrix = None
    if boxed:
        lengths, angles = lengths_and_angles(rng, kind)
        lines.append("".join(f"{x:12.7f}" for x in lengths + angles))
        matrix = cell_matrix(lengths, angles)
    path = stem + rng.choice((".rst7", ".inpcrd", ".restrt"))
    write_lines(path, lines)
    frame = FrameData(np.array(texts, float), matrix=matrix, periodic=(boxed,) * 3)
    return Case(path, "restart", seed, Reading([frame], {}, length_unit="A", box_tolerance=2e-6, tolerance=2e-7), tags)


def xtc_integers(positions):
    """Thousandths of float32 positions as the library stores them: computed in single precision, halves away from 0."""
    scaled = (positions * np.float32(1000)).astype(float)
    return np.trunc((scaled + np.copysign(0.5, scaled)).astype("f4")).astype(float)


def make_gromacs(kind):
    """A generator of XTC or TRR files, by the library of MDAnalysis."""

    def make(seed, stem):

        from MDAnalysis.lib.formats.libmdaxdr import TRRFile, XTCFile

        rng, tags = generator(kind, seed), set()
        count, frames = rng.choice((1, 3, 9, 10, 30)), []
        form = rng.choice(("none", "orthorhombic", "triclinic"))
        tags |= {f"box {form}", f"{count} atoms"}
        path = f"{stem}.{kind}"
        with (XTCFile if kind == "xtc" else TRRFile)(path, "w") as file:
            for k in range(rng.randint(1, 4)):
                matrix = (
                    np.zeros((3, 3), "f4")
                    if form == "none"
                    else restricted_matrix(rng, form == "triclinic").astype("f4")
                )
                positions = singles(rng, count, -3, 9)
                if kind == "xtc":
                    file.write(positions, matrix, 100 * k, 0.5 * k, 1000.0)
                    # For up to 9 atoms the format stores uncompressed floats.
                    exact = xtc_integers(positions) / 1000 if count > 9 else positions.astype(float)
                else:
                    file.write(positions, None, None, matrix, 100 * k, 0.5 * k, 0.0, count)
                    exact = positions.astype(float)
                frames.append(
                    FrameData(
                        exact,
                        step=100 * k,
                        time=0.5 * k,
                        periodic=(form != "none",) * 3,
                        matrix=None if form == "none" else matrix.astype(float),
                    )
                )
        return Case(
            path,
            kind,
            seed,
            Reading(frames, {}, length_unit="nm", time_unit="ps", tolerance=1e-6 if kind == "xtc" else 0.0),
            tags,
        )

    return make


def make_gsd(seed, stem):
    import gsd.hoomd

    rng, tags = generator("gsd", seed), set()
    n_frames, frames = rng.randint(1, 4), []
    count = rng.randint(2, 8)
    changing = rng.random() < 0.25
    tilted = rng.random() < 0.5
    flat = rng.random() < 0.15
    tags |= {"changing N"} if changing else set()
    tags |= {"two dimensions" if flat else "three dimensions", "box triclinic" if tilted else "box orthorhombic"}
    names = ["A", "B", "C"]
    typeid = [rng.randrange(3) for _ in range(count + 3)]
    path = stem + ".gsd"
    with gsd.hoomd.open(path, "w") as file:
        for k in range(n_frames):
            here = count + (k if changing else 0)
            snapshot = gsd.hoomd.Frame()
            lengths = np.array([rng.uniform(6, 30) for _ in range(3)], "f4")
            tilts = np.array([rng.uniform(-0.5, 0.5) for _ in range(3)] if tilted else [0] * 3, "f4")
            if flat:
                lengths[2], tilts[1:] = 1.0, 0
            snapshot.configuration.box = [*lengths, *tilts]
            snapshot.configuration.dimensions = 2 if flat else 3
            snapshot.configuration.step = 100 * k
            positions = singles(rng, here)
            if flat:
                positions[:, 2] = 0
            snapshot.particles.N, snapshot.particles.position = here, positions
            snapshot.particles.types, snapshot.particles.typeid = names, typeid[:here]
            snapshot.particles.mass = [1.5] * here
            file.append(snapshot)
            (lx, ly, lz), (xy, xz, yz) = lengths.astype(float), tilts.astype(float)
            frames.append(
                FrameData(
                    positions.astype(float),
                    step=100 * k,
                    periodic=(True, True, not flat),
                    matrix=np.array([[lx, 0, 0], [xy * ly, ly, 0], [xz * lz, yz * lz, lz]]),
                )
            )
    columns = {} if changing else {"name": [names[t] for t in typeid[:count]]}
    return Case(path, "gsd", seed, Reading(frames, columns, box_tolerance=2e-6), tags)


def make_h5md(seed, stem):
    """H5MD by its specification 1.1, in the dialects of its writers."""
    import h5py

    rng, tags = generator("h5md", seed), set()
    count, n_frames = rng.randint(2, 8), rng.randint(1, 4)
    kind = rng.choice(("none", "vector", "matrix", "general", "left-handed"))
    fixed = rng.random() < 0.3
    periodic = (False,) * 3 if kind == "none" else (True,) * 3 if rng.random() < 0.6 else rng.choice(AXES)
    linear, with_ids = rng.random() < 0.3, rng.random() < 0.4
    double = rng.random() < 0.5
    tags |= {f"edges {kind}", "edges fixed" if fixed else "edges of each frame"}
    tags |= {"steps as increment"} if linear else set()
    path = stem + rng.choice((".h5", ".h5md"))
    positions = np.array(
        [[[rng.uniform(-20, 30) for _ in range(3)] for _ in range(count)] for _ in range(n_frames)],
        "f8" if double else "f4",
    )
    matrices = [
        {
            "none": lambda: np.zeros((3, 3)),
            "vector": lambda: restricted_matrix(rng, False),
            "matrix": lambda: restricted_matrix(rng, True),
            "general": lambda: general_matrix(rng),
            "left-handed": lambda: general_matrix(rng, True),
        }[kind]()
        for _ in range(n_frames)
    ]
    matrices = [matrices[0]] * n_frames if fixed else matrices
    ids = rng.sample(range(1, 50), count)
    unit = rng.choice((None, "nm", "Angstrom"))
    with h5py.File(path, "w") as file:
        head = file.create_group("h5md")
        head.attrs["version"] = [1, 1]
        head.create_group("author").attrs["name"] = "generator"
        creator = head.create_group("creator")
        creator.attrs["name"], creator.attrs["version"] = "generator", "1"
        group = file.create_group("particles/all")
        element = group.create_group("position")
        value = element.create_dataset(
            "value", data=positions, chunks=rng.choice(((1, count, 3), (n_frames, 1, 3), (1, 2, 2), True))
        )
        if unit:
            value.attrs["unit"] = unit
        if linear:
            step = element.create_dataset("step", data=10)
            step.attrs["offset"] = 5
            time = element.create_dataset("time", data=0.5)
            time.attrs["offset"] = 1.0
        else:
            element["step"], element["time"] = 10 * np.arange(n_frames) + 5, 0.5 * np.arange(n_frames) + 1
        box = group.create_group("box")
        box.attrs["dimension"] = 3
        words = ["periodic" if p else "none" for p in periodic]
        box.attrs["boundary"] = np.array(words, "S8") if rng.random() < 0.5 else words
        stored = [np.diag(m) if kind == "vector" else m for m in matrices]
        if kind == "none":
            pass
        elif fixed:
            box["edges"] = stored[0]
        else:
            edges = box.create_group("edges")
            edges["value"] = np.array(stored)
            edges["step"], edges["time"] = element["step"], element["time"]
        if with_ids:
            group["id"] = np.array(ids)
        species = [rng.randint(0, 1) for _ in range(count)]
        named = rng.random() < 0.5
        group.create_dataset(
            "species", data=species, dtype=h5py.enum_dtype({"O": 0, "H": 1}, basetype="i4") if named else "i4"
        )
        mass = rng.random() < 0.3
        if mass:
            group["mass"] = np.array([1.5 + s for s in species])
    frames = [
        FrameData(
            positions[k].astype(float),
            ids=ids if with_ids else None,
            step=10 * k + 5,
            time=0.5 * k + 1,
            periodic=periodic,
            matrix=None if kind == "none" else matrices[k],
        )
        for k in range(n_frames)
    ]
    columns = {"name" if named else "type": ["OH"[s] if named else str(s) for s in species]}
    if with_ids:
        columns["id"] = ids
    if mass:
        columns["mass"] = [1.5 + s for s in species]
    return Case(path, "h5md", seed, Reading(frames, columns, length_unit={"Angstrom": "A"}.get(unit, unit)), tags)
