"""Trajectories and structures that MDAnalysis reads (https://www.mdanalysis.org), in the units of the file."""
import io
import os
import warnings

import MDAnalysis
import numpy
from MDAnalysis.coordinates.core import get_reader_for
from MDAnalysis.core.topologyattrs import ResidueAttr, SegmentAttr
from MDAnalysis.topology.core import get_parser_for
from MDAnalysis.lib.util import NamedStream
from MDAnalysis.units import get_conversion_factor

from file_frame import FileFrame, box_of_cell, molecules_of_bonds

LENGTHS = {"Angstrom": "A", "A": "A", "nm": "nm", None: ""}
ATTRIBUTES = {"name": "names", "type": "types", "element": "elements", "residue_name": "resnames",
              "residue": "resids", "insertion_code": "icodes", "chain": "chainIDs", "segment": "segids",
              "molecule": "molnums", "mass": "masses", "charge": "charges"}
NAMELESS = {"DCD", "NCDF", "TRJ", "INPCRD", "COOR", "TRZ", "TRC"}  # files that do not name their atoms
NUMBERS = {"residue": int, "molecule": int, "mass": float, "charge": float}


def readable(path):
    """What MDAnalysis' text readers take: the path, or the text of what they cannot decompress."""
    if path.endswith(".xz"):
        import lzma
        content = lzma.open(path, "rt")
    elif path.endswith(".zst"):
        import zstandard
        content = zstandard.open(path, "rt")
    else:
        return path
    with content:
        return NamedStream(io.StringIO(content.read()), path.rpartition(".")[0])


def include_folder():
    """Where GROMACS has its force fields, which topologies include; GMXLIB names another place."""
    folders = [os.environ.get("GMXLIB", ""), os.path.join(os.environ.get("GMXDATA", ""), "top"),
               "/usr/local/gromacs/share/gromacs/top", "/usr/share/gromacs/top"]
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
    for column in ("insertion_code", "chain", "segment"):
        if not any(table.get(column, ())):
            table.pop(column, None)
    bonds = getattr(topology, "bonds", None)
    if "molecule" not in table and bonds is not None and not is_guessed(bonds):
        table["molecule"] = molecules_of_bonds(topology.n_atoms, bonds.values)
    return table


def has_time(reader):
    """Whether the frames have times of their own. MDAnalysis gives frame numbers otherwise, and a warning."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        reader.ts.time
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
        self.reader = self.open_reader(atoms)
        self.frames, self.atoms = self.reader.n_frames, self.reader.n_atoms
        units = self.reader.units
        self.length_unit = LENGTHS.get(units.get("length"), str(units.get("length")))
        self.time_unit = "ps" if units.get("time") else ""
        # MDAnalysis gives the times of DCD in ps whatever it is told.
        self.picoseconds = 1.0 if form == "DCD" or not units.get("time") else get_conversion_factor("time", units["time"], "ps")
        self.has_time = has_time(self.reader)
        self.run = run_of_lammps(self.reader) if form == "DCD" else None
        if self.run:
            self.length_unit = self.time_unit = ""
        self.lengths = None  # of the unit cell, in double, where MDAnalysis rounds them
        if form == "DCD":
            self.keep_lengths()

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

    def keep_lengths(self):
        convert = self.reader._frame_to_ts

        def keep(frame, timestep):
            self.lengths = numpy.array(frame.unitcell)[[0, 2, 5]]
            return convert(frame, timestep)

        self.reader._frame_to_ts = keep

    def table(self):
        return None if self.form in NAMELESS else read_structure(self.form, self.path)

    def gsd_box(self, index):
        """The matrix of Lx, Ly, Lz, xy, xz, yz (HOOMD-blue's documentation, "Box")."""
        file = self.reader._file.file
        name = "configuration/box"
        row = index if file.chunk_exists(frame=index, name=name) else 0
        if not file.chunk_exists(frame=row, name=name):
            return None
        x, y, z, xy, xz, yz = (float(value) for value in file.read_chunk(frame=row, name=name))
        return numpy.array([[x, 0, 0], [xy * y, y, 0], [xz * z, yz * z, z]])

    def box(self, timestep, index):
        if self.form == "GSD":
            return self.gsd_box(index)
        if timestep.dimensions is None:
            return None
        cell = numpy.array(timestep.dimensions, dtype="f8")
        lengths = self.lengths
        if self.form == "NCDF" and "cell_lengths" in self.reader.trjfile.variables:
            lengths = self.reader.trjfile.variables["cell_lengths"][index]
        if lengths is not None and numpy.array_equal(numpy.asarray(lengths, dtype="f4"), cell[:3].astype("f4")):
            cell[:3] = lengths
        return box_of_cell(cell)

    def timestep(self, index):
        """Frame `index`. Some readers go through the file from its beginning for any but the next one."""
        if self.reader.ts.frame + 1 == index:
            try:
                return next(self.reader)
            except StopIteration:
                pass  # a frame that cannot be read: what follows says why
        return self.reader[index]

    def time(self, timestep, index):
        if self.run:
            first, interval, step = self.run
            return (first + index * interval) * step
        return float(timestep.time) * self.picoseconds if self.has_time else None

    def read(self, index):
        timestep = self.timestep(index)
        return FileFrame(timestep.positions, self.box(timestep, index), int(timestep.data.get("step", 0)), self.time(timestep, index))


def open_file(form, path, atoms):
    if not hasattr(MDAnalysis, "Universe"):
        raise ImportError("it has no Universe", name="MDAnalysis")
    return MdanalysisFile(form, path, atoms)
