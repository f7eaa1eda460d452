"""Amber's trajectories of text (mdcrd): (10F8.3) positions, and perhaps a line of the box after each frame."""

import math

import numpy

from file_frame import FileFrame, Reader
from frame_readers.amber_topology import angles_of, source_of
from frame_readers.lattices import cell_box
from frame_readers.text_lines import TextLines, cut_within, fixed_fields, fixed_reals, leave_out_cut_frame
from refused import Refused

COLUMNS, WIDTH = 10, 8
WHERE = "the box behind a frame"


class AmberText(Reader):
    length_unit = "A"

    def __init__(self, source):
        if source.atoms is None:
            raise Refused("does not list the number of its atoms: give --structure")
        self.atoms, self.structure_path = source.atoms, source.structure
        self.lines = TextLines(source.path)
        self.lines.needed("its title")
        self.lines_of_positions = math.ceil(3 * self.atoms / COLUMNS)
        self.box_columns = self.find_box()
        self.angles = None  # of boxes that have lengths only, from the structure
        self.places = self.find_frames()
        leave_out_cut_frame(self)
        self.frames = len(self.places)

    def find_box(self):
        """Numbers of the line behind the first frame that are a box: 0, 3 or 6."""
        begin = self.lines.place()
        self.lines.skip(self.lines_of_positions)
        line = self.lines.next() or ""
        number, ended = self.lines.number, self.lines.ended
        self.lines.go(begin)
        count = len(fixed_fields(line, WIDTH))
        first = min(3 * self.atoms, COLUMNS)  # numbers of a frame's first line
        if count == 0:
            return 0
        if count != first and not ended:
            raise Refused(
                f"line {number} ends the file without a line break, and is a box or the cut beginning of a frame (copy "
                "the file again; if it is a box, add a line break)"
            )
        if count == first and count in (3, 6):
            raise Refused(
                f"line {number} is a box or the positions of {self.atoms} atoms, which cannot be told apart: "
                "write the trajectory as NetCDF (cpptraj's trajout a.nc)"
            )
        if count not in (first, 3, 6):
            raise Refused(
                f"line {number} has {count} numbers, where a frame of {self.atoms} atoms begins with {first} and a box "
                "has 3 or 6 (does the structure belong to it?)"
            )
        return 0 if count == first else count

    def find_frames(self):
        places, due = [], self.lines_of_positions + bool(self.box_columns)
        while True:
            place = self.lines.place()
            line = self.lines.next()
            if self.lines.is_over(line):
                break
            if not self.lines.skip(due - 1):
                self.truncation = cut_within(len(places))
                break
            places.append(place)
        if not places:
            raise Refused(f"has no whole frame of {self.atoms} atoms (does the structure belong to it?)")
        return places

    def box(self, numbers):
        if max(map(abs, numbers)) == 0:
            return None, (True, True, True), ""
        if len(numbers) == 3:
            if self.angles is None:
                self.angles = angles_of(self.structure_path)
            if isinstance(self.angles, str):
                return None, (True, True, True), self.angles
            numbers = [*numbers, *self.angles]
        return cell_box(numbers)

    def read(self, index):
        self.lines.go(self.places[index])
        positions = fixed_reals(self.lines, 3 * self.atoms, WIDTH, COLUMNS, "a line of positions").reshape(-1, 3)
        frame = FileFrame(positions)
        if self.box_columns:
            numbers = fixed_reals(self.lines, self.box_columns, WIDTH, COLUMNS, WHERE)
            frame.box, frame.periodic, frame.box_refusal = self.box(numpy.asarray(numbers))
            frame.box_source = source_of(self.box_columns, self.structure_path)
        return frame
