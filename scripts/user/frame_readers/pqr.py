"""PQR: positions as doubles, and the box of its CRYST1, which MDAnalysis leaves out."""

import numpy

from file_frame import FileFrame
from frame_readers.crystal_card import COLUMNS, card_box
from frame_readers.names import NamedFile
from frame_readers.text_lines import TextLines, is_reals, real_fields
from refused import Refused


def position_of(line, lines):
    """x, y, z, charge and radius are last, except for an element behind them."""
    fields = line.split()
    if not is_reals(fields[-1], 1):
        fields.pop()
    if len(fields) < 10:
        lines.refuse(
            "does not have the fields of an atom between blanks: number, name, residue, its number, x, y, z, charge, radius"
        )
    return real_fields(" ".join(fields[-5:-2]), lines, "a position", 3)


class Pqr(NamedFile):
    frames, length_unit = 1, "A"

    def __init__(self, source):
        super().__init__(source)
        lines, positions, cards, models = TextLines(source.path), [], set(), 0
        while (line := lines.next()) is not None:
            if line.startswith(("ATOM", "HETATM")):
                positions.append(position_of(line, lines))
            elif line.startswith("CRYST1"):
                cards.add(line.rstrip())
            models += line.split()[:1] == ["MODEL"]
        if models > 1:
            raise Refused(f"has {models} models, and a PQR is one frame (write a file for each)")
        self.atoms = len(positions)
        self.frame = FileFrame(numpy.array(positions, dtype="f8").reshape(-1, 3))
        if len(cards) > 1:
            self.frame.box_refusal = f"has {len(cards)} different CRYST1"
        elif cards:
            self.frame.box, self.frame.periodic, self.frame.box_refusal = card_box(cards.pop(), "CRYST1", COLUMNS)

    def read(self, _index):
        return self.frame
