"""Trajectories and structures read by MDAnalysis (https://www.mdanalysis.org), in the units of the file."""

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

from file_frame import MATRIX, FileFrame, join_sites, molecules_of_bonds
from frame_readers.crystal_card import crystal_box
from frame_readers.dcd_cell import dcd_box
from frame_readers.dcd_header import DcdHeader
from frame_readers.gamess import GamessText
from frame_readers.gromacs_residues import GromacsResidues
from frame_readers.names import NamedFile
from frame_readers.text_lines import TextLines, cut_within, open_packed
from refused import Refused

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
DECIMALS = {"MMTF", "XPDB"}  # formats of decimals with up to seven digits, which MDAnalysis rounds to float32
NO_CELL = (0, 90, 0, 90, 90, 0)  # cell numbers of a DCD that MDAnalysis takes for "no cell"
WITHOUT_ELEMENTS = {"TXYZ", "ARC"}  # MDAnalysis takes names for elements if all of them could be
PSF_WORDS = 8  # of an atom: number, segment, residue number and name, name, type, charge, mass; ParmEd writes no flag
NUMBERS = {"residue": int, "molecule": int, "mass": float, "charge": float}


def readable(path):
    """Returns the path, or a stream of its text if MDAnalysis cannot decompress it (xz, zst)."""
    if not path.endswith((".xz", ".zst")):
        return path
    with io.TextIOWrapper(open_packed(path)) as content:
        return NamedStream(io.StringIO(content.read()), path.rpartition(".")[0])


def include_folder():
    """Returns the folder of GROMACS' force fields, which topologies include: GMXLIB, GMXDATA/top or a default."""
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
        raise OSError(
            f"{error}: set GMXLIB to the folder of the force fields, or use a TPR or GRO file, which needs none"
        ) from error


def is_guessed(attribute):
    """Whether MDAnalysis guessed the values of an attribute; for bonds, any of them."""
    return bool(numpy.any(attribute.is_guessed))


def take_psf_numbers(path, table):
    """Sets charges and masses of a PSF by the words of its lines: MDAnalysis reads columns of the extended format that
    are too narrow, and 15.9994 as 1. If fields are blank or touch, MDAnalysis' numbers stay, but are removed in
    the extended format."""
    lines = TextLines(path)
    line = lines.needed("!NATOM")
    extended = "EXT" in line.split()
    while "!NATOM" not in line:
        line = lines.needed("!NATOM")
    words = [lines.needed("an atom").split() for _ in range(table["count"])]
    try:
        # Eight words that end with the flag, a whole number, lack another field.
        if any(len(of_atom) < PSF_WORDS or (len(of_atom) == PSF_WORDS and of_atom[-1].isdigit()) for of_atom in words):
            raise ValueError
        table["charge"], table["mass"] = ([float(of_atom[k]) for of_atom in words] for k in (6, 7))
    except ValueError:
        if extended:
            table.pop("charge", None)
            table.pop("mass", None)


def read_structure(form, path):
    """Returns the atoms of a file: {"count": n, "name": [...], ...}, without values that MDAnalysis guesses."""
    gromacs = GromacsResidues()
    with (
        gromacs.kept(form),
        get_parser_for(path, form)(readable(path)) as parser,
    ):
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
                continue  # MDAnalysis' default name of atoms without segments
            chosen = chosen[topology.tt.atoms2segments(every)]
        convert = NUMBERS.get(column, str)
        try:
            table[column] = [convert(value) for value in chosen]
        except ValueError:
            continue  # for example, residue numbers that are not integers
    if form in {"TPR", "ITP"}:
        residues = topology.tt.atoms2residues(every)
        table["residue"] = numpy.array(gromacs.numbers(topology.n_residues))[residues].tolist()
        table["part"] = residues.tolist()  # numbers may repeat
    if form in WITHOUT_ELEMENTS:
        table.pop("element", None)
    for column in ("mass", "charge") if form == "XML" else ():
        if not any(table.get(column, ())):
            table.pop(column, None)  # zeros stand for numbers that the file does not have
    if form == "PSF" and "mass" in table:
        take_psf_numbers(path, table)
    for column in ("insertion_code", "chain", "segment", "alternate_location"):
        if not any(table.get(column, ())):
            table.pop(column, None)
    bonds = getattr(topology, "bonds", None)
    if "molecule" not in table and bonds is not None and not is_guessed(bonds):
        table["molecule"] = molecules_of_bonds(topology.n_atoms, bonds.values)
        if table["molecule"] and "mass" in table:  # lone pairs of CHARMM have no bonds
            bonded = {atom for bond in bonds.values for atom in bond}
            is_site = [mass == 0 and atom not in bonded for atom, mass in enumerate(table["mass"])]
            join_sites(table["molecule"], topology.tt.atoms2residues(every).tolist(), is_site)
    return table


def shortest_decimals(values):
    """Returns doubles of the shortest decimals that round to these float32: the numbers of a file that has up to
    seven digits."""
    values = numpy.asarray(values, dtype="f4")
    return values.astype("U16").astype("f8")


