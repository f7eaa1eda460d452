"""GRO, PDB and mmCIF files with residues of every kind, by the formats' documents."""

import numpy as np

from readers.reading import FrameData, Reading, cell_matrix
from readers.system import Case, decimal, generator, lengths_and_angles, positions_of, write_lines

RESNAMES = ("ALA", "GLY", "SOL", "LIG", "HOH", "DA", "NA", "CL", "TIP")
# Name as it stands in columns 13 to 16 of a PDB file, and its element.
ATOMS = (
    (" CA ", "C"),
    (" N  ", "N"),
    (" O  ", "O"),
    ("CA  ", "CA"),
    (" H1 ", "H"),
    ("HG11", "H"),
    ("1HB ", "H"),
    ("FE  ", "FE"),
    (" O5'", "O"),
    (" C1*", "C"),
    ("NA  ", "NA"),
)


def residues(rng, most, with_chains=True):
    """A list of residues: chain, number, insertion code, name, number of atoms."""
    found = []
    for chain in rng.sample("ABCDabc1", rng.randint(1, 3)) if with_chains else [""]:
        number = rng.choice((1, 1, 52, -3))
        for _ in range(rng.randint(1, most)):
            icode = ""
            last = found[-1] if found and found[-1][0] == chain else None
            if with_chains and last and last[2] != "C" and rng.random() < 0.2:
                icode = "ABC"["ABC".find(last[2]) + 1 if last[2] else 0]
                number = last[1]
            found.append((chain, number, icode, rng.choice(RESNAMES), rng.randint(1, 3)))
            number += rng.choice((1, 1, 1, 2))
    return found


def make_gro(seed, stem):
    rng, tags = generator("gro", seed), set()
    digits = rng.choice((3, 3, 3, 4, 6))
    tags |= {f"{digits} decimals"} | ({"more than 3 decimals"} if digits > 3 else set())
    kind = rng.choice(("orthorhombic", "triclinic", "none"))
    tags.add(f"box {kind}")
    atoms = []
    start = rng.choice((1, 1, 99998))
    if start > 1:
        tags.add("numbers beyond 99999")
    number = start
    for _, _, _, name, count in residues(rng, 4, with_chains=False):
        for _ in range(count):
            atoms.append((number, name, rng.choice(("OW", "HW1", "CA", "C1", "N", "MW"))))
        number += 1
    velocities = rng.random() < 0.3
    lines, frames = [], []
    timed = rng.random() < 0.6
    count = rng.randint(1, 4)
    tags |= {"several frames"} if count > 1 else set()
    for k in range(count):
        texts = [[decimal(rng, -5, 25, digits) for _ in range(3)] for _ in atoms]
        title = rng.choice(("water", "a = b", "protein in water, 1.5 nm"))
        if timed:
            title += f" t= {0.5 * k:9.5f}" + (f" step= {100 * k}" if seed % 2 else "")
        lines += [title, f"{len(atoms):5d}"]
        for a, (resid, resname, name) in enumerate(atoms):
            line = f"{resid % 100000:5d}{resname:<5s}{name:>5s}{(a + start) % 100000:5d}"
            line += "".join(f"{x:>{digits + 5}s}" for x in texts[a])
            if velocities:
                line += "".join(f"{0.1:{digits + 5}.{digits + 1}f}" for _ in range(3))
            lines.append(line)
        numbers = [decimal(rng, 2, 9, 5) for _ in range(3)]
        if kind == "triclinic":
            numbers += [
                "0.00000",
                "0.00000",
                decimal(rng, -1, 1, 5),
                "0.00000",
                decimal(rng, -1, 1, 5),
                decimal(rng, -1, 1, 5),
            ]
        if kind == "none":
            numbers = ["0.00000"] * 3
        lines.append(" ".join(f"{x:>9s}" for x in numbers))
        box = [float(x) for x in numbers] + [0.0] * (9 - len(numbers))
        matrix = np.array([[box[0], box[3], box[4]], [box[5], box[1], box[6]], [box[7], box[8], box[2]]])
        frames.append(
            FrameData(
                positions_of(texts),
                matrix=None if kind == "none" else matrix,
                periodic=(kind != "none",) * 3,
                time=0.5 * k if timed else None,
                step=100 * k if timed and seed % 2 else None,
            )
        )
    columns = {
        "name": [a[2] for a in atoms],
        "resname": [a[1] for a in atoms],
        "resid": [a[0] % 100000 for a in atoms],
        "residue": [a[0] for a in atoms],
    }
    path = stem + ".gro"
    write_lines(path, lines)
    return Case(path, "gro", seed, Reading(frames, columns, length_unit="nm"), tags)


DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def hybrid36(width, value):
    """A number of `width` columns, beyond them in hybrid-36 (Grosse-Kunstleve 2007)."""
    if value < 10**width:
        return f"{value:{width}d}"
    value -= 10**width
    for alphabet in (DIGITS, DIGITS.lower()):
        span = 26 * 36 ** (width - 1)
        if value < span:
            value += 10 * 36 ** (width - 1)
            text = ""
            for _ in range(width):
                value, rest = divmod(value, 36)
                text = alphabet[rest] + text
            return text
        value -= span
    raise ValueError("too large")


def biomolecule(rng, tags, altlocs):
    """Atoms with all that identifies them."""
    atoms, segments = [], rng.random() < 0.3
    blank = rng.random() < 0.15
    if blank:
        tags.add("blank chain")
    shift = 9995 if rng.random() < 0.15 else 0
    found = residues(rng, 4)
    if blank:  # of one chain, whose residues have a number each
        found = [r for r in found if r[0] == found[0][0]]
    for chain, number, icode, resname, count in found:
        if icode:
            tags.add("insertion codes")
        # Calcium and the carbon CA have one name in files without columns.
        for name, element in {a[0].strip(): a for a in rng.sample(ATOMS, count)}.values():
            atom = {
                "name": name,
                "element": element,
                "chain": "" if blank else chain,
                "resid": number + shift,
                "icode": icode,
                "resname": resname,
                "altloc": "",
                "segment": f"SEG{chain}" if segments else "",
                "record": "HETATM" if resname in ("LIG", "HOH", "NA", "CL") else "ATOM",
            }
            atoms.append(atom)
            if altlocs and rng.random() < 0.3:
                tags.add("altlocs")
                atom["altloc"] = "A"
                atoms.append(dict(atom, altloc="B"))
    if any(a["resid"] > 9999 for a in atoms):
        tags.add("residue numbers beyond 9999")
    if segments:
        tags.add("segments")
    return atoms


def identity(atoms):
    """Columns of those atoms that count: the first of alternate locations."""
    kept = [a for a in atoms if a["altloc"] in ("", "A")]
    return kept, {
        "name": [a["name"].strip() for a in kept],
        "element": [a["element"].capitalize() for a in kept],
        "resname": [a["resname"] for a in kept],
        "resid": [a["resid"] for a in kept],
        "chain": [a["chain"] for a in kept],
        "icode": [a["icode"] for a in kept],
        "residue": [(a["chain"], a["segment"], a["resid"], a["icode"], a["resname"]) for a in kept],
    }


def make_pdb(seed, stem):
    rng, tags = generator("pdb", seed), set()
    atoms = biomolecule(rng, tags, rng.random() < 0.3)
    kind = rng.choice(("none", "dummy", "orthorhombic", "triclinic", "hexagonal", "octahedron"))
    tags.add(f"box {kind}")
    models = rng.choice((1, 1, 2, 3))
    with_models = models > 1 or rng.random() < 0.3
    elements = rng.random() < 0.8
    if not elements:
        tags.add("without elements")
    ends = rng.random() < 0.9
    if with_models and not ends:
        tags.add("MODEL without ENDMDL")
    lines, frames = [], []
    matrix = None
    if kind == "dummy":
        lines.append("CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1")
    elif kind != "none":
        lengths, angles = lengths_and_angles(rng, kind)
        lines.append(
            "CRYST1" + "".join(f"{x:9.3f}" for x in lengths) + "".join(f"{x:7.2f}" for x in angles) + " P 1           1"
        )
        matrix = cell_matrix(lengths, angles)
    serial = 99990 if rng.random() < 0.1 else 1
    if serial > 1:
        tags.add("serials beyond 99999")
    for k in range(models):
        texts = [[decimal(rng, -99, 99, 3) for _ in range(3)] for _ in atoms]
        if with_models:
            lines.append(f"MODEL     {k + 1:4d}")
        for a, atom in enumerate(atoms):
            line = (
                f"{atom['record']:<6s}{hybrid36(5, serial + a)} {atom['name']}"
                f"{atom['altloc'] or ' '}{atom['resname']:>3s} {atom['chain'] or ' '}"
                f"{hybrid36(4, atom['resid'])}{atom['icode'] or ' '}   "
                + "".join(f"{x:>8s}" for x in texts[a])
                + "  1.00  0.00      "
                + f"{atom['segment']:<4s}"
                + (f"{atom['element']:>2s}" if elements else "")
            )
            lines.append(line.rstrip())
            last = a + 1 == len(atoms)
            if (last or atoms[a + 1]["chain"] != atom["chain"]) and rng.random() < 0.5:
                lines.append("TER")
        if with_models and ends:
            lines.append("ENDMDL")
        kept = [t for t, atom in zip(texts, atoms) if atom["altloc"] in ("", "A")]
        frames.append(FrameData(positions_of(kept), matrix=matrix, periodic=(matrix is not None,) * 3, oriented=True))
    if rng.random() < 0.8:
        lines.append("END")
        tags |= {"END after ENDMDL"} if with_models and ends else set()
    kept, columns = identity(atoms)
    if not elements:
        del columns["element"]
    if any(a["segment"] for a in kept):
        columns["segment"] = [a["segment"] for a in kept]
    path = stem + rng.choice((".pdb", ".ent"))
    write_lines(path, lines)
    return Case(path, "pdb", seed, Reading(frames, columns, length_unit="A", box_tolerance=1e-12), tags)


