"""MOL2: positions as doubles, the cell of CRYSIN, atoms and bonds. Each molecule of a file is a frame."""

import numpy

from file_frame import FileFrame, Reader, molecules_of_bonds
from frame_readers.crystal_card import card_box
from frame_readers.text_lines import TextLines, number_of, real_fields, whole_number_of
from refused import Refused

# Of SYBYL's atom types, such as C.ar; types of force fields, such as CA, do not specify one.
ELEMENTS = set("H Li C N O F Na Mg Al Si P S Cl K Ca Cr Mn Fe Co Cu Zn Se Br Mo Sn I".split())


def element_of(kind):
    element = kind.partition(".")[0]
    return element if element in ELEMENTS else ""


class Mol2(Reader):
    length_unit = "A"

    def __init__(self, source):
        self.lines = TextLines(source.path)
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
        self.rows = []  # fields of the atoms of the frame read last
        self.atoms = len(self.read(0).positions)

    def table(self):
        charges, bonds = self.read_names()
        ids = {row[0]: k for k, row in enumerate(self.rows)}
        if bonds and len(ids) != self.atoms:
            raise Refused("has bonds and several atoms with one number (number the atoms from 1)")
        table = {"count": self.atoms, "name": self.names, "type": [row[5] for row in self.rows]}
        table["element"] = [element_of(kind) for kind in table["type"]]
        if all(len(row) > 7 for row in self.rows):
            table["residue"] = [whole_number_of(row[6], self.lines, "the number of a residue") for row in self.rows]
            table["residue_name"] = [row[7] for row in self.rows]
            # Its hydrogens may follow after all other atoms.
            table["part"] = [residue % 2**32 for residue in table["residue"]]
        if charges and all(len(row) > 8 for row in self.rows):
            table["charge"] = [number_of(row[8], self.lines, "a charge") for row in self.rows]
        try:
            table["molecule"] = molecules_of_bonds(self.atoms, [(ids[first], ids[second]) for first, second in bonds])
        except KeyError as error:
            raise Refused(f"has a bond of the atom {error}, which is not in it (copy the file again)") from error
        return table

    def read_names(self):
        """Reads the first molecule; returns whether it has charges, and pairs of the atom numbers that are bonded."""
        self.read(0)
        lines = self.lines
        lines.go(self.places[0])
        lines.next()
        lines.next()
        counts = self.data_line("the numbers of atoms and bonds").split()
        lines.next()
        charges, bonds, in_bonds = (lines.next() or "").strip() != "NO_CHARGES", [], False
        while (line := lines.next()) is not None and not line.startswith("@<TRIPOS>MOLECULE"):
            if line.startswith("@"):
                in_bonds = line.startswith("@<TRIPOS>BOND")
            elif in_bonds and line.strip() and not line.startswith("#"):
                bonds.append(self.bond(line))
        if len(counts) > 1 and len(bonds) < whole_number_of(counts[1], lines, "the number of bonds"):
            raise Refused(f"has {len(bonds)} of the {counts[1]} bonds of its first molecule (copy the file again)")
        return charges, bonds

    def bond(self, line):
        fields = line.split()
        if len(fields) < 4:
            self.lines.refuse("is not a bond, which has number, two atoms and type (copy the file again)")
        return fields[1:3]

    def data_line(self, what):
        line = self.lines.needed(what)
        while not line.strip() or line.startswith("#"):
            line = self.lines.needed(what)
        return line

    def atom_lines(self, count):
        names, positions, self.rows = [], numpy.empty((count, 3)), []
        for k in range(count):
            fields = self.data_line("an atom").split()
            if len(fields) < 6:
                self.lines.refuse("is not an atom, which has number, name, x, y, z and type")
            names.append(fields[1])
            self.rows.append(fields)
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
                lines.refuse_cut(len(card.split()) < 7)
        if frame is None:
            raise Refused("has no @<TRIPOS>ATOM")
        if card is not None:
            frame.box, frame.periodic, frame.box_refusal = card_box(card, "CRYSIN")
            group = card.split()[6:7]
            if frame.box is not None and group not in ([], ["1"], ["1.0"], ["P1"], ["0"]):
                problem = f"its CRYSIN has the space group {group[0]}, so that atoms of its copies may be missing"
                frame.box, frame.box_refusal = None, problem
        self.names = self.names or names
        if names != self.names:
            raise Refused(
                "names other atoms than the first molecule: a file of different molecules is no trajectory (split it)"
            )
        return frame
