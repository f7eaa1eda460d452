"""XYZ and extended XYZ files, by the grammar of the specification (libAtoms/extxyz)."""

from readers.reading import Reading
from readers.system import (
    AXES,
    ELEMENTS,
    Case,
    decimal,
    frame,
    general_matrix,
    generator,
    restricted_matrix,
    write_lines,
)

# Further columns: name, letter of the type, and a value's text. They cannot matter.
EXTRA = (
    ("forces:R:3", 3, "R"),
    ("energy:R:1", 1, "R"),
    ("tag:I:1", 1, "I"),
    ("fixed:L:1", 1, "L"),
    ("velo:R:3", 3, "R"),
    ("mark:S:1", 1, "S"),
)


def blanks(rng, tags):
    """Text of an equals sign, now and then with the blanks that the grammar allows."""
    if rng.random() < 0.8:
        return "="
    tags.add("blanks at =")
    return rng.choice((" = ", " =", "= ", "  =  "))


LATTICE_FORMS = ("quotes", "quotes", "quotes", "quotes", "braces", "array", "nested")


def matrix_text(form, matrix):
    """A Lattice value in one of its forms."""
    numbers = [repr(float(x)) for x in matrix.ravel()]
    if form == "quotes":
        return '"' + " ".join(numbers) + '"'
    if form == "braces":
        return "{" + " ".join(numbers) + "}"
    if form == "array":
        return "[" + ", ".join(numbers) + "]"
    # A matrix as it is written: its columns are the edge vectors, as the format's own
    # parser and OVITO have it (its specification says "rows").
    rows = ["[" + ", ".join(numbers[k::3]) + "]" for k in range(3)]
    return "[" + ", ".join(rows) + "]"


def pbc_text(rng, periodic, tags):
    true, false = rng.choice((("T", "F"), ("T", "F"), ("true", "false"), ("True", "False"), ("TRUE", "FALSE")))
    words = [true if p else false for p in periodic]
    form = rng.choice(("quotes", "quotes", "array", "braces"))
    tags.add(f"pbc in {form}")
    if true != "T":
        tags.add("pbc in words")
    return {
        "quotes": '"' + " ".join(words) + '"',
        "array": "[" + ", ".join(words) + "]",
        "braces": "{" + " ".join(words) + "}",
    }[form]


def column_plan(rng, tags):
    """The columns in their order: (text in Properties, count, letter)."""
    name = rng.choice(("species:S:1", "species:S:1", "species:S:1", "element:S:1", "Z:I:1"))
    tags.add(f"column {name}")
    plan = [(name, 1, "name"), ("pos:R:3", 3, "pos")]
    plan += rng.sample(EXTRA, rng.randint(0, 3))
    for column in (
        ("id:I:1", 1, "id"),
        ("mass:R:1", 1, "mass"),
        ("resid:I:1", 1, "resid"),
        ("resname:S:1", 1, "resname"),
        ("mol:I:1", 1, "molecule"),
    ):
        if rng.random() < 0.2:
            plan.append(column)
    if rng.random() < 0.3:
        tags.add("columns in another order")
        rng.shuffle(plan)
    return plan


NUMBERS = {"H": 1, "C": 6, "N": 7, "O": 8, "Na": 11, "Cl": 17, "Fe": 26, "P": 15, "S": 16, "Ca": 20, "Zn": 30}


def extra_text(rng, kind):
    return {
        "R": lambda: decimal(rng, -9, 9, 4),
        "I": lambda: str(rng.randint(-9, 9)),
        "L": lambda: rng.choice("TF"),
        "S": lambda: rng.choice(("a", "O1", "x_2")),
    }[kind]()


