"""LAMMPS text dumps and data files, by the manual's pages `dump`, `read_data`, `Howto_triclinic`."""

import numpy as np

from readers.reading import FrameData, Reading
from readers.system import Case, decimal, general_matrix, generator, positions_of, restricted_matrix, write_lines

# Flags of one axis; p on both sides is periodic.
FLAGS = ("pp", "ff", "ss", "mm", "fs", "sm")
STYLES = {  # atom_style: columns before x y z
    "atomic": ("id", "type"),
    "charge": ("id", "type", "q"),
    "bond": ("id", "mol", "type"),
    "molecular": ("id", "mol", "type"),
    "full": ("id", "mol", "type", "q"),
}


def bounding_lines(rng, matrix, origin, flags, kind, tags):
    """The heading of BOX BOUNDS and its three lines."""
    words = " ".join(flags)
    if kind == "general":
        tags.add("general triclinic")
        lines = [" ".join(repr(float(x)) for x in (*matrix[k], origin[k])) for k in range(3)]
        return f"ITEM: BOX BOUNDS abc origin {words}", lines
    low = np.array(origin, float)
    high = low + np.diag(matrix)
    if kind == "orthorhombic":
        return f"ITEM: BOX BOUNDS {words}", [f"{a!r} {b!r}" for a, b in zip(low.tolist(), high.tolist())]
    xy, xz, yz = matrix[1][0], matrix[2][0], matrix[2][1]
    low_bound = [low[0] + min(0, xy, xz, xy + xz), low[1] + min(0, yz), low[2]]
    high_bound = [high[0] + max(0, xy, xz, xy + xz), high[1] + max(0, yz), high[2]]
    lines = [f"{float(a)!r} {float(b)!r} {float(t)!r}" for a, b, t in zip(low_bound, high_bound, (xy, xz, yz))]
    return f"ITEM: BOX BOUNDS xy xz yz {words}", lines


def dump_columns(rng, tags):
    """Names of the columns in their order."""
    columns = ["id", "type"] if rng.random() < 0.85 else ["type"]
    if "id" not in columns:
        tags.add("without ids")
    columns += [c for c in ("mol", "element", "mass", "q", "ix", "vx") if rng.random() < 0.3]
    style = rng.choice(("x", "x", "xs", "xu", "xsu"))
    tags.add(f"positions {style}")
    columns += [style.replace("x", axis, 1) for axis in "xyz"]
    if rng.random() < 0.3:
        rng.shuffle(columns)
        tags.add("columns in another order")
    return columns, style


def make_dump(seed, stem):
    rng, tags = generator("dump", seed), set()
    kind = rng.choice(("orthorhombic", "orthorhombic", "triclinic", "triclinic", "general"))
    tags.add(f"box {kind}")
    flags = ["pp"] * 3 if rng.random() < 0.5 else [rng.choice(FLAGS) for _ in range(3)]
    if kind != "orthorhombic":
        flags = [f if rng.random() < 0.3 else "pp" for f in flags]
    if "pp" not in flags:
        tags.add("no periodic axis")
    columns, style = dump_columns(rng, tags)
    atoms = rng.randint(1, 10)
    ids = rng.sample(range(1, 60), atoms)
    types = [rng.randint(1, 3) for _ in range(atoms)]
    values = {
        "mol": [str(rng.randint(0, 3)) for _ in ids],
        "element": ["OHC"[t - 1] for t in types],
        "mass": [("16.0", "1.008", "12.011")[t - 1] for t in types],
        "q": [decimal(rng, -1, 1, 3) for _ in ids],
        "type": [str(t) for t in types],
        "id": [str(i) for i in ids],
        "ix": ["0"] * atoms,
        "vx": ["0.25"] * atoms,
    }
    unsorted = "id" in columns and rng.random() < 0.5
    lines, frames = [], []
    units = rng.choice((None, None, "real", "metal", "lj"))
    timed = rng.random() < 0.3
    for k in range(rng.randint(1, 4)):
        matrix = restricted_matrix(rng, kind == "triclinic") if kind != "general" else general_matrix(rng)
        origin = [0.0] * 3 if rng.random() < 0.5 else [round(rng.uniform(-9, 9), 3) for _ in range(3)]
        tags |= {"origin"} if any(origin) else set()
        heading, bounds = bounding_lines(rng, matrix, origin, flags, kind, tags)
        texts = [[decimal(rng, 0, 1, 6) if "s" in style else decimal(rng, -5, 25, 5) for _ in range(3)] for _ in ids]
        if units and k == 0:
            lines += ["ITEM: UNITS", units]
        if timed:
            lines += ["ITEM: TIME", f"{0.5 * k}"]
        lines += [
            "ITEM: TIMESTEP",
            str(100 * k),
            "ITEM: NUMBER OF ATOMS",
            str(atoms),
            heading,
            *bounds,
            "ITEM: ATOMS " + " ".join(columns),
        ]
        rows = list(range(atoms))
        if unsorted:
            rng.shuffle(rows)
        for a in rows:
            row = dict(zip([style.replace("x", axis, 1) for axis in "xyz"], texts[a]))
            lines.append(" ".join(row.get(c) or values[c][a] for c in columns))
        positions = positions_of([texts[a] for a in rows])
        if "s" in style:
            positions = positions @ matrix + np.array(origin)
        frames.append(
            FrameData(
                positions,
                ids=[ids[a] for a in rows] if "id" in columns else None,
                matrix=matrix,
                periodic=tuple(f == "pp" for f in flags),
                step=100 * k,
                time=0.5 * k if timed else None,
            )
        )
        if k == 0:
            first_rows = rows
    named = {"mol": "molecule", "q": "charge"}
    wanted = {
        c: [
            int(x) if c in ("id", "mol") else float(x) if c in ("mass", "q") else x
            for x in (values[c][a] for a in first_rows)
        ]
        for c in columns
        if c in ("id", "type", "mol", "element", "mass", "q")
    }
    wanted = {named.get(c, c): v for c, v in wanted.items()}
    if "molecule" in wanted:  # 0 means that an atom belongs to no molecule
        wanted["molecule"] = [m if m else f"atom {k}" for k, m in enumerate(wanted["molecule"])]
    path = stem + rng.choice((".dump", ".lammpstrj"))
    write_lines(path, lines)
    # The bounding box is a sum of doubles, which rounds.
    reading = Reading(frames, wanted, tolerance=1e-13 if "s" in style else 0.0, box_tolerance=1e-13)
    return Case(path, "dump", seed, reading, tags | ({"scaled"} if "s" in style else set()))


