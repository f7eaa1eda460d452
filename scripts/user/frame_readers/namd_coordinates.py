"""NAMD's binary coordinates: a number of atoms and doubles, of either byte order; the format has no box."""

import os
import struct

import numpy

from file_frame import FileFrame, Reader
from refused import Refused


class NamdCoordinates(Reader):
    frames, length_unit = 1, "A"

    def __init__(self, source):
        size = os.path.getsize(source.path)
        with open(source.path, "rb") as file:
            head = file.read(4)
            counts = {struct.unpack(order + "i", head)[0]: order for order in "<>"} if len(head) == 4 else {}
            fitting = [count for count in counts if count > 0 and size == 4 + 24 * count]
            if not fitting:
                raise Refused(
                    f"has {size} bytes, and NAMD's coordinates of N atoms have 4 + 24 N (it is cut short, or of another format)"
                )
            self.atoms = fitting[0]
            values = numpy.fromfile(file, dtype=counts[self.atoms] + "f8")
        self.positions = values.astype("=f8").reshape(-1, 3)

    def read(self, _index):
        return FileFrame(self.positions)