def make_extxyz(seed, stem):
    rng, tags = generator("extxyz", seed), set()
    names = [rng.choice(ELEMENTS) for _ in range(rng.randint(1, 9))]
    plan = column_plan(rng, tags)
    kind = rng.choice(("open", "orthorhombic", "triclinic", "general", "left-handed"))
    periodic = (True, True, True) if rng.random() < 0.6 else rng.choice(AXES)
    form = rng.choice(LATTICE_FORMS)
    if kind != "open":
        tags.add(f"Lattice in {form}")
    said = kind != "open" and (periodic != (True, True, True) or rng.random() < 0.5)
    tags |= {f"box {kind}", "periodic axes said" if said else "periodic axes not said"}
    values = {
        "mass": [decimal(rng, 1, 60, 3) for _ in names],
        "resid": [str(k // 3 + 1) for k in range(len(names))],
        "resname": [("SOL", "LIG")[k // 3 % 2] for k in range(len(names))],
        "molecule": [str(k // 2 + 1) for k in range(len(names))],
        "id": [str(k) for k in rng.sample(range(1, 99), len(names))],
    }
    lines, frames = [], []
    count = rng.randint(1, 4)
    timed = rng.random() < 0.5
    for k in range(count):
        matrix = (
            None
            if kind == "open"
            else restricted_matrix(rng, kind == "triclinic")
            if kind in ("orthorhombic", "triclinic")
            else general_matrix(rng, kind == "left-handed")
        )
        texts = [[decimal(rng, -20, 30, rng.randint(1, 8)) for _ in range(3)] for _ in names]
        keys = []
        if matrix is not None:
            word = rng.choice(("Lattice", "Lattice", "Lattice", "lattice"))
            tags |= {"small lattice"} if word == "lattice" else set()
            keys.append(f"{word}{blanks(rng, tags)}{matrix_text(form, matrix)}")
            if said:
                keys.append(f"pbc{blanks(rng, tags)}{pbc_text(rng, periodic, tags)}")
        keys.append(f"Properties{blanks(rng, tags)}" + ":".join(c[0] for c in plan))
        if timed:
            keys.append(f"Time{blanks(rng, tags)}{0.5 * k + 1}")
        if rng.random() < 0.3:
            keys.append(
                rng.choice(
                    (
                        "energy=-3.5",
                        'comment="a b = c"',
                        "config_type=bulk",
                        'virial="1 2 3 4 5 6 7 8 9"',
                        "stress=[1, 2, 3]",
                        "converged=T",
                    )
                )
            )
        rng.shuffle(keys)
        lines += [str(len(names)), rng.choice((" ", "  ")).join(keys)]
        for a, name in enumerate(names):
            row = []
            for _, number, what in plan:
                if what == "name":
                    row.append(str(NUMBERS[name]) if "column Z:I:1" in tags else name)
                elif what == "pos":
                    row += texts[a]
                elif what in values:
                    row.append(values[what][a])
                else:
                    row += [extra_text(rng, what) for _ in range(number)]
            lines.append(rng.choice((" ", "   ", "\t")).join(row) if rng.random() < 0.2 else " ".join(row))
        frames.append(
            frame(
                texts,
                matrix=matrix,
                periodic=(False,) * 3 if matrix is None else periodic,
                time=0.5 * k + 1 if timed else None,
                ids=[int(x) for x in values["id"]] if any(c[2] == "id" for c in plan) else None,
            )
        )
    columns = {"name" if "column species:S:1" in tags else "element": names}
    for _, _, what in plan:
        if what in values:
            columns[what] = [float(x) if what == "mass" else x if what == "resname" else int(x) for x in values[what]]
    path = f"{stem}.{rng.choice(('xyz', 'extxyz'))}"
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n" * (rng.random() < 0.9))
    return Case(path, "extxyz", seed, Reading(frames, columns), tags)


def make_xyz(seed, stem):
    """Plain XYZ: a comment of any words, columns that are not described."""
    rng, tags = generator("xyz", seed), set()
    changing = rng.random() < 0.2
    if changing:
        tags.add("changing N")
    names = [rng.choice(ELEMENTS + ("OW", "C1", "X")) for _ in range(rng.randint(1, 9))]
    lines, frames = [], []
    for k in range(rng.randint(1, 4)):
        some = names[: rng.randint(1, len(names))] if changing else names
        texts = [[decimal(rng, -20, 30, rng.randint(1, 8)) for _ in range(3)] for _ in some]
        if rng.random() < 0.2:
            tags.add("exponents")
            texts[0][0] = rng.choice(("1.5e1", "-2.25E+00", "3e-2", "+4.5", ".5", "7."))
        further = rng.random() < 0.3
        lines += [
            rng.choice(("", " ")) + str(len(some)),
            rng.choice(
                (
                    "",
                    "water",
                    f"frame {k}",
                    "i = 5, time = 2.000, E = -1.5",
                    "two = words",
                    "Coordinates from ORCA-job x E -76.4",
                )
            ),
        ]
        for name, row in zip(some, texts):
            lines.append(" ".join([name, *row] + (["0.1", "0.2", "0.3"] if further else [])))
        frames.append(frame(texts, matrix=None, periodic=(False,) * 3))
    path = stem + ".xyz"
    write_lines(path, lines)
    return Case(path, "xyz", seed, Reading(frames, {"name": names} if not changing else {}), tags)
