"""CHARMM's coordinates (CRD): positions as doubles, atoms and residues; the format has no box."""

import re

import numpy

from file_frame import FileFrame, Reader
from frame_readers.text_lines import TextLines, real_fields, whole_number_of
from refused import Refused

STANDARD, EXTENDED = (20, 10), (40, 20)  # first column of x, and width of a coordinate
# Columns of an atom (CHARMM's documentation, "io": (2I5,1X,A4,1X,A4,3F10.5,1X,A4,1X,A4,F10.5), extended I10 and A8).
WORDS = {
    STANDARD: {"part": (5, 10), "residue_name": (11, 15), "name": (16, 20), "segment": (51, 55), "residue": (56, 60)},
    EXTENDED: {
        "part": (10, 20),
        "residue_name": (22, 30),
        "name": (32, 40),
        "segment": (102, 110),
        "residue": (112, 120),
    },
}


class CharmmCard(Reader):
    frames, length_unit = 1, "A"

    def __init__(self, source):
        lines = TextLines(source.path)
        line = lines.needed("its title")
        if not line.startswith("*"):
            lines.refuse("does not begin with *, as CHARMM's titles do (name a restart of Amber .rst7)")
        while line.startswith("*") or not line.strip():
            line = lines.needed("the number of atoms")
        words = line.split()
        self.atoms = whole_number_of(words[0], lines, "the number of atoms")
        if self.atoms < 1:
            raise Refused(f"lists {self.atoms} atoms")
        extended = "EXT" in words[1:] or self.atoms > 99999
        begin, width = columns = EXTENDED if extended else STANDARD
        self.columns = {name: [] for name in (*WORDS[columns], "insertion_code")}
        self.positions = numpy.empty((self.atoms, 3))
        for k in range(self.atoms):
            line = lines.needed("an atom")
            lines.refuse_cut(len(line) < begin + 3 * width)
            numbers = line[begin : begin + 3 * width]
            if len(numbers.split()) != 3:  # columns that touch
                numbers = " ".join(numbers[column : column + width] for column in (0, width, 2 * width))
            self.positions[k] = real_fields(numbers, lines, "a position", 3)
            self.take_names(line, WORDS[columns], lines)

    def take_names(self, line, places, lines):
        """The residue's number in the file divides residues; its number in the segment, as "52A", is that of selections."""
        words = {name: line[begin:end].strip() for name, (begin, end) in places.items()}
        number = re.fullmatch(r"(-?\d+)([A-Za-z]?)", words["residue"] or words["part"])
        if not number:
            lines.refuse(f"has the residue {words['residue']!r}, which is not a number")
        part = whole_number_of(words["part"], lines, "the number of a residue") % 2**32
        for name, value in (words | {"part": part, "residue": int(number[1]), "insertion_code": number[2]}).items():
            self.columns[name].append(value)

    def table(self):
        return {
            "count": self.atoms,
            **{name: values for name, values in self.columns.items() if any(values) or name == "residue"},
        }

    def read(self, _index):
        return FileFrame(self.positions)
