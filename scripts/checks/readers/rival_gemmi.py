"""gemmi as a reader of PDB and mmCIF."""

import gemmi
import numpy as np

from readers.reading import FrameData, Reading


def first_places(model):
    """(chain, residue, atom) of all atoms, of alternate locations the first one only."""
    found = []
    for chain in model:
        for residue in chain:
            seen = set()
            for atom in residue:
                if atom.altloc != "\0" and atom.name in seen:
                    continue
                seen.add(atom.name)
                found.append((chain, residue, atom))
    return found


def read(case):
    structure = gemmi.read_structure(case.path, merge_chain_parts=False)
    cell = structure.cell
    matrix = np.array(cell.orth.mat.tolist()).T if cell.is_crystal() else None
    frames, columns = [], {}
    for k, model in enumerate(structure):
        atoms = first_places(model)
        frames.append(FrameData(np.array([a.pos.tolist() for _, _, a in atoms]).reshape(-1, 3), matrix=matrix))
        if k == 0:
            columns = {
                "name": [a.name for _, _, a in atoms],
                "element": [a.element.name for _, _, a in atoms],
                "resname": [r.name for _, r, _ in atoms],
                "resid": [r.seqid.num for _, r, _ in atoms],
                "icode": [r.seqid.icode.strip() for _, r, _ in atoms],
                "chain": [c.name for c, _, _ in atoms],
                "segment": [r.subchain if case.format == "mmcif" else r.segment for _, r, _ in atoms],
                "residue": [(c.name, r.segment, str(r.seqid), r.name) for c, r, _ in atoms],
            }
            if "without elements" in case.tags or "X" in columns["element"]:
                del columns["element"]  # it takes them from the names
    return Reading(frames, columns, box_tolerance=1e-9)


READERS = {"pdb": read, "mmcif": read}
