"""ParmEd as a reader. Lengths in Angstrom; boxes as lengths and angles."""

import numpy as np
import parmed

from readers.reading import FrameData, Reading, cell_matrix


def columns_of(structure):
    atoms = structure.atoms
    return {
        "name": [a.name for a in atoms],
        "resname": [a.residue.name for a in atoms],
        "resid": [a.residue.number for a in atoms],
        "chain": [a.residue.chain for a in atoms],
        "icode": [a.residue.insertion_code.strip() for a in atoms],
        "residue": [a.residue.idx for a in atoms],
    }


def box_of(numbers, scale):
    if numbers is None or not np.any(numbers[:3]):
        return None
    return cell_matrix(numbers[:3], numbers[3:]) * scale


def read_structure(case, scale=1.0, chains=True):
    structure = parmed.load_file(case.path, **({"structure": True} if case.format == "pdb" else {}))
    coordinates = structure.get_coordinates("all")
    coordinates = np.asarray(coordinates, float).reshape(-1, len(structure.atoms), 3)
    frames = [FrameData(each * scale, oriented=False, matrix=box_of(structure.box, scale)) for each in coordinates]
    columns = columns_of(structure)
    if not chains:
        del columns["chain"], columns["icode"]
    return Reading(frames, columns, tolerance=1e-9, box_tolerance=1e-7)


def read_prmtop(case):
    structure = parmed.amber.AmberParm(case.path)
    columns = columns_of(structure)
    del columns["chain"], columns["icode"]
    columns["mass"] = [atom.mass for atom in structure.atoms]
    columns["resid"] = [atom.residue.idx + 1 for atom in structure.atoms]
    return Reading([], columns, tolerance=1e-6)


def read_restart(case):
    found = parmed.amber.Rst7(case.path)
    frame = FrameData(
        np.asarray(found.coordinates, float).reshape(-1, 3),
        oriented=False,
        matrix=box_of(found.box, 1.0),
        time=float(found.time) or None,
    )
    return Reading([frame], {}, tolerance=1e-12, box_tolerance=1e-7)


def read_netcdf(case):
    found = parmed.amber.NetCDFTraj.open_old(case.path)
    frames = [
        FrameData(np.asarray(each, float), oriented=False, matrix=box_of(found.box[k], 1.0) if found.hasbox else None)
        for k, each in enumerate(found.coordinates)
    ]
    return Reading(frames, {}, tolerance=1e-6, box_tolerance=1e-6)


READERS = {
    "pdb": read_structure,
    "mmcif": read_structure,
    "gro": lambda case: read_structure(case, 0.1, chains=False),
    "prmtop": read_prmtop,
    "restart": read_restart,
    "netcdf": read_netcdf,
}
