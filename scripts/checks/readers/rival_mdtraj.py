"""mdtraj as a reader. Positions in float32, lengths in nm; boxes as lengths and angles."""

import mdtraj
import numpy as np
from mdtraj.formats.pdb.pdbfile import PDBTrajectoryFile
from mdtraj.formats.pdbx.pdbxfile import PDBxFile

from readers.reading import FrameData, Reading, cell_matrix

# It replaces names of residues and atoms by its own, which is an option for PDB only.
PDBTrajectoryFile._loadNameReplacementTables = staticmethod(lambda: None)
PDBxFile._loadNameReplacementTables = staticmethod(lambda: None)


def frames_of(trajectory, scale):
    frames = []
    for k in range(trajectory.n_frames):
        frame = FrameData(np.array(trajectory.xyz[k], float) * scale, oriented=False)
        if trajectory.unitcell_lengths is not None:
            frame.matrix = cell_matrix(trajectory.unitcell_lengths[k], trajectory.unitcell_angles[k]) * scale
        frames.append(frame)
    return frames


def columns_of(topology):
    atoms = list(topology.atoms)
    return {
        "name": [a.name for a in atoms],
        "resname": [a.residue.name for a in atoms],
        "resid": [a.residue.resSeq for a in atoms],
        "residue": [a.residue.index for a in atoms],
    }


def whole(trajectory, scale=10.0):
    return Reading(frames_of(trajectory, scale), columns_of(trajectory.topology), tolerance=2e-6, box_tolerance=1e-5)


def read_pdb(case):
    trajectory = mdtraj.load_pdb(case.path, standard_names=False)
    reading = whole(trajectory)
    segments = [a.segment_id for a in trajectory.topology.atoms]
    if any(segments):
        reading.columns["segment"] = segments
    return reading


def bare(opener):
    """Reads a file of coordinates, which needs no topology, by its own class."""

    def read(case):
        with opener(case.path) as file:
            found = file.read()
        xyz = found[0]
        lengths, angles = found[-2:]
        frames = []
        for k, positions in enumerate(np.asarray(xyz)):
            frame = FrameData(np.array(positions, float), oriented=False)
            if lengths is not None and np.any(lengths[k]):
                frame.matrix = cell_matrix(lengths[k], angles[k])
            frames.append(frame)
        return Reading(frames, {}, tolerance=2e-6, box_tolerance=1e-5)

    return read


def gromacs(opener, boxes):
    """XTC and TRR: the box is a matrix."""

    def read(case):
        with opener(case.path) as file:
            found = file.read()
        frames = []
        for k, positions in enumerate(found[0]):
            box = found[boxes]  # None if the first frame has no box
            matrix = None if box is None else np.array(box[k], float)
            frames.append(
                FrameData(
                    np.array(positions, float),
                    time=float(found[1][k]),
                    step=int(found[2][k]),
                    matrix=matrix if matrix is not None and matrix.any() else None,
                )
            )
        return Reading(frames, {}, tolerance=1e-6, box_tolerance=1e-7)

    return read


def read_restart(case):
    with mdtraj.formats.AmberRestartFile(case.path) as file:
        xyz, _, lengths, angles = file.read()
    frame = FrameData(np.array(xyz[0] if np.ndim(xyz) == 3 else xyz, float), oriented=False)
    if lengths is not None:
        frame.matrix = cell_matrix(np.ravel(lengths), np.ravel(angles))
    return Reading([frame], {}, tolerance=2e-6, box_tolerance=1e-5)


READERS = {
    "pdb": read_pdb,
    "mmcif": lambda case: whole(mdtraj.load(case.path)),
    "gro": lambda case: whole(mdtraj.load(case.path), 1.0),
    "xtc": gromacs(mdtraj.formats.XTCTrajectoryFile, 3),
    "trr": gromacs(mdtraj.formats.TRRTrajectoryFile, 3),
    "dcd": bare(mdtraj.formats.DCDTrajectoryFile),
    "netcdf": bare(mdtraj.formats.NetCDFTrajectoryFile),
    "restart": read_restart,
}
