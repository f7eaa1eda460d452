"""DL_POLY's CONFIG and HISTORY: positions as doubles, the cell as a matrix, steps and times."""

import numpy

from file_frame import FileFrame, Reader
from frame_readers.dl_poly_cell import dl_poly_box
from frame_readers.text_lines import TextLines, cut_within, is_reals, leave_out_cut_frame, real_fields, whole_number_of
from refused import Refused

VALUES = {0: 1, 1: 2, 2: 3}  # lines of an atom below its name: positions, velocities, forces


def lines_per_atom(key, lines, what):
    if key not in VALUES:
        lines.refuse(f"{what} is {key}, and DL_POLY has 0, 1 and 2")
    return VALUES[key]


def atom_of(line, lines):
    """Name and number of an atom, in columns or, as DL_POLY 4 reads them, between blanks; None if it has no number, as
    in CONFIG of DL_POLY Classic."""
    name, number = line[:8].strip(), line[8:18].split()
    if not name:
        lines.refuse("names no atom")
    if len(name.split()) > 1 and (not number or line[7:9].isdigit()):
        name, *number = line.split()
    return name, whole_number_of(number[0], lines, "the number of an atom") if number else None


class Atoms:
    """Atoms of a frame, in the order of their numbers."""

    def __init__(self):
        self.names, self.numbers, self.positions = [], [], []

    def read(self, lines, line, extra):
        name, number = atom_of(line, lines)
        self.names.append(name)
        self.numbers.append(number)
        self.positions.append(lines.whole_reals("a position", 3))
        if extra and not lines.skip(extra):
            raise Refused(f"ends within atom {len(self.names)} (it is cut short: copy it again)")

    def sorted(self):
        """Names and positions (atoms, 3)."""
        positions = numpy.array(self.positions, dtype="f8").reshape(-1, 3)
        if all(number is None for number in self.numbers):
            return self.names, positions
        if None in self.numbers or len(set(self.numbers)) != len(self.numbers):
            raise Refused("has atoms with the same number, or without one")
        order = numpy.argsort(numpy.array(self.numbers))
        return [self.names[k] for k in order], positions[order]


def cell_of(lines):
    return [lines.whole_reals("a cell vector", 3) for _ in range(3)]


class DlPolyFile(Reader):
    length_unit, time_unit = "A", "ps"

    def __init__(self, source):
        self.lines = TextLines(source.path)
        self.lines.needed("its title")
        self.names = None
        self.read_header()

    def table(self):
        return {"count": self.atoms, "name": self.names}

    def checked(self, atoms):
        names, positions = atoms.sorted()
        if self.names is None:
            self.names, self.atoms = names, len(names)
        if names != self.names:
            raise Refused("names other atoms than the first frame")
        return positions

    def header_numbers(self, what):
        fields = self.lines.needed(what).split()
        if len(fields) < 2:
            self.lines.refuse(f"has {len(fields)} numbers, where {what} has two or more")
        self.header_fields = len(fields)
        return [whole_number_of(field, self.lines, what) for field in fields[:3]]


class Config(DlPolyFile):
    frames = 1

    def read_header(self):
        key, imcon, *atoms = self.header_numbers("the line of levcfg and imcon")
        extra = lines_per_atom(key, self.lines, "levcfg") - 1
        cell = cell_of(self.lines) if imcon > 0 else None
        read = Atoms()
        line = self.lines.next()
        while not self.lines.is_over(line):
            read.read(self.lines, line, extra)
            line = self.lines.next()
        # If a time step or an energy follows, the third number may be the step of the run.
        if self.header_fields == 3 and atoms[0] not in (0, len(read.names)):
            raise Refused(
                f"has {len(read.names)} atoms, and its second line lists {atoms[0]} (it is cut short: copy it again)"
            )
        self.frame = FileFrame(self.checked(read), *dl_poly_box_of(imcon, cell))

    def read(self, _index):
        return self.frame


def dl_poly_box_of(imcon, cell, step=0, time=None):
    """The arguments of a FileFrame behind its positions."""
    box, periodic, refusal = dl_poly_box(imcon, cell)
    return box, step, time, periodic, refusal, f"matrix of the file, imcon {imcon}"


class History(DlPolyFile):
    def read_header(self):
        header = self.header_numbers("the line of keytrj, imcon and number of atoms")
        if len(header) < 3:
            self.lines.refuse("does not list the number of atoms")
        key, self.imcon, self.atoms = header
        self.extra = lines_per_atom(key, self.lines, "keytrj") - 1
        self.places = self.find_frames()
        if not self.places:
            raise Refused("has no whole frame")
        leave_out_cut_frame(self)
        self.frames = len(self.places)
        self.read(0)

    def take_timestep(self, line):
        """Step and time [ps] of a frame's first line: timestep nstep natms keytrj imcon tstep [time]."""
        lines, fields = self.lines, line.split()
        if len(fields) < 6 or fields[0] != "timestep":
            lines.refuse("is not a timestep line")
        step, atoms, key, imcon = (whole_number_of(field, lines, "the line of a timestep") for field in fields[1:5])
        if (atoms, key, imcon) != (self.atoms, self.extra, self.imcon):
            lines.refuse(
                f"lists {atoms} atoms, keytrj {key} and imcon {imcon}, and the second line of the file "
                f"{self.atoms}, {self.extra} and {self.imcon} (files of several runs cannot be read as one: split it)"
            )
        times = real_fields(" ".join(fields[5:7]), lines, "a time")
        return step, times[1] if len(times) > 1 else step * times[0]

    def cell(self):
        """The cell's three lines, which may be there without boundaries, too."""
        place = self.lines.place()
        is_cell = is_reals(self.lines.needed("a cell vector or an atom"), 3)
        self.lines.go(place)
        return cell_of(self.lines) if is_cell else None

    def find_frames(self):
        """Where whole frames begin."""
        places, self.moments = [], []
        for place, line in self.lines.heads():
            moment = self.take_timestep(line)
            try:
                self.cell()
            except Refused:
                self.truncation = cut_within(len(places))
                return places
            if not self.lines.skip(self.atoms * (2 + self.extra)):
                self.truncation = cut_within(len(places))
                return places
            places.append(place)
            self.moments.append(moment)
        return places

    def moment(self, index):
        return self.moments[index]

    def read(self, index):
        self.lines.go(self.places[index])
        step, time = self.take_timestep(self.lines.needed("a timestep"))
        cell = self.cell()
        atoms = Atoms()
        for _ in range(self.atoms):
            atoms.read(self.lines, self.lines.needed("an atom"), self.extra)
        return FileFrame(self.checked(atoms), *dl_poly_box_of(self.imcon, cell, step, time))