def make_data(seed, stem):
    rng, tags = generator("data", seed), set()
    style = rng.choice(tuple(STYLES))
    kind = rng.choice(("orthorhombic", "triclinic", "general"))
    matrix = restricted_matrix(rng, kind == "triclinic") if kind != "general" else general_matrix(rng)
    origin = [round(rng.uniform(-9, 9), 3) for _ in range(3)]
    tags |= {f"box {kind}", f"style {style}"}
    atoms, kinds = rng.randint(1, 10), 3
    ids = rng.sample(range(1, 60), atoms)
    types = [rng.randint(1, kinds) for _ in ids]
    unit = rng.choice((None, "real", "metal"))
    header = ["LAMMPS data file" + (f", units = {unit}" if unit else ""), "", f"{atoms} atoms", f"{kinds} atom types"]
    if kind == "general":
        tags.add("general triclinic")
        for word, row in zip(("avec", "bvec", "cvec"), matrix):
            header.append(" ".join(repr(float(x)) for x in row) + f" {word}")
        header.append(" ".join(repr(x) for x in origin) + " abc origin")
    else:
        for axis, low, length in zip("xyz", origin, np.diag(matrix)):
            header.append(f"{low!r} {float(low + length)!r} {axis}lo {axis}hi")
        if kind == "triclinic":
            header.append(f"{matrix[1][0]} {matrix[2][0]} {matrix[2][1]} xy xz yz")
    masses = ["16.0", "1.008", "12.011"]
    sections = []
    if rng.random() < 0.8:
        tags.add("masses")
        commented = rng.random() < 0.5
        sections.append(
            ["Masses", ""] + [f"{t + 1} {masses[t]}" + (f"  # {'OHC'[t]}" if commented else "") for t in range(kinds)]
        )
    values = {
        "id": ids,
        "type": types,
        "mol": [rng.randint(0, 3) for _ in ids],
        "q": [decimal(rng, -1, 1, 3) for _ in ids],
    }
    texts = [[decimal(rng, -5, 25, 5) for _ in range(3)] for _ in ids]
    images = rng.random() < 0.4
    flags = [[str(i % 3 - 1), "0", str(i % 2)] for i in ids]
    title = rng.choice((f"Atoms # {style}", f"Atoms  # {style}"))
    rows = [
        " ".join([str(values[c][a]) for c in STYLES[style]] + texts[a] + (flags[a] if images else []))
        for a in range(atoms)
    ]
    tags |= {"image flags"} if images and any(f != ["0", "0", "0"] for f in flags) else set()
    sections.append([title, ""] + rows)
    if rng.random() < 0.3:
        sections.append(["Velocities", ""] + [f"{i} 0.1 0.2 0.3" for i in ids])
    if rng.random() < 0.3 and len(sections) > 1:
        sections[0], sections[1] = sections[1], sections[0]
        tags.add("sections in another order")
    path = stem + rng.choice((".data", ".lmp"))
    with open(path, "w") as file:
        file.write("\n".join(header + [line for s in sections for line in ("", *s)]) + "\n")
    columns = {"id": ids}
    if "masses" in tags:
        columns["mass"] = [float(masses[t - 1]) for t in types]
    if "mol" in STYLES[style]:
        columns["molecule"] = [m if m else f"atom {k}" for k, m in enumerate(values["mol"])]
    if "q" in STYLES[style]:
        columns["charge"] = [float(q) for q in values["q"]]
    frames = [FrameData(positions_of(texts), ids=ids, matrix=matrix, periodic=(True,) * 3)]
    return Case(path, "data", seed, Reading(frames, columns, box_tolerance=1e-13), tags, hints={"atom_style": style})
