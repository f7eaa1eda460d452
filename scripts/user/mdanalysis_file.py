"""Trajectories and structures that MDAnalysis reads (https://www.mdanalysis.org), in the units of the file."""

import io
import os
import warnings

import MDAnalysis
import numpy
from MDAnalysis.coordinates.core import get_reader_for
from MDAnalysis.core.topologyattrs import ResidueAttr, SegmentAttr
from MDAnalysis.lib.util import NamedStream
from MDAnalysis.topology.core import get_parser_for
from MDAnalysis.units import get_conversion_factor

from file_frame import MATRIX, FileFrame, molecules_of_bonds
from frame_readers.crystal_card import crystal_box
from frame_readers.dcd_cell import dcd_box, header_version

LENGTHS = {"Angstrom": "A", "A": "A", "nm": "nm", None: ""}
ATTRIBUTES = {
    "name": "names",
    "type": "types",
    "element": "elements",
    "residue_name": "resnames",
    "residue": "resids",
    "insertion_code": "icodes",
    "chain": "chainIDs",
    "segment": "segids",
    "alternate_location": "altLocs",
    "molecule": "molnums",
    "mass": "masses",
    "charge": "charges",
}
NAMELESS = {"DCD", "TRZ"}  # files that do not name their atoms
DECIMALS = {"MMTF", "XPDB"}  # files of decimals with up to seven digits, which MDAnalysis rounds to float32
NO_CELL = (0, 90, 0, 90, 90, 0)  # of a DCD, to MDAnalysis
NUMBERS = {"residue": int, "molecule": int, "mass": float, "charge": float}


def readable(path):
    """What MDAnalysis' text readers take: the path, or the text of what they cannot decompress."""
    if path.endswith(".xz"):
        import lzma

        content = lzma.open(path, "rt")  # noqa: SIM115  (closed below)
    elif path.endswith(".zst"):
        import zstandard

        content = zstandard.open(path, "rt")
    else:
        return path
    with content:
        return NamedStream(io.StringIO(content.read()), path.rpartition(".")[0])


def include_folder():
    """Where GROMACS has its force fields, which topologies include; GMXLIB names another place."""
    folders = [
        os.environ.get("GMXLIB", ""),
        os.path.join(os.environ.get("GMXDATA", ""), "top"),
        "/usr/local/gromacs/share/gromacs/top",
        "/usr/share/gromacs/top",
    ]
    return next(filter(os.path.isdir, folders), folders[-1])


def parsed(parser, form):
    if form != "ITP":
        return parser.parse()
    try:
        return parser.parse(include_dir=include_folder() + "/")
    except OSError as error:
        raise OSError(f"{error}: GMXLIB names the folder of force fields; a TPR or GRO file needs none") from error


def is_guessed(attribute):
    """Of bonds MDAnalysis tells it for each."""
    return bool(numpy.any(attribute.is_guessed))


def read_structure(form, path):
    """The atoms of a file: {"count": n, "name": [...], ...}; what MDAnalysis would guess is left out."""
    with get_parser_for(path, form)(readable(path)) as parser:
        topology = parsed(parser, form)
    every = numpy.arange(topology.n_atoms)
    table = {"count": topology.n_atoms}
    for column, attribute in ATTRIBUTES.items():
        values = getattr(topology, attribute, None)
        if values is None or is_guessed(values):
            continue
        chosen = values.values
        if isinstance(values, ResidueAttr):
            chosen = chosen[topology.tt.atoms2residues(every)]
        elif isinstance(values, SegmentAttr):
            if list(chosen) == ["SYSTEM"]:
                continue  # MDAnalysis' name for atoms without segments
            chosen = chosen[topology.tt.atoms2segments(every)]
        convert = NUMBERS.get(column, str)
        try:
            table[column] = [convert(value) for value in chosen]
        except ValueError:
            continue  # as residues that are no numbers
    for column in ("insertion_code", "chain", "segment", "alternate_location"):
        if not any(table.get(column, ())):
            table.pop(column, None)
    bonds = getattr(topology, "bonds", None)
    if "molecule" not in table and bonds is not None and not is_guessed(bonds):
        table["molecule"] = molecules_of_bonds(topology.n_atoms, bonds.values)
    return table


def shortest_decimals(values):
    """Doubles of the shortest decimals that round to these float32: those of a file with up to seven digits."""
    values = numpy.asarray(values, dtype="f4")
    return values.astype("U16").astype("f8")


def nearby_decimal(value):
    """The shortest decimal within a few roundings of single precision, as a time step that programs store in other units."""
    rounded = (float(f"{value:.{digits}e}") for digits in range(17))
    return next(decimal for decimal in rounded if abs(decimal - value) <= 2**-22 * abs(value))


