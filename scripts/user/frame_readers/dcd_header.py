"""The header of a DCD file: steps, time step and version, in either byte order, and whether the file is cut short.

MDAnalysis does not swap the time step, and leaves out an incomplete last frame without a word.
"""

import os
import struct

from refused import Refused

MARKER = 4  # bytes before and after each record
AKMA = 0.04888821  # CHARMM's unit of time [ps]
FEMTOSECOND = 0.001  # CP2K's unit of time [ps]


class DcdHeader:
    version, first_step, interval, time_step = 0, 0, 1, 0.0  # version: CHARMM's number; 0 of X-PLOR
    time_unit = AKMA  # [ps]
    of_cp2k = of_cpptraj = False  # whether these programs wrote the file
    is_cut = False  # whether the file ends within a frame

    def __init__(self, path):
        with open(path, "rb") as file:
            head = file.read(92)
            order = byte_order(head)
            if order is None:
                return  # MDAnalysis has a message for it
            numbers = struct.unpack(order + "20i", head[8:88])
            self.version, self.first_step, self.interval = numbers[19], numbers[1], numbers[2]
            if numbers[11] and self.version:
                raise Refused(
                    "has a fourth coordinate for each atom, which MDAnalysis does not read (write it without dynamics in four dimensions)"
                )
            # X-PLOR has a double.
            (self.time_step,) = struct.unpack_from(order + ("f" if self.version else "d"), head, 44)
            sizes = [read_record(file, order) for _ in range(2)]  # title, number of atoms
            if sizes[0] and b"created by CP2K" in sizes[0][1]:
                self.time_unit, self.of_cp2k = FEMTOSECOND, True
            self.of_cpptraj = bool(sizes[0]) and b"cpptraj generated" in sizes[0][1].lower()
            if None not in sizes and sizes[1][0] == 4:
                atoms = struct.unpack(order + "i", sizes[1][1])[0]
                cell = 48 + 2 * MARKER if self.version and numbers[10] else 0
                first = cell + 3 * (4 * atoms + 2 * MARKER)
                later = cell + 3 * (4 * (atoms - numbers[8]) + 2 * MARKER)
                begin = file.tell()
                if numbers[8]:  # the list of atoms that are not fixed
                    begin += 4 * (atoms - numbers[8]) + 2 * MARKER
                rest = os.path.getsize(path) - begin - first
                self.is_cut = rest > 0 and later > 0 and rest % later != 0

    def time(self, index):
        """Time of a frame [ps]; None if the header has no interval."""
        if not self.interval or not self.time_step:
            return None
        interval = nearby_decimal(self.interval * self.time_step * self.time_unit)
        return (self.first_step / self.interval + index) * interval


def nearby_decimal(value):
    """Returns the shortest decimal within a few float32 roundings of `value`, such as a time step stored in other
    units."""
    rounded = (float(f"{value:.{digits}e}") for digits in range(17))
    return next(decimal for decimal in rounded if abs(decimal - value) <= 2**-22 * abs(value))


def byte_order(head):
    """ "<" or ">"; None for other files."""
    for order in "<>":
        for marker in "iq":
            size = struct.calcsize(order + marker)
            is_header = len(head) >= size + 84 and head[size : size + 4] == b"CORD"
            if is_header and struct.unpack(order + marker, head[:size])[0] == 84:
                if marker == "q":
                    raise Refused(
                        "has record lengths of 64 bits, which MDAnalysis does not read (catdcd or mdconvert writes it anew)"
                    )
                return order
    return None


def read_record(file, order):
    """Size and content of the next record; None at the end of the file."""
    marker = file.read(MARKER)
    if len(marker) < MARKER:
        return None
    (size,) = struct.unpack(order + "i", marker)
    content = file.read(min(max(size, 0), 1 << 24))
    file.read(MARKER)
    return size, content
