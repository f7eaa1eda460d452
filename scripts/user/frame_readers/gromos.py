"""GROMOS11's trajectories (trc): blocks of TIMESTEP, POSITIONRED and GENBOX, as the GROMOS manual (volume 4) has them."""

import math

import numpy

from file_frame import FileFrame, Reader
from frame_readers.lattices import body_centred, cell_box, numbers
from frame_readers.text_lines import TextLines, cut_within, real_fields, whole_number_of
from refused import Refused

# Blocks that cannot change positions or boxes.
IGNORED = {
    "TITLE",
    "VELOCITY",
    "VELOCITYRED",
    "FREEFORCE",
    "FREEFORCERED",
    "CONSFORCE",
    "CONSFORCERED",
    "LATTICESHIFTS",
    "COSDISPLACEMENTS",
    "STOCHINT",
    "NHCVARIABLES",
    "ROTTRANSREFPOS",
    "PERTDATA",
    "DISRESEXPAVE",
    "JVALUERESEXPAVE",
    "JVALUERESEPS",
    "JVALUEPERSCALE",
    "ORDERPARAMRESEXPAVE",
    "XRAYRESEXPAVE",
    "LEUSBIAS",
    "LEUSBIASBAS",
    "BFACTOR",
    "AEDSS",
    "REFPOSITION",
    "ENERGY03",
    "VOLUMEPRESSURE03",
    "FREEENERGYDERIVS03",
    "SHAKEFAILPOSITION",
    "SHAKEFAILPREVPOSITION",
}
USED = ("TIMESTEP", "POSITIONRED", "GENBOX")


def genbox(rows):
    """(matrix, periodic axes, refusal) of a GENBOX block: kind, lengths, angles, Euler angles, origin."""
    every = (True, True, True)
    kind = rows[0][0]
    if kind == 0:
        return None, every, ""
    if kind not in (1, 2, -1):
        return None, every, f"its GENBOX has the kind {kind:g}, and GROMOS has 0, 1, 2 and -1"
    if len(rows) < 4 or [len(row) for row in rows[1:4]] != [3, 3, 3]:
        return None, every, "its GENBOX does not have lengths, angles and Euler angles of three numbers each"
    lengths, angles, euler = rows[1:4]
    if any(euler):
        return None, every, f"its GENBOX is turned by the Euler angles {numbers(euler)}"
    if kind == -1:
        a, b, c = lengths
        if not a == b == c > 0:
            return None, every, f"its GENBOX is a truncated octahedron of the lengths {numbers(lengths)}"
        return body_centred(a, b, c), every, ""
    if kind == 1 and any(angle != 90 for angle in angles):
        return None, every, f"its GENBOX is rectangular and has the angles {numbers(angles)}"
    return cell_box([*lengths, *angles])


class Gromos(Reader):
    """A frame ends before the block that began the first one."""

    length_unit, time_unit = "nm", "ps"

    def __init__(self, source):
        self.lines = TextLines(source.path)
        self.first = None  # block that begins each frame
        self.places = self.find_frames()
        self.frames = len(self.places)
        if not self.places:
            raise Refused("has no whole frame: POSITIONRED")
        self.atoms = len(self.read(0).positions)

    def next_block(self):
        """Name of the next block; None behind the last one."""
        line = self.lines.next()
        while line is not None and (not line.strip() or line.lstrip().startswith("#")):
            line = self.lines.next()
        if line is None:
            return None
        name = line.strip()
        if name not in USED and name not in IGNORED:
            self.lines.refuse(f"'{name[:40]}' is not a known block of a GROMOS trajectory")
        return name

    def block_lines(self, name):
        line = self.lines.needed(f"END of {name}")
        while line.strip() != "END":
            if not line.lstrip().startswith("#"):
                yield line
            line = self.lines.needed(f"END of {name}")

    def find_frames(self):
        places, has_positions = [], False
        try:
            while True:
                place = self.lines.place()
                name = self.next_block()
                if name is None:
                    break
                if name in USED:
                    self.first = self.first or name
                    if name == self.first:
                        places.append(place)
                        has_positions = False
                    has_positions = has_positions or name == "POSITIONRED"
                for _ in self.block_lines(name):
                    pass
        except Refused as error:
            if "cut short" not in str(error) or not places:
                raise
            has_positions = False
        if places and not has_positions:
            places.pop()
            self.truncation = cut_within(len(places))
        return places

    def positions(self):
        values = [real_fields(line, self.lines, "a position", 3) for line in self.block_lines("POSITIONRED")]
        return numpy.array(values, dtype="f8").reshape(-1, 3)

    def timestep(self):
        fields = " ".join(self.block_lines("TIMESTEP")).split()
        if len(fields) < 2:
            self.lines.refuse("ends a TIMESTEP without step and time")
        return whole_number_of(fields[0], self.lines, "a step"), real_fields(fields[1], self.lines, "a time")[0]

    def moment(self, index):
        self.lines.go(self.places[index])
        return self.timestep() if self.next_block() == "TIMESTEP" else (0, None)

    def read(self, index):
        self.lines.go(self.places[index])
        frame, name, seen = FileFrame(numpy.empty((0, 3))), self.next_block(), set()
        while name is not None and not (name == self.first and seen):
            if name in seen and name in USED:
                self.lines.refuse(f"is a second {name} of a frame")
            seen.add(name)
            if name == "TIMESTEP":
                frame.step, frame.time = self.timestep()
            elif name == "POSITIONRED":
                frame.positions = self.positions()
            elif name == "GENBOX":
                rows = [real_fields(line, self.lines, "a box") for line in self.block_lines(name) if line.strip()]
                frame.box, frame.periodic, frame.box_refusal = genbox(rows or [[math.nan]])
            else:
                for _ in self.block_lines(name):
                    pass
            name = self.next_block()
        return frame