def refuse_models(path):
    """Refuses an MMTF of several models, which MDAnalysis reads as one frame."""
    import mmtf

    models = (mmtf.parse_gzip if path.endswith(".gz") else mmtf.parse)(path).num_models
    if models != 1:
        raise Refused(f"has {models} models, which MDAnalysis reads as one frame (use the entry's PDB or mmCIF)")


def has_time(reader):
    """Whether the frames have times. Without them, MDAnalysis returns frame numbers and warns."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _ = reader.ts.time
    return not any("dt" in str(warning.message) for warning in caught)


def run_of_lammps(reader, header):
    """Returns first step, steps between frames and time step of a DCD file of LAMMPS, which uses the units of its run.
    Returns None for files of other programs."""
    if "Written by LAMMPS" not in str(reader._file.header["remarks"]):
        return None
    return header.first_step, header.interval, float(str(numpy.float32(header.time_step)))


class MdanalysisFile(NamedFile):
    def __init__(self, source):
        if not hasattr(MDAnalysis, "Universe"):
            raise ImportError("it has no Universe", name="MDAnalysis")
        super().__init__(source)
        self.form, self.path = form, path = source.form, source.path
        self.header = DcdHeader(path) if form == "DCD" else None
        self.matrix = None  # box matrix of a TRZ, which MDAnalysis converts to lengths and angles
        if form == "TRZ":
            self.keep_matrix()
        self.reader = self.open_reader(source.atoms)
        self.frames, self.atoms = self.reader.n_frames, self.reader.n_atoms
        units = self.reader.units
        self.length_unit = LENGTHS.get(units.get("length"), str(units.get("length")))
        if form == "MMTF":
            self.length_unit = "A"  # of the format
            refuse_models(path)
        self.time_unit = "ps" if units.get("time") else ""
        self.has_time = has_time(self.reader)
        self.picoseconds = 1.0
        if form == "DCD" and self.header.is_cut:
            self.truncation = cut_within(self.frames)
        if units.get("time"):
            self.picoseconds = get_conversion_factor("time", units["time"], "ps")
        self.run = run_of_lammps(self.reader, self.header) if form == "DCD" else None
        if self.run:
            self.length_unit = self.time_unit = ""
        self.cell = None  # the six numbers of a DCD's unit cell
        if form == "DCD":
            self.keep_cell()

    def open_reader(self, atoms):
        arguments = {} if atoms is None else {"n_atoms": atoms}
        content = readable(self.path)
        try:
            is_text = self.form == "GMS" and content is not self.path
            reader = GamessText if is_text else get_reader_for(self.path, self.form)
            return reader(content, convert_units=False, **arguments)
        except (TypeError, ValueError) as error:
            if atoms is not None or "n_atoms" not in str(error):
                raise
            table = self.table()
            if table is None:
                raise ValueError(
                    "it does not contain its number of atoms: pass a structure with --structure"
                ) from error
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
        return None if self.form in NAMELESS else super().table()

    def set_box(self, frame, timestep):
        if self.form == "DCD":
            frame.box, frame.periodic, frame.box_refusal = dcd_box(self.header, self.cell)
            if frame.box is not None and numpy.tril(frame.box, -1).any() and (frame.box == frame.box.T).all():
                frame.box_source = "CHARMM's shape matrix"
            elif frame.box is not None and self.header.of_cp2k and numpy.count_nonzero(frame.box) > 3:
                frame.box_source = "lengths and angles by CP2K"
        elif self.form == "TRZ":
            frame.box, frame.box_source = (self.matrix if self.matrix.any() else None), MATRIX
        elif timestep.dimensions is not None:
            cell = shortest_decimals(timestep.dimensions).tolist()
            frame.box, frame.periodic, frame.box_refusal = crystal_box(cell)

    def timestep(self, index):
        """Returns frame `index`. Some readers scan the file from its beginning unless it is the next frame."""
        if self.reader.ts.frame + 1 == index:
            try:
                return next(self.reader)
            except StopIteration:
                pass  # an unreadable frame: the next line raises the reason
        return self.reader[index]

    def step(self, timestep, index):
        """Returns the step of a frame; 0 if the file has no steps. For a DCD, from its header: MDAnalysis numbers
        frames instead."""
        if self.form != "DCD":
            return int(timestep.data.get("step", 0))
        return self.header.first_step + index * self.header.interval

    def time(self, timestep, index):
        if self.run:
            first, interval, step = self.run
            return (first + index * interval) * step
        if self.form == "DCD":
            return self.header.time(index) if self.has_time else None
        return float(timestep.time) * self.picoseconds if self.has_time else None

    def read(self, index):
        timestep = self.timestep(index)
        positions = shortest_decimals(timestep.positions) if self.form in DECIMALS else timestep.positions
        frame = FileFrame(positions, step=self.step(timestep, index), time=self.time(timestep, index))
        self.set_box(frame, timestep)
        return frame
