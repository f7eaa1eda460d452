"""ASE as a reader. Lengths in Angstrom: GRO is scaled by it."""

import ase.io

from readers.reading import FrameData, Reading


def frames_of(images, scale=1.0, **kwargs):
    frames = []
    for atoms in images:
        open_box = not atoms.cell.array.any()
        frames.append(
            FrameData(
                atoms.get_positions() * scale,
                matrix=None if open_box else atoms.cell.array * scale,
                periodic=tuple(bool(p) for p in atoms.pbc),
                **kwargs,
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
        frame.oriented = "general triclinic" in case.tags or frame.oriented
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


def read_pdb(case):
    images = images_of(case.path, "proteindatabank")
    first = images[0]
    frames = frames_of(images)
    for frame in frames:
        frame.periodic = None if frame.matrix is None else frame.periodic
    columns = {"name": [str(x).strip() for x in first.arrays["atomtypes"]]}
    if "residuenames" in first.arrays:
        columns["resname"] = [str(x).strip() for x in first.arrays["residuenames"]]
    if "residuenumbers" in first.arrays:
        columns["resid"] = [int(x) for x in first.arrays["residuenumbers"]]
    return Reading(frames, columns, tolerance=0.0, box_tolerance=1e-9)


def read_gro(case):
    images = images_of(case.path, "gromacs")
    frames = frames_of(images, 0.1)
    for frame in frames:
        frame.periodic = None if frame.matrix is None else frame.periodic
    first = images[0]
    columns = {}
    if "atomtypes" in first.arrays:
        columns["name"] = [str(x).strip() for x in first.arrays["atomtypes"]]
    if "residuenames" in first.arrays:
        columns["resname"] = [str(x).strip() for x in first.arrays["residuenames"]]
    if "residuenumbers" in first.arrays:
        columns["resid"] = [int(x) for x in first.arrays["residuenumbers"]]
    return Reading(frames, columns, tolerance=1e-14)


def read_netcdf(case):
    return Reading(frames_of(images_of(case.path, "netcdftrajectory")), tolerance=1e-6)


def read_config(case):
    images = images_of(case.path, "dlp4")
    frames = frames_of(images)
    return Reading(frames, {})


def read_history(case):
    images = images_of(case.path, "dlp-history")
    return Reading(frames_of(images), {})


READERS = {
    "extxyz": read_extxyz,
    "xyz": read_xyz,
    "dump": read_dump,
    "data": read_data,
    "pdb": read_pdb,
    "gro": read_gro,
    "netcdf": read_netcdf,
    "config": read_config,
    "history": read_history,
}
