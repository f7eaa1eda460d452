"""Amber's restart files of text: (6F12.7) positions, velocities perhaps, a box perhaps."""

import math

from file_frame import FileFrame, Reader
from frame_readers.amber_topology import angles_of, source_of
from frame_readers.lattices import cell_box
from frame_readers.text_lines import TextLines, fixed_fields, fixed_reals, is_reals, number_of, whole_number_of
from refused import Refused


def header_of(lines):
    """Number of atoms, and time [ps] or None."""
    lines.needed("its title")
    fields = lines.needed("the number of atoms").split()
    if not fields:
        lines.refuse("the number of atoms is expected, but the line is empty")
    atoms = whole_number_of(fields[0], lines, "the number of atoms")
    if atoms < 1:
        lines.refuse(f"lists {atoms} atoms")
    return atoms, number_of(fields[1], lines, "a time") if len(fields) > 1 else None


class Restart(Reader):
    """One frame. Which lines are velocities and which one the box follows from their number."""

    frames, length_unit, time_unit = 1, "A", "ps"

    def __init__(self, source):
        lines = TextLines(source.path)
        self.atoms, self.time = header_of(lines)
        self.positions = fixed_reals(lines, 3 * self.atoms, 12, 6, "a line of positions").reshape(-1, 3)
        self.rest = []
        while (line := lines.next()) is not None and len(self.rest) <= self.lines_of_vectors + 1:
            if line.strip():
                self.rest.append((lines.number, line))
        self.ended = lines.ended
        self.structure_path = source.structure

    @property
    def lines_of_vectors(self):
        return math.ceil(self.atoms / 2)

    def box_fields(self):
        """The numbers of the box; None without one. Raises Refused where lines cannot be told apart."""
        count, due = len(self.rest), self.lines_of_vectors
        if count == 0:
            return None
        one_line = self.atoms <= 2  # velocities of one line, as a box
        if count == 1 and one_line and len(fixed_fields(self.rest[0][1], 12)) == 3 * self.atoms:
            raise Refused(
                f"line {self.rest[0][0]} is the velocities or the box of {self.atoms} atoms, which cannot be told apart"
            )
        if count == due and not (count == 1 and len(fixed_fields(self.rest[0][1], 12)) != 3 * self.atoms):
            return None
        if count not in (1, due + 1):
            raise Refused(
                f"{count} lines follow the positions of {self.atoms} atoms, where velocities have {due} and a box one"
            )
        number, line = self.rest[-1]
        fields = fixed_fields(line, 12)
        cut = not self.ended and len(fields[-1]) < 12
        if cut or len(fields) not in (3, 6) or not all(is_reals(field, 1) for field in fields):
            raise Refused(
                f"line {number} is no box: three lengths, or three lengths and three angles in columns of 12 characters"
            )
        return [float(field) for field in fields]

    def box(self):
        fields = self.box_fields()
        if fields is None:
            return None, (True, True, True), ""
        if len(fields) == 3:
            if max(fields) == 0:
                return cell_box([0, 0, 0, 90, 90, 90])
            angles = angles_of(self.structure_path)
            if isinstance(angles, str):
                raise Refused(angles)
            fields += angles
        return cell_box(fields)

    def read(self, _index):
        try:
            box, periodic, refusal = self.box()
        except Refused as error:
            box, periodic, refusal = None, (True, True, True), str(error)
        fields = len(fixed_fields(self.rest[-1][1], 12)) if self.rest else 0
        return FileFrame(self.positions, box, 0, self.time, periodic, refusal, source_of(fields, self.structure_path))
