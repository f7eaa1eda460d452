"""CHARMM's coordinates (CRD): positions as doubles; the format has no box."""
import numpy

from file_frame import FileFrame
from refused import Refused
from frame_readers.names import NamedFile, read_structure  # noqa: F401
from frame_readers.text_lines import TextLines, real_fields, whole_number_of

STANDARD, EXTENDED = (20, 10), (40, 20)  # first column of x, and width of a coordinate


class CharmmCard(NamedFile):
    frames, length_unit, time_unit = 1, "A", ""

    def __init__(self, form, path):
        self.form, self.path = form, path
        lines = TextLines(path)
        line = lines.needed("the number of atoms")
        while line.startswith("*") or not line.strip():
            line = lines.needed("the number of atoms")
        words = line.split()
        self.atoms = whole_number_of(words[0], lines, "the number of atoms")
        if self.atoms < 1:
            raise Refused(f"lists {self.atoms} atoms")
        extended = "EXT" in words[1:] or self.atoms > 99999
        begin, width = EXTENDED if extended else STANDARD
        self.positions = numpy.empty((self.atoms, 3))
        for k in range(self.atoms):
            numbers = lines.needed("an atom")[begin:begin + 3 * width]
            if len(numbers.split()) != 3:  # columns that touch
                numbers = " ".join(numbers[column:column + width] for column in (0, width, 2 * width))
            self.positions[k] = real_fields(numbers, lines, "a position", 3)

    def read(self, _index):
        return FileFrame(self.positions)


def open_file(form, path, _atoms):
    return CharmmCard(form, path)
