"""Features of files of others, to which settled differences refer, found in their text."""

import os


def numbers(fields):
    """The integers among the fields, or None where one is not an integer."""
    try:
        return [int(field) for field in fields]
    except ValueError:
        return None


def repeats(keys):
    """Whether a key comes again after another one."""
    runs = [key for k, key in enumerate(keys) if k == 0 or key != keys[k - 1]]
    return len(set(runs)) < len(runs)


def dump_features(lines):
    for k, line in enumerate(lines):
        if line.startswith("ITEM: BOX BOUNDS"):
            if any(float(bounds.split()[0]) != 0 for bounds in lines[k + 1 : k + 4]):
                yield "origin"
        elif line.startswith("ITEM: ATOMS") and {"xs", "xsu"} & set(line.split()):
            yield "scaled"


def data_features(lines):
    for line in lines:
        fields = line.split("#")[0].split()
        flags = numbers(fields[-3:]) if len(fields) >= 8 else None
        if flags and any(flags) and numbers(fields[-6:-3]) is None:
            yield "image flags"


def gro_features(lines):
    count = int(lines[1])
    atoms = lines[2 : 2 + count]
    residues = numbers(line[:5] for line in atoms) or []
    if any(a == 99999 and b < a for a, b in zip(residues, residues[1:])):
        yield "numbers beyond 99999"
    if len(set(zip(residues, (line[5:10] for line in atoms)))) > len(set(residues)) or repeats(residues):
        yield "repeated residue numbers"
    if len(lines) > count + 4:
        yield "several frames"
    if numbers(line[15:20] for line in atoms) != list(range(1, count + 1)):
        yield "atom numbers other than 1 to N"


def pdb_features(lines):
    atoms = [line.ljust(80) for line in lines if line.startswith(("ATOM", "HETATM"))]
    records = [line[:6].strip() for line in lines]
    if any(line[16] != " " for line in atoms):
        yield "altlocs"
    if any(line.startswith("CRYST1") and line[6:33].split() == ["1.000"] * 3 for line in lines):
        yield "box dummy"
    if len({line for line in lines if line.startswith("CRYST1")}) > 1:
        yield "several CRYST1"
    if records.count("MODEL") > records.count("ENDMDL"):
        yield "MODEL without ENDMDL"
    if "ENDMDL" in records and "END" in records:
        yield "END after ENDMDL"
        if records.index("END") - max(k for k, r in enumerate(records) if r == "ENDMDL") > 1:
            yield "records between ENDMDL and END"
    if any(line[20] != " " for line in atoms):
        yield "residue names of four letters"
    if any(line[26].isdigit() for line in atoms):
        yield "residue numbers of five columns"
    if not all(line[76:78].strip().isalpha() for line in atoms):
        yield "without elements"
    if any(line[76:78].strip() == "X" for line in atoms):
        yield "element X"
    residues = numbers(line[22:26] for line in atoms) or []
    if any(a == 9999 and b in (0, 1) for a, b in zip(residues, residues[1:])):
        yield "residue numbers modulo 10000"
    if repeats([line[17:27] for line in atoms]):
        yield "residues in several pieces"
    elif repeats([line[21] for line in atoms]):
        yield "chains in several pieces"


def mmcif_features(lines):
    items = [line.split(".")[1].strip() for line in lines if line.startswith("_atom_site.")]
    rows = [dict(zip(items, line.split())) for line in lines if line.startswith(("ATOM ", "HETATM "))]
    if any(row["label_alt_id"] not in ".?" for row in rows):
        yield "altlocs"
    if any(row["pdbx_PDB_ins_code"] not in ".?" for row in rows):
        yield "insertion codes"
    if any(row["label_asym_id"] != row["auth_asym_id"] for row in rows):
        yield "other letters for label_asym_id"
    if any(row["label_seq_id"] == "." for row in rows):
        yield "without label_seq_id"
    if any(row["label_seq_id"] not in (".", row["auth_seq_id"]) for row in rows):
        yield "other numbers for label_seq_id"
    if any(row["label_atom_id"][0] in "'\"" for row in rows):
        yield "names in quotes"


FEATURES = {
    "dump": dump_features,
    "data": data_features,
    "gro": gro_features,
    "pdb": pdb_features,
    "mmcif": mmcif_features,
}


def features(path, form):
    """Names of features of the file; its name is one of them."""
    found = {f"file {os.path.basename(path)}"}
    if form in FEATURES:
        with open(path, encoding="latin-1") as file:
            try:
                found |= set(FEATURES[form](file.read().splitlines()))
            except (ValueError, IndexError):
                pass  # a damaged file
    return found
