"""ASE as a reader. Lengths in Angstrom: GRO is scaled by it."""

import ase.io

from readers.reading import FrameData, Reading


def frames_of(images, scale=1.0):
    frames = []
    for atoms in images:
        open_box = not atoms.cell.array.any()
        frames.append(
            FrameData(
                atoms.get_positions() * scale,
                matrix=None if open_box else atoms.cell.array * scale,
                periodic=tuple(bool(p) for p in atoms.pbc),
            )
        )
    return frames


def images_of(path, form, **kwargs):
    return ase.io.read(path, index=":", format=form, **kwargs)


def read_extxyz(case):
    images = images_of(case.path, "extxyz")
    frames = frames_of(images)
    for frame, atoms in zip(frames, images):
        if "id" in atoms.arrays:
            frame.ids = atoms.arrays["id"].tolist()
    first = images[0]
    columns = {"name": first.get_chemical_symbols()}
    if case.truth is None or case.truth.columns.get("element") is not None:
        columns = {"element": columns["name"]}
    for field, key in (("resid", "resid"), ("resname", "resname"), ("molecule", "mol")):
        if key in first.arrays:
            columns[field] = first.arrays[key].tolist()
    return Reading(frames, columns)


def read_xyz(case):
    images = images_of(case.path, "xyz")
    return Reading(frames_of(images), {"name": images[0].get_chemical_symbols()})


def read_dump(case):
    images = images_of(case.path, "lammps-dump-text")
    frames = frames_of(images)
    for frame in frames:
        frame.sorted_by_id = True
    return Reading(frames, tolerance=1e-12, box_tolerance=1e-12)


def read_data(case):
    images = images_of(case.path, "lammps-data", **({"atom_style": case.hints["atom_style"]} if case.hints else {}))
    frames = frames_of(images)
    first = images[0]
    columns = {}
    if "id" in first.arrays:
        columns["id"] = first.arrays["id"].tolist()
        frames[0].ids = columns["id"]
    if "mol-id" in first.arrays:
        molecules = first.arrays["mol-id"].tolist()
        columns["molecule"] = [m if m else f"atom {k}" for k, m in enumerate(molecules)]
    if "initial_charges" in first.arrays:
        columns["charge"] = first.get_initial_charges().tolist()
    if "masses" in first.arrays:
        columns["mass"] = first.get_masses().tolist()  # converted from g/mol
    return Reading(frames, columns, tolerance=1e-9, box_tolerance=1e-12)


def read_molecules(case, form, scale, **tolerances):
    """Reads a format that has names of atoms and residues, and no periodic axes without a box."""
    images = images_of(case.path, form)
    frames, arrays = frames_of(images, scale), images[0].arrays
    for frame in frames:
        frame.periodic = None if frame.matrix is None else frame.periodic
    columns = {}
    for field, key, convert in (
        ("name", "atomtypes", str),
        ("resname", "residuenames", str),
        ("resid", "residuenumbers", int),
    ):
        if key in arrays:
            columns[field] = [convert(str(x).strip()) for x in arrays[key]]
    return Reading(frames, columns, **tolerances)


def read_netcdf(case):
    return Reading(frames_of(images_of(case.path, "netcdftrajectory")), tolerance=1e-6)


def read_config(case):
    return Reading(frames_of(images_of(case.path, "dlp4")))


def read_history(case):
    return Reading(frames_of(images_of(case.path, "dlp-history")))


READERS = {
    "extxyz": read_extxyz,
    "xyz": read_xyz,
    "dump": read_dump,
    "data": read_data,
    "pdb": lambda case: read_molecules(case, "proteindatabank", 1.0, box_tolerance=1e-9),
    "gro": lambda case: read_molecules(case, "gromacs", 0.1, tolerance=1e-14),
    "netcdf": read_netcdf,
    "config": read_config,
    "history": read_history,
}
