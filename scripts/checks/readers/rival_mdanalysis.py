"""MDAnalysis as a reader. Positions in float32, lengths in Angstrom; boxes as lengths and angles."""

import MDAnalysis as mda
import numpy as np

from readers.reading import FrameData, Reading, cell_matrix

SINGLE = 1e-6
TEXT = {
    "names": "name",
    "types": "type",
    "elements": "element",
    "resnames": "resname",
    "chainIDs": "chain",
    "segids": "segment",
    "icodes": "icode",
}
# Default values of its parsers for missing data.
FILLED = {"chain": {""}, "segment": {"", "SYSTEM"}}


def columns_of(universe, wanted):
    columns = {}
    atoms = universe.atoms
    for attribute, field in TEXT.items():
        if field in wanted and hasattr(atoms, attribute):
            values = [str(x).strip() for x in getattr(atoms, attribute)]
            if not set(values) <= FILLED.get(field, set()):
                columns[field] = values
    for attribute, field in (("ids", "id"), ("resids", "resid"), ("masses", "mass"), ("charges", "charge")):
        if field in wanted and hasattr(atoms, attribute):
            columns[field] = getattr(atoms, attribute).tolist()
    if "residue" in wanted:
        columns["residue"] = atoms.resindices.tolist()
    if "molecule" in wanted and hasattr(atoms, "molnums"):
        columns["molecule"] = atoms.molnums.tolist()
    return columns


def frame_of(ts, scale=1.0):
    frame = FrameData(np.array(ts.positions, float) * scale, oriented=False)
    if ts.dimensions is not None:
        frame.matrix = cell_matrix(ts.dimensions[:3], ts.dimensions[3:]) * scale
    return frame


def read(case, wanted, scale=1.0, form=None):
    universe = mda.Universe(case.path, to_guess=(), format=form)
    frames = [frame_of(ts, scale) for ts in universe.trajectory]
    return Reading(frames, columns_of(universe, wanted), tolerance=2 * SINGLE, box_tolerance=1e-5)


def dump_atoms(path):
    """The number of atoms of the first frame of a dump, for which MDAnalysis asks."""
    with open(path) as file:
        for line in file:
            if line.startswith("ITEM: NUMBER OF ATOMS"):
                return int(next(file))
    return 0


def coordinates_only(case, form):
    """Returns the frames of a file without atoms, read with an empty topology."""
    probe = mda.coordinates.core.get_reader_for(case.path, form)
    n_atoms = (
        len(case.truth.frames[0].positions)
        if case.truth
        else dump_atoms(case.path)
        if form == "LAMMPSDUMP"
        else probe.parse_n_atoms(case.path)
    )
    reader = probe(case.path, n_atoms=n_atoms, convert_units=False, convert_unitcell=False)
    return Reading([frame_of(ts) for ts in reader], {}, tolerance=2 * SINGLE, box_tolerance=1e-5)


def read_dump(case):
    reading = coordinates_only(case, "LAMMPSDUMP")
    for frame in reading.frames:
        frame.sorted_by_id = True
    return reading


def read_data(case):
    style = " ".join(
        {
            "atomic": ("id", "type", "x", "y", "z"),
            "charge": ("id", "type", "charge", "x", "y", "z"),
            "bond": ("id", "resid", "type", "x", "y", "z"),
            "molecular": ("id", "resid", "type", "x", "y", "z"),
            "full": ("id", "resid", "type", "charge", "x", "y", "z"),
        }[case.hints.get("atom_style", "full")]
    )
    universe = mda.Universe(case.path, atom_style=style, to_guess=(), topology_format="DATA", format="DATA")
    frame = frame_of(universe.trajectory.ts)
    frame.ids = universe.atoms.ids.tolist()
    columns = columns_of(universe, ("id", "charge", "mass"))
    return Reading([frame], columns, tolerance=2 * SINGLE, box_tolerance=1e-5)


BIO = ("name", "element", "resname", "resid", "chain", "segment", "icode", "residue")
MMCIF = tuple(field for field in BIO if field != "segment")  # it has chains in their place


def read_pdb(case):
    reading = read(case, BIO)
    if case.truth and "segment" not in case.truth.columns:
        reading.columns.pop("segment", None)  # it takes chains for segments then
    return reading


def read_structure(case):
    universe = mda.Universe(case.path, to_guess=())
    wanted = ("name", "type", "resname", "resid", "residue", "molecule", "mass")
    return Reading([], columns_of(universe, wanted), tolerance=SINGLE)


READERS = {
    "tpr": read_structure,
    "xyz": lambda case: read(case, ("name",), form="XYZ"),
    "dump": read_dump,
    "data": read_data,
    "pdb": read_pdb,
    "mmcif": lambda case: read(case, MMCIF),
    "gro": lambda case: read(case, ("name", "resname", "resid"), 0.1),
    "xtc": lambda case: coordinates_only(case, "XTC"),
    "trr": lambda case: coordinates_only(case, "TRR"),
    "dcd": lambda case: coordinates_only(case, "DCD"),
    "netcdf": lambda case: coordinates_only(case, "NCDF"),
    "restart": lambda case: coordinates_only(case, "INPCRD"),
    "h5md": lambda case: coordinates_only(case, "H5MD"),
    "gsd": lambda case: read(case, ("name",), form="GSD"),
    "config": lambda case: read(case, ("name",), form="CONFIG"),
    "history": lambda case: read(case, ("name",), form="HISTORY"),
}
