"""HOOMD-blue's GSD, in the units of the run: positions, boxes with tilt factors, steps."""
import gsd.hoomd
import numpy

from file_frame import FileFrame


def open_trajectory(path):
    mode = "rb" if hasattr(gsd.hoomd, "Snapshot") and not hasattr(gsd.hoomd, "Frame") else "r"
    return gsd.hoomd.open(name=path, mode=mode)


class GsdFrames:
    length_unit, time_unit = "", ""

    def __init__(self, form, path):
        self.form, self.path = form, path
        self.file = open_trajectory(path)
        self.frames = len(self.file)
        self.atoms = int(self.file[0].particles.N) if self.frames else 0

    def table(self):
        import mdanalysis_file
        return mdanalysis_file.read_structure(self.form, self.path)

    def box(self, index):
        """Matrix and periodic axes of Lx, Ly, Lz, xy, xz, yz (HOOMD-blue's documentation, "Box")."""
        chunks, name = self.file.file, "configuration/box"
        rows = [row for row in (index, 0) if chunks.chunk_exists(frame=row, name=name)]
        if not rows:
            return None, (True, True, True)
        x, y, z, xy, xz, yz = (float(value) for value in chunks.read_chunk(frame=rows[0], name=name))
        is_flat = z == 0 or self.file[index].configuration.dimensions == 2
        return numpy.array([[x, 0, 0], [xy * y, y, 0], [xz * z, yz * z, z]]), (True, True, not is_flat)

    def read(self, index):
        frame = self.file[index]
        box, periodic = self.box(index)
        return FileFrame(numpy.array(frame.particles.position), box, int(frame.configuration.step or 0), None, periodic)


def open_file(form, path, _atoms):
    return GsdFrames(form, path)
