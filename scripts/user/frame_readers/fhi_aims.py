"""FHI-aims' geometry.in: positions as doubles, the lattice as a matrix."""

import re

import numpy

from file_frame import MATRIX, FileFrame, Reader
from frame_readers.text_lines import TextLines, real_fields
from refused import Refused

# Keywords that cannot change positions, boxes or names.
IGNORED = {
    "velocity",
    "initial_moment",
    "initial_charge",
    "constrain_relaxation",
    "magnetic_moment",
    "magnetic_response",
    "nuclear_spin",
    "isotope",
    "calculate_friction",
    "hessian_block",
    "hessian_block_lv",
    "hessian_block_lv_atom",
    "hessian_file",
    "trust_radius",
    "homogeneous_field",
    "symmetry_n_params",
    "symmetry_params",
    "symmetry_lv",
    "symmetry_frac",
    "symmetry_frac_change_threshold",
    "empty",
}

SYMBOL = re.compile("[A-Z][a-z]?")


class FhiAims(Reader):
    frames, length_unit = 1, "A"

    def __init__(self, source):
        self.names, self.positions, self.relative, self.vectors = [], [], [], []
        lines = TextLines(source.path)
        while (line := lines.next()) is not None:
            self.take(line.partition("#")[0].split(), lines)
        self.atoms = len(self.names)
        self.frame = self.made_frame()

    def take(self, fields, lines):
        if not fields or fields[0] in IGNORED:
            return
        if fields[0] == "lattice_vector":
            self.vectors.append(real_fields(" ".join(fields[1:]), lines, "a lattice vector", 3))
        elif fields[0] in ("atom", "atom_frac") and len(fields) == 5:
            self.positions.append(real_fields(" ".join(fields[1:4]), lines, "a position", 3))
            self.relative.append(fields[0] == "atom_frac")
            self.names.append(fields[4])
        else:
            lines.refuse(f"'{' '.join(fields)[:40]}' is not known to starhist in a geometry of FHI-aims")

    def made_frame(self):
        if len(self.vectors) not in (0, 3):
            raise Refused(f"has {len(self.vectors)} lattice vectors, and FHI-aims knows 0 or 3")
        positions, relative = (
            numpy.array(self.positions, dtype="f8").reshape(-1, 3),
            numpy.array(self.relative, dtype=bool),
        )
        box = numpy.array(self.vectors) if self.vectors else None
        if relative.any():
            if box is None:
                raise Refused("has atom_frac without lattice vectors")
            positions[relative] = positions[relative] @ box
        return FileFrame(positions, box, box_source=MATRIX)

    def table(self):
        """Species are elements only if spelled like symbols: others are labels of control.in, such as CL or CA."""
        elements = [name if SYMBOL.fullmatch(name) else "" for name in self.names]
        return {"count": self.atoms, "name": self.names, "element": elements if any(elements) else None}

    def read(self, _index):
        return self.frame
