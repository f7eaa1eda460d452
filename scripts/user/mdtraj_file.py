"""Trajectories of mdtraj's HDF5 (https://mdtraj.org, "MDTraj HDF5 Format Specification"), in nm and ps."""
import json

import h5py

from file_frame import FileFrame, molecules_of_bonds
from frame_readers.lattices import cell_box


def topology_of(file):
    value = file["topology"][()]
    value = value if isinstance(value, bytes) else value[0]
    return json.loads(value.decode() if isinstance(value, bytes) else value)


class MdtrajFile:
    length_unit, time_unit = "nm", "ps"

    def __init__(self, path):
        self.file = h5py.File(path, "r")
        self.coordinates = self.file["coordinates"]
        self.frames, self.atoms, _ = self.coordinates.shape

    def table(self):
        chains = topology_of(self.file)["chains"]
        names = [str(chain.get("chain_id") or chain["index"]) for chain in chains]
        residues = [(name, residue) for name, chain in zip(names, chains) for residue in chain["residues"]]
        atoms = [(atom, residue, chain) for chain, residue in residues for atom in residue["atoms"]]
        atoms.sort(key=lambda told: told[0]["index"])
        if len(atoms) != self.atoms:
            raise ValueError(f"its topology has {len(atoms)} atoms, its coordinates {self.atoms}")
        element = ["" if atom["element"] in ("VS", "virtual") else atom["element"] for atom, _, _ in atoms]
        bonds = [bond[:2] for bond in topology_of(self.file).get("bonds", [])]
        segments = [residue.get("segmentID", "") for _, residue, _ in atoms]
        return {"count": self.atoms, "name": [atom["name"] for atom, _, _ in atoms], "element": element,
                "residue_name": [residue["name"] for _, residue, _ in atoms],
                "residue": [residue.get("resSeq", residue["index"]) for _, residue, _ in atoms],
                "chain": [chain for _, _, chain in atoms], "segment": segments if any(segments) else None,
                "molecule": molecules_of_bonds(self.atoms, bonds)}

    def read(self, index):
        box, periodic, refusal = None, (True, True, True), ""
        if "cell_lengths" in self.file:
            box, periodic, refusal = cell_box([*self.file["cell_lengths"][index], *self.file["cell_angles"][index]])
        time = float(self.file["time"][index]) if "time" in self.file else None
        return FileFrame(self.coordinates[index], box, 0, time, periodic, refusal)


def open_file(_form, path, _atoms):
    return MdtrajFile(path)
