"""Tinker's txyz and arc: positions as doubles, a line of the box perhaps before the atoms of each frame."""

import numpy

from file_frame import FileFrame
from frame_readers.lattices import cell_box
from frame_readers.names import NamedFile
from frame_readers.text_lines import TextLines, cut_within, is_reals, leave_out_cut_frame, real_fields, whole_number_of
from refused import Refused


class Tinker(NamedFile):
    length_unit = "A"

    def __init__(self, source):
        super().__init__(source)
        self.lines = TextLines(source.path)
        self.atoms = None
        self.names = None
        self.places = self.find_frames()
        leave_out_cut_frame(self)
        self.frames = len(self.places)

    def take_head(self, line):
        """The number of atoms, and the numbers of the box or None; the next line is the first atom's."""
        atoms = whole_number_of(line.split()[0], self.lines, "the number of atoms")
        if atoms < 1:
            self.lines.refuse(f"lists {atoms} atoms")
        place = self.lines.place()
        second = self.lines.needed("the box or an atom")
        if is_reals(second, 6):
            return atoms, real_fields(second, self.lines, "a box", 6)
        self.lines.go(place)
        return atoms, None

    def find_frames(self):
        places = []
        for place, line in self.lines.heads():
            try:
                atoms, _ = self.take_head(line)
                whole = self.lines.skip(atoms)
            except Refused:
                if places and self.lines.next() is None:
                    whole = False
                else:
                    raise
            if not whole:
                self.truncation = cut_within(len(places))
                break
            self.atoms = self.atoms or atoms
            if atoms != self.atoms:
                self.lines.number = place[1] + 1
                self.lines.refuse(f"frame {len(places)} has {atoms} atoms, the first one {self.atoms} (split the file)")
            places.append(place)
        if not places:
            raise Refused("has no whole frame")
        return places

    def read(self, index):
        lines = self.lines
        lines.go(self.places[index])
        _, cell = self.take_head(lines.needed("the number of atoms"))
        names, positions = [], numpy.empty((self.atoms, 3))
        for k in range(self.atoms):
            fields = lines.needed("an atom").split()
            if len(fields) < 6 or fields[0] != str(k + 1):
                lines.refuse(f"is not atom {k + 1}: number, name, x, y, z, type and bonds")
            names.append(fields[1])
            positions[k] = real_fields(" ".join(fields[2:5]), lines, "a position", 3)
        self.names = self.names or names
        if names != self.names:
            raise Refused("names other atoms than the frames before it")
        frame = FileFrame(positions)
        if cell is not None:
            frame.box, frame.periodic, frame.box_refusal = cell_box(cell)
        return frame
