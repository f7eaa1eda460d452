"""MOL2: positions as doubles, and the cell of CRYSIN, which MDAnalysis leaves out. Each molecule of a file is a frame."""

import numpy

from file_frame import FileFrame
from frame_readers.crystal_card import card_box
from frame_readers.names import NamedFile
from frame_readers.text_lines import TextLines, real_fields, whole_number_of
from refused import Refused


class Mol2(NamedFile):
    length_unit, time_unit = "A", ""

    def __init__(self, form, path):
        self.form, self.path = form, path
        self.lines = TextLines(path)
        self.places = []
        place, line = self.lines.place(), self.lines.next()
        while line is not None:
            if line.startswith("@<TRIPOS>MOLECULE"):
                self.places.append(place)
            place, line = self.lines.place(), self.lines.next()
        if not self.places:
            raise Refused("has no @<TRIPOS>MOLECULE")
        self.frames = len(self.places)
        self.names = None
        self.substructures = []  # numbers and names, of the atoms of the frame read last
        self.atoms = len(self.read(0).positions)

    def table(self):
        """Residues are read here: MDAnalysis gives equal numbers one name, and atoms without a number the number 1."""
        table = {key: values for key, values in super().table().items() if not key.startswith("residue")}
        self.read(0)
        if all(len(fields) == 2 for fields in self.substructures):
            numbers, table["residue_name"] = zip(*self.substructures)
            table["residue"] = [whole_number_of(number, self.lines, "the number of a residue") for number in numbers]
        return table

    def data_line(self, what):
        line = self.lines.needed(what)
        while not line.strip() or line.startswith("#"):
            line = self.lines.needed(what)
        return line

    def atom_lines(self, count):
        names, positions, self.substructures = [], numpy.empty((count, 3)), []
        for k in range(count):
            fields = self.data_line("an atom").split()
            if len(fields) < 6:
                self.lines.refuse("is not an atom, which has number, name, x, y, z and type")
            names.append(fields[1])
            self.substructures.append(fields[6:8])
            positions[k] = real_fields(" ".join(fields[2:5]), self.lines, "a position", 3)
        return names, positions

    def read(self, index):
        lines = self.lines
        lines.go(self.places[index])
        lines.next()
        lines.needed("the name of a molecule")
        count = whole_number_of(self.data_line("the number of atoms").split()[0], lines, "the number of atoms")
        frame, names, card = None, None, None
        while (line := lines.next()) is not None and not line.startswith("@<TRIPOS>MOLECULE"):
            if line.startswith("@<TRIPOS>ATOM"):
                names, positions = self.atom_lines(count)
                frame = (
                    FileFrame(positions) if frame is None else lines.refuse("is a second @<TRIPOS>ATOM of a molecule")
                )
            elif line.startswith("@<TRIPOS>CRYSIN"):
                card = self.data_line("the cell of CRYSIN")
        if frame is None:
            raise Refused("has no @<TRIPOS>ATOM")
        if card is not None:
            frame.box, frame.periodic, frame.box_refusal = card_box(card, "CRYSIN")
        self.names = self.names or names
        if names != self.names:
            raise Refused(
                "names other atoms than the first molecule: a file of different molecules is no trajectory (split it)"
            )
        return frame


def open_file(form, path, _atoms):
    return Mol2(form, path)


def read_structure(form, path):
    return Mol2(form, path).table()
