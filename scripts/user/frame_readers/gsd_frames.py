"""HOOMD-blue's GSD, in the units of the run: positions, boxes with tilt factors, steps, molecules."""

import sys

import gsd.hoomd
import numpy

from file_frame import FileFrame, Reader, molecules_of_bonds
from refused import Refused


def open_trajectory(path):
    mode = "rb" if hasattr(gsd.hoomd, "Snapshot") and not hasattr(gsd.hoomd, "Frame") else "r"
    try:
        return gsd.hoomd.open(name=path, mode=mode)
    except RuntimeError as error:
        if "schema version" not in str(error):
            raise
        raise Refused(
            f"needs a later version of the Python package gsd than {sys.executable} has: run `pip install --upgrade gsd`, "
            "and set STARHIST_PYTHON to that Python"
        ) from error


def types_of(frame):
    """The name of each particle's type."""
    names = numpy.array(frame.particles.types or ["A"], dtype=object)
    numbers = numpy.asarray(frame.particles.typeid)
    if len(numbers) and max(numbers) >= len(names):
        raise Refused(f"has particles of type {max(numbers)}, and names {len(names)} types")
    return names[numbers].tolist()


def body_links(body):
    """Pairs (first particle, another one) of each rigid body; particles of body -1 are free."""
    first = {}
    return [(first.setdefault(number, particle), particle) for particle, number in enumerate(body) if number >= 0]


def particles_of(frame):
    """The particles of a frame. Molecules are what bonds and rigid bodies connect; there are no residues."""
    particles, names = frame.particles, types_of(frame)
    links = numpy.asarray(frame.bonds.group).reshape(-1, 2).tolist() + body_links(
        numpy.asarray(particles.body, "i4").tolist()
    )
    return {
        "count": len(names),
        "name": names,
        "type": names,
        "molecule": molecules_of_bonds(len(names), links),
        "mass": numpy.asarray(particles.mass, "f8"),
        "charge": numpy.asarray(particles.charge, "f8"),
    }


class GsdFrames(Reader):
    def __init__(self, source):
        self.file = open_trajectory(source.path)
        self.frames = len(self.file)
        self.types = types_of(self.file[0]) if self.frames else []
        self.atoms = len(self.types)
        self.changing_types = self.types_of_all_frames()

    def box(self, index):
        """Matrix and periodic axes of Lx, Ly, Lz, xy, xz, yz (HOOMD-blue's documentation, "Box")."""
        chunks, name = self.file.file, "configuration/box"
        rows = [row for row in (index, 0) if chunks.chunk_exists(frame=row, name=name)]
        if not rows:
            return None, (True, True, True)
        x, y, z, xy, xz, yz = (float(value) for value in chunks.read_chunk(frame=rows[0], name=name))
        is_flat = z == 0 or self.file[index].configuration.dimensions == 2
        return numpy.array([[x, 0, 0], [xy * y, y, 0], [xz * z, yz * z, z]]), (True, True, not is_flat)

    def types_of_all_frames(self):
        """Names of the types of all frames, sorted, if particles or their types change; else []."""
        names, changes, chunks = set(self.types), False, ("particles/N", "particles/typeid", "particles/types")
        for index in range(1, self.frames):
            if any(self.file.file.chunk_exists(frame=index, name=name) for name in chunks):
                types = types_of(self.file[index])
                changes = changes or types != self.types
                names.update(types)
        return sorted(names) if changes else []

    def moment(self, index):
        chunks, name = self.file.file, "configuration/step"
        rows = [row for row in (index, 0) if chunks.chunk_exists(frame=row, name=name)]
        return int(chunks.read_chunk(frame=rows[0], name=name)[0]) if rows else 0, None

    def table(self):
        return particles_of(self.file[0]) if self.frames else None

    @classmethod
    def structure(cls, source):
        return particles_of(open_trajectory(source.path)[0])

    def read(self, index):
        frame = self.file[index]
        box, periodic = self.box(index)
        read = FileFrame(
            numpy.array(frame.particles.position),
            box,
            *self.moment(index),
            periodic,
            box_source="lengths and tilts of the file",
        )
        if self.changing_types:
            types = types_of(frame)
            read.types, read.types_differ = numpy.searchsorted(self.changing_types, types), types != self.types
        return read
