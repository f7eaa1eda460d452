"""chemfiles as a reader. Lengths in Angstrom; its numbers are not correctly rounded.

Does not read LAMMPS data files: chemfiles loops forever on some, and needs the ids 1 to N.
"""

import chemfiles
import numpy as np

from readers.reading import FrameData, Reading

chemfiles.set_warnings_callback(lambda message: None)


def frame_of(frame, scale):
    positions = np.array(frame.positions, float) * scale
    cell = frame.cell
    shape = cell.shape
    if shape == chemfiles.CellShape.Infinite:
        return FrameData(positions)
    matrix = np.array(cell.matrix, float).T * scale  # its matrix has the vectors as columns
    return FrameData(positions, matrix=matrix)


def property_of(thing, name):
    try:
        return thing[name]
    except chemfiles.ChemfilesError:
        return None


def residue_columns(topology):
    """Returns columns from the residues; no columns if some atoms have no residue."""
    count = len(topology.atoms)
    number, name, chain, icode, segment, label = ([None] * count for _ in range(6))
    for k, residue in enumerate(topology.residues):
        for atom in residue.atoms:
            number[atom], name[atom], label[atom] = residue.id, residue.name, k
            chain[atom] = property_of(residue, "chainid")
            icode[atom] = property_of(residue, "insertion_code") or ""
            segment[atom] = property_of(residue, "segname")
    if None in label:
        return {}
    columns = {"resid": number, "resname": name, "residue": label}
    if None not in chain:
        columns["chain"], columns["icode"] = [c.strip() for c in chain], icode
    if None not in segment:
        columns["segment"] = segment
    return columns


def read(case, form="", scale=1.0, names=("name",), residues=True, tolerance=1e-14, box=1e-9):
    frames, columns = [], {}
    with chemfiles.Trajectory(case.path, "r", form) as trajectory:
        for step in range(trajectory.nsteps):
            frame = trajectory.read_step(step)
            frames.append(frame_of(frame, scale))
            if step == 0:
                topology = frame.topology
                for field in names:
                    columns[field] = [getattr(atom, "name" if field == "name" else "type") for atom in topology.atoms]
                if residues:
                    columns.update(residue_columns(topology))
                if "mass" in case.tags or "masses" in case.tags:
                    columns["mass"] = [atom.mass for atom in topology.atoms]
    return Reading(frames, columns, tolerance=tolerance, box_tolerance=max(box, tolerance))


def read_extxyz(case):
    reading = read(case, "XYZ", residues=False)
    if case.truth and "element" in case.truth.columns:
        reading.columns = {}
    for frame in reading.frames:  # it turns cells so that a lies along x
        frame.oriented = False
    return reading


def read_xyz(case):
    return read(case, "XYZ", residues=False)


def read_pdb(case):
    reading = read(case, "PDB")
    if case.truth and "element" in case.truth.columns:
        reading.columns["element"] = None
    return reading


def read_single(form):
    return lambda case: read(case, form, names=(), residues=False, tolerance=1e-6, box=1e-6)


def read_nanometres(form):
    return lambda case: read(
        case,
        form,
        0.1,
        names=("name",) if form == "GRO" else (),
        residues=form == "GRO",
        tolerance=1e-14 if form == "GRO" else 1e-6,
    )


READERS = {
    "extxyz": read_extxyz,
    "xyz": read_xyz,
    "pdb": read_pdb,
    "mmcif": lambda case: read(case, "mmCIF"),
    "mmtf": lambda case: read(case, "MMTF", tolerance=1e-6, box=1e-6),
    "gro": read_nanometres("GRO"),
    "xtc": read_nanometres("XTC"),
    "trr": read_nanometres("TRR"),
    "dcd": read_single("DCD"),
    "netcdf": read_single("Amber NetCDF"),
}