def cif_text(value):
    """A value as CIF writes it."""
    if value == "":
        return "?"
    return f'"{value}"' if "'" in value else f"'{value}'" if " " in value else value


def make_mmcif(seed, stem):
    rng, tags = generator("mmcif", seed), set()
    atoms = biomolecule(rng, tags, rng.random() < 0.3)
    tags.discard("residue numbers beyond 9999")  # the format has no width
    tags.discard("blank chain")
    for atom in atoms:
        atom["chain"] = atom["chain"] or "A"
        atom["segment"] = ""
    kind = rng.choice(("none", "dummy", "orthorhombic", "triclinic", "hexagonal"))
    tags.add(f"box {kind}")
    lines = [f"data_{rng.choice(('TEST', '1ABC'))}", "#"]
    matrix = None
    if kind == "dummy":
        numbers = ["1", "1", "1", "90", "90", "90"]
    elif kind != "none":
        lengths, angles = lengths_and_angles(rng, kind)
        numbers = [f"{x:.3f}" for x in lengths] + [f"{x:.2f}" for x in angles]
        matrix = cell_matrix(lengths, angles)
    if kind != "none":
        names = ("length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma")
        lines += [f"_cell.{n}   {x}" for n, x in zip(names, numbers)] + ["#"]
    items = [
        "group_PDB",
        "id",
        "type_symbol",
        "label_atom_id",
        "label_alt_id",
        "label_comp_id",
        "label_asym_id",
        "label_entity_id",
        "label_seq_id",
        "pdbx_PDB_ins_code",
        "Cartn_x",
        "Cartn_y",
        "Cartn_z",
        "occupancy",
        "B_iso_or_equiv",
        "auth_seq_id",
        "auth_comp_id",
        "auth_asym_id",
        "auth_atom_id",
        "pdbx_PDB_model_num",
    ]
    if rng.random() < 0.3:
        tags.add("columns in another order")
        rng.shuffle(items)
    lines += ["loop_"] + [f"_atom_site.{i}" for i in items]
    models, serial, frames = rng.choice((1, 1, 2, 3)), 0, []
    tags |= {"several models"} if models > 1 else set()
    labels = {}
    numbered = rng.random() < 0.5  # a polymer: its residues are numbered
    tags.add("other numbers for label_seq_id" if numbered else "without label_seq_id")
    tags |= {"names in quotes"} if any("'" in atom["name"] for atom in atoms) else set()
    sequence = {}
    for model in range(models):
        texts = [[decimal(rng, -99, 99, rng.choice((3, 3, 5))) for _ in range(3)] for _ in atoms]
        for a, atom in enumerate(atoms):
            serial += 1
            label = labels.setdefault(atom["chain"], chr(ord("A") + len(labels)))
            residue = (atom["chain"], atom["resid"], atom["icode"])
            position = sequence.setdefault(residue, len(sequence) + 1)
            row = {
                "group_PDB": atom["record"],
                "id": str(serial),
                "type_symbol": atom["element"],
                "label_atom_id": atom["name"].strip(),
                "label_alt_id": atom["altloc"] or ".",
                "label_comp_id": atom["resname"],
                "label_asym_id": label,
                "label_entity_id": "1",
                "label_seq_id": str(position) if numbered else ".",
                "pdbx_PDB_ins_code": atom["icode"],
                "Cartn_x": texts[a][0],
                "Cartn_y": texts[a][1],
                "Cartn_z": texts[a][2],
                "occupancy": "1.00",
                "B_iso_or_equiv": "0.00",
                "auth_seq_id": str(atom["resid"]),
                "auth_comp_id": atom["resname"],
                "auth_asym_id": atom["chain"],
                "auth_atom_id": atom["name"].strip(),
                "pdbx_PDB_model_num": str(model + 1),
            }
            lines.append(" ".join(cif_text(row[i]) for i in items))
        kept = [t for t, atom in zip(texts, atoms) if atom["altloc"] in ("", "A")]
        frames.append(FrameData(positions_of(kept), matrix=matrix, periodic=(matrix is not None,) * 3))
    lines.append("#")
    kept, columns = identity(atoms)
    columns["segment"] = [labels[a["chain"]] for a in kept]
    if columns["segment"] != columns["chain"]:
        tags.add("other letters for label_asym_id")
    path = stem + rng.choice((".cif", ".mmcif"))
    write_lines(path, lines)
    return Case(path, "mmcif", seed, Reading(frames, columns, length_unit="A", box_tolerance=1e-12), tags)
