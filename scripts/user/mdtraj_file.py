"""Trajectories of mdtraj's HDF5 (https://mdtraj.org, "MDTraj HDF5 Format Specification"), in nm and ps."""
import json

import h5py

from file_frame import FileFrame, box_of_cell, molecules_of_bonds


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
        residues = [residue for chain in topology_of(self.file)["chains"] for residue in chain["residues"]]
        atoms = [(atom, residue) for residue in residues for atom in residue["atoms"]]
        atoms.sort(key=lambda pair: pair[0]["index"])
        if len(atoms) != self.atoms:
            raise ValueError(f"its topology has {len(atoms)} atoms, its coordinates {self.atoms}")
        element = ["" if atom["element"] in ("VS", "virtual") else atom["element"] for atom, _ in atoms]
        bonds = [bond[:2] for bond in topology_of(self.file).get("bonds", [])]
        return {"count": self.atoms, "name": [atom["name"] for atom, _ in atoms], "element": element,
                "residue_name": [residue["name"] for _, residue in atoms],
                "residue": [residue.get("resSeq", residue["index"]) for _, residue in atoms],
                "molecule": molecules_of_bonds(self.atoms, bonds)}

    def read(self, index):
        box = None
        if "cell_lengths" in self.file:
            box = box_of_cell([*self.file["cell_lengths"][index], *self.file["cell_angles"][index]])
        time = float(self.file["time"][index]) if "time" in self.file else None
        return FileFrame(self.coordinates[index], box, 0, time)


def open_file(_form, path, _atoms):
    return MdtrajFile(path)
