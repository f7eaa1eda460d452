"""Residue numbers of a TPR or TOP. MDAnalysis numbers residues through the system; this module keeps the numbers of the
types of molecules while it reads the file.

GROMACS gives residues the same numbers, as in its GRO files: molecules with several residues have the topology's
numbers, and molecules of one residue are counted from the largest of these numbers plus one.
"""

import contextlib
from unittest import mock

from refused import Refused

FIRST_WITH_NUMBERS = 63  # version of the TPR; before, residues of a molecule are numbered from 1


class GromacsResidues:
    """Keeps residue numbers of the types of molecules, and number and type of the molecules of each block."""

    def __init__(self):
        self.types, self.blocks = [], []

    def kept(self, form):
        """Context in which MDAnalysis reads a file."""
        kept = {"TPR": self._kept_of_tpr, "ITP": self._kept_of_top}.get(form)
        return kept() if kept else contextlib.nullcontext()

    @contextlib.contextmanager
    def _kept_of_tpr(self):
        from MDAnalysis.topology.tpr import utils

        read_block = utils.do_molblock

        def residues(data, symbols, version, count):
            if version < FIRST_WITH_NUMBERS:
                self.types.append(list(range(1, count + 1)))
                return [symbols[data.unpack_int()] for _ in range(count)]
            names, numbers = [], []
            for _ in range(count):
                names.append(symbols[data.unpack_int()])
                numbers.append(data.unpack_int())
                data.unpack_uchar()  # insertion code
            self.types.append(numbers)
            return names

        def block(data):
            made = read_block(data)
            self.blocks.append((made.molb_type, made.molb_nmol))
            return made

        with mock.patch.object(utils, "do_resinfo", residues), mock.patch.object(utils, "do_molblock", block):
            yield

    @contextlib.contextmanager
    def _kept_of_top(self):
        from MDAnalysis.topology.ITPParser import Molecule

        shift = Molecule.shift_indices

        def shifted(molecule, **where):  # called for each molecule of the system
            made = shift(molecule, **where)
            self.types.append([int(number) for number in molecule.resids])
            self.blocks.append((len(self.types) - 1, 1))
            return made

        with mock.patch.object(Molecule, "shift_indices", shifted):
            yield

    def numbers(self, count):
        """Returns the number of each of the `count` residues of the system."""
        following = 1 + max((max(numbers) for numbers in self.types if len(numbers) > 1), default=0)
        every = []
        for kind, molecules in self.blocks:
            if len(self.types[kind]) > 1:
                every += self.types[kind] * molecules
            else:
                every += range(following, following + molecules * len(self.types[kind]))
                following += molecules * len(self.types[kind])
        if len(every) != count:
            raise Refused(
                "has residue numbers that starhist cannot read with this version of MDAnalysis (use a GRO of the same "
                "system: `gmx editconf -f a.tpr -o a.gro`)"
            )
        return every
