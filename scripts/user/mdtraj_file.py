"""Trajectories of mdtraj's HDF5 (https://mdtraj.org, "MDTraj HDF5 Format Specification"), in nm and ps."""

import json

import h5py

from file_frame import FileFrame, Reader, molecules_of_bonds
from frame_readers.lattices import cell_box

UNITS = {"coordinates": "nanometers", "time": "picoseconds", "cell_lengths": "nanometers", "cell_angles": "degrees"}
# Datasets of the specification that cannot change distances.
PAYLOAD = {
    "topology",
    "velocities",
    "kineticEnergy",
    "potentialEnergy",
    "temperature",
    "alchemicalLambda",
    "constraints",
}
VIRTUAL = ("VS", "virtual")  # elements of sites without an atom


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def check_content(file):
    """Raises ValueError for unknown datasets (one may be a box), other units, and missing or incomplete data."""
    unknown = sorted(set(file) - set(UNITS) - PAYLOAD)
    if unknown:
        raise ValueError(f'"{unknown[0]}" is not part of the format: remove it unless it is a box')
    for name, unit in UNITS.items():
        if name in file and text_of(file[name].attrs.get("units", unit)) != unit:
            raise ValueError(f"{name} is in {text_of(file[name].attrs['units'])}, but the format requires {unit}")
    if ("cell_lengths" in file) != ("cell_angles" in file):
        raise ValueError("it has only one of cell_lengths and cell_angles")
    frames = len(file["coordinates"])
    for name in UNITS:
        if name in file and len(file[name]) != frames:
            raise ValueError(f"{name} has {len(file[name])} entries for {frames} frames (was its writer interrupted?)")


def topology_of(file):
    value = file["topology"][()]
    return json.loads(text_of(value if isinstance(value, bytes) else value[0]))


def name_of(chain):
    return str(chain.get("chain_id") or chain["index"])


def atoms_of(topology):
    """Returns [(atom, residue, chain)] in the order of the positions."""
    atoms = [
        (atom, residue, chain)
        for chain in topology["chains"]
        for residue in chain["residues"]
        for atom in residue["atoms"]
    ]
    atoms.sort(key=lambda each: each[0]["index"])
    for place, (atom, _, _) in enumerate(atoms):
        if atom["index"] != place:
            raise ValueError(f"atom {place} is missing or duplicated in its topology")
    return atoms


def molecules_of(topology, atoms):
    """Returns the molecule number of each atom, from its bonds. Virtual sites belong to the molecule of the first
    atom of their residue."""
    bonds = [bond[:2] for bond in topology.get("bonds", [])]
    for bond in bonds:
        for atom in bond:
            if not 0 <= atom < len(atoms):
                raise ValueError(f"its topology has a bond of atom {atom}, but atoms are 0 .. {len(atoms) - 1}")
    if bonds:
        first = {}
        for place, (atom, residue, _) in enumerate(atoms):
            host = first.setdefault(residue["index"], place)
            if atom["element"] in VIRTUAL:
                bonds.append((host, place))
    return molecules_of_bonds(len(atoms), bonds)


class MdtrajFile(Reader):
    length_unit, time_unit = "nm", "ps"

    def __init__(self, source):
        self.file = h5py.File(source.path, "r")
        check_content(self.file)
        self.coordinates = self.file["coordinates"]
        self.frames, self.atoms, _ = self.coordinates.shape
        self.times = self.file["time"][:] if "time" in self.file else None

    def table(self):
        topology = topology_of(self.file)
        atoms = atoms_of(topology)
        if len(atoms) != self.atoms:
            raise ValueError(f"its topology has {len(atoms)} atoms, its coordinates {self.atoms}")
        segments = [residue.get("segmentID", "") for _, residue, _ in atoms]
        return {
            "count": self.atoms,
            "name": [atom["name"] for atom, _, _ in atoms],
            "element": ["DUMMY" if atom["element"] in VIRTUAL else atom["element"] for atom, _, _ in atoms],
            "residue_name": [residue["name"] for _, residue, _ in atoms],
            "residue": [residue.get("resSeq", residue["index"]) for _, residue, _ in atoms],
            "chain": [name_of(chain) for _, _, chain in atoms],
            "part": [chain["index"] for _, _, chain in atoms],
            "segment": segments if any(segments) else None,
            "molecule": molecules_of(topology, atoms),
        }

    def moment(self, index):
        return 0, float(str(self.times[index])) if self.times is not None else None

    def read(self, index):
        box, periodic, refusal = None, (True, True, True), ""
        if "cell_lengths" in self.file:
            box, periodic, refusal = cell_box([*self.file["cell_lengths"][index], *self.file["cell_angles"][index]])
        return FileFrame(self.coordinates[index], box, *self.moment(index), periodic, refusal)
