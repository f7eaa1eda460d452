"""OVITO as a reader."""

import os

os.environ.setdefault("OVITO_LOG_LEVEL", "0")
import numpy as np
from ovito.io import import_file

from readers.reading import FrameData, Reading


def column(particles, name):
    return np.array(particles[name]) if name in particles else None


def frame_of(data, scale):
    particles = data.particles
    ids = column(particles, "Particle Identifier")
    frame = FrameData(np.array(particles.positions, float) * scale, ids=None if ids is None else ids.tolist())
    if scale != 1.0 and data.cell is not None:  # of GRO: it puts the box around the origin
        frame.positions = frame.positions - np.array(data.cell)[:, 3] * scale
    if data.cell is not None and np.any(np.array(data.cell)[:, :3]):
        frame.matrix = np.array(data.cell)[:, :3].T * scale  # its vectors are columns
        frame.periodic = tuple(bool(p) for p in data.cell.pbc)
    if "Timestep" in data.attributes:
        frame.step = int(data.attributes["Timestep"])
    if "Time" in data.attributes:
        frame.time = float(data.attributes["Time"])
    return frame


def type_names(particles, name):
    """Returns the type names of a property, or None if one is missing."""
    if name not in particles:
        return None
    types = particles[name]
    names = {t.id: t.name for t in types.types}
    found = [names.get(int(k), "") for k in types]
    return found if all(found) else None


def read(case, scale=1.0, tolerance=0.0, type_field="name", residues=False, axes=True):
    pipeline = import_file(case.path)
    frames, columns = [], {}
    for k in range(pipeline.source.num_frames):
        data = pipeline.compute(k)
        frames.append(frame_of(data, scale))
        if not axes:
            frames[-1].periodic = None
        if k == 0:
            particles = data.particles
            columns["id"] = frames[0].ids
            columns[type_field] = type_names(particles, "Particle Type")
            molecules = column(particles, "Molecule Identifier")
            if molecules is not None:
                columns["molecule"] = [m if m else f"atom {k}" for k, m in enumerate(molecules.tolist())]
            charges = column(particles, "Charge")
            if charges is not None:
                columns["charge"] = charges.tolist()
            masses = column(particles, "Mass")
            if masses is not None:
                columns["mass"] = masses.tolist()
            if residues:
                columns["resname"] = type_names(particles, "Residue Type")
                numbers = column(particles, "Residue Identifier")
                columns["resid"] = None if numbers is None else numbers.tolist()
    return Reading(frames, columns, tolerance=tolerance, box_tolerance=max(tolerance, 1e-12))


def read_xyz(case):
    reading = read(case, type_field="name", residues=True)
    if case.truth and "element" in case.truth.columns:
        reading.columns["element"] = reading.columns.pop("name")
    if case.format == "xyz":
        for frame in reading.frames:  # it puts a box around the particles
            frame.matrix = frame.periodic = None
    return reading


def read_dump(case):
    reading = read(case)
    reading.columns.pop("name", None)
    return reading


def read_data(case):
    reading = read(case, tolerance=1e-13)  # its numbers are not correctly rounded
    reading.columns.pop("name", None)
    return reading


def read_gro(case):
    reading = read(case, 0.1, 1e-14, residues=True, axes=False)
    reading.columns.pop("name", None)  # it has the elements that it takes them for
    return reading


def read_pdb(case):
    return read(case, residues=True, axes=False, type_field="element")


READERS = {
    "extxyz": read_xyz,
    "xyz": read_xyz,
    "dump": read_dump,
    "data": read_data,
    "gro": read_gro,
    "pdb": read_pdb,
    "mmcif": read_pdb,
    "netcdf": lambda case: read(case, 1.0, 1e-6),
    "gsd": lambda case: read(case, 1.0, 1e-6),
}