def has_time(reader):
    """Whether the frames have times of their own. MDAnalysis gives frame numbers otherwise, and a warning."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        _ = reader.ts.time
    return not any("dt" in str(warning.message) for warning in said)


def run_of_lammps(reader):
    """First step, steps between frames and time step of a DCD of LAMMPS, which has the units of its run; None: of others."""
    header = reader._file.header
    if "Written by LAMMPS" not in str(header["remarks"]):
        return None
    return header["istart"], header["nsavc"], float(str(numpy.float32(header["delta"])))


class MdanalysisFile:
    def __init__(self, form, path, atoms):
        self.form, self.path = form, path
        self.version = header_version(path) if form == "DCD" else 0
        self.matrix = None  # of a TRZ, of which MDAnalysis makes lengths and angles
        if form == "TRZ":
            self.keep_matrix()
        self.reader = self.open_reader(atoms)
        self.frames, self.atoms = self.reader.n_frames, self.reader.n_atoms
        units = self.reader.units
        self.length_unit = LENGTHS.get(units.get("length"), str(units.get("length")))
        self.time_unit = "ps" if units.get("time") else ""
        self.has_time = has_time(self.reader)
        self.picoseconds = 1.0
        if form == "DCD":  # MDAnalysis gives its times in ps whatever it is told
            self.picoseconds = nearby_decimal(self.reader.ts.dt) / self.reader.ts.dt
        elif units.get("time"):
            self.picoseconds = get_conversion_factor("time", units["time"], "ps")
        self.run = run_of_lammps(self.reader) if form == "DCD" else None
        if self.run:
            self.length_unit = self.time_unit = ""
        self.cell = None  # the six numbers of a DCD's unit cell
        if form == "DCD":
            self.keep_cell()

    def open_reader(self, atoms):
        arguments = {} if atoms is None else {"n_atoms": atoms}
        try:
            return get_reader_for(self.path, self.form)(readable(self.path), convert_units=False, **arguments)
        except (TypeError, ValueError) as error:
            if atoms is not None or "n_atoms" not in str(error):
                raise
            table = self.table()
            if table is None:
                raise ValueError("it does not tell the number of its atoms: give --structure") from error
            return self.open_reader(table["count"])

    def keep_matrix(self):
        from MDAnalysis.coordinates import TRZ

        def keep(*rows):
            self.matrix = numpy.array(rows, dtype="f8")

        TRZ.triclinic_box = keep

    def keep_cell(self):
        """Keeps the six cell numbers of a DCD, which MDAnalysis converts to lengths and angles."""
        convert, periodic = self.reader._frame_to_ts, self.reader._file.header["is_periodic"]

        def keep(frame, timestep):
            self.cell = numpy.array(frame.unitcell) if periodic else numpy.zeros(6)
            frame.unitcell[:] = NO_CELL
            return convert(frame, timestep)

        self.reader._frame_to_ts = keep

    def table(self):
        return None if self.form in NAMELESS else read_structure(self.form, self.path)

    def set_box(self, frame, timestep):
        if self.form == "DCD":
            frame.box, frame.periodic, frame.box_refusal = dcd_box(self.version, self.cell)
            if frame.box is not None and numpy.tril(frame.box, -1).any() and (frame.box == frame.box.T).all():
                frame.box_source = "CHARMM's shape matrix"
        elif self.form == "TRZ":
            frame.box, frame.box_source = (self.matrix if self.matrix.any() else None), MATRIX
        elif timestep.dimensions is not None:
            cell = shortest_decimals(timestep.dimensions).tolist()
            frame.box, frame.periodic, frame.box_refusal = crystal_box(cell)

    def timestep(self, index):
        """Frame `index`. Some readers go through the file from its beginning for any but the next one."""
        if self.reader.ts.frame + 1 == index:
            try:
                return next(self.reader)
            except StopIteration:
                pass  # a frame that cannot be read: what follows says why
        return self.reader[index]

    def step(self, timestep, index):
        """Of a DCD by its header, as MDAnalysis counts frames in place of steps; 0 without steps."""
        if self.form != "DCD":
            return int(timestep.data.get("step", 0))
        header = self.reader._file.header
        return int(header["istart"]) + index * int(header["nsavc"])

    def time(self, timestep, index):
        if self.run:
            first, interval, step = self.run
            return (first + index * interval) * step
        return float(timestep.time) * self.picoseconds if self.has_time else None

    def read(self, index):
        timestep = self.timestep(index)
        positions = shortest_decimals(timestep.positions) if self.form in DECIMALS else timestep.positions
        frame = FileFrame(positions, step=self.step(timestep, index), time=self.time(timestep, index))
        self.set_box(frame, timestep)
        return frame


def open_file(form, path, atoms):
    if not hasattr(MDAnalysis, "Universe"):
        raise ImportError("it has no Universe", name="MDAnalysis")
    return MdanalysisFile(form, path, atoms)
