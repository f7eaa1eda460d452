"""Writes H5MD files as mdrun of GROMACS 2026 does, with the topology inside.

The layout is that of src/gromacs/fileio/h5md of GROMACS 2026: groups, names, types, chunks and filters.
"""

import h5py
import numpy

REAL = "f4"


def fixed(text, length=None):
    """A fixed-size string with its final NUL."""
    return numpy.array(text.encode(), h5py.string_dtype("utf-8", length or len(text.encode()) + 1))


def fixed_list(words):
    length = max(len(word.encode()) for word in words) + 1
    return numpy.array([word.encode() for word in words], h5py.string_dtype("utf-8", length))


def indexed(words):
    """Indexes into a table of the words, in the order in which they come first."""
    table = list(dict.fromkeys(words))
    return [table.index(word) for word in words], table


class MoleculeType:
    """atoms: (name, atomic number, mass [u], charge [e], number of the residue, its name) of each; bonds: pairs from 0."""

    def __init__(self, name, atoms, bonds=()):
        self.name, self.atoms, self.bonds = name, atoms, list(bonds)

    def single_residue(self):
        return len({(atom[4], atom[5]) for atom in self.atoms}) == 1

    def residue_ids(self):
        """GROMACS 2026 writes one more than the number; molecules of one residue are numbered 1."""
        return [2 if self.single_residue() else atom[4] + 1 for atom in self.atoms]


def column(group, name, values, dtype, unit=None):
    values = numpy.asarray(values, dtype)
    dataset = group.create_dataset(name, data=values, chunks=values.shape, maxshape=values.shape)
    if unit:
        dataset.attrs["unit"] = fixed(unit)
    return dataset


def write_columns(group, kind):
    count = len(kind.atoms)
    names, name_table = indexed([atom[0] for atom in kind.atoms])
    residues, residue_table = indexed([atom[5] for atom in kind.atoms])
    column(group, "id", range(1, count + 1), "i8")
    column(group, "species", [atom[1] for atom in kind.atoms], "i4")
    column(group, "charge", [atom[3] for atom in kind.atoms], REAL, "e")
    column(group, "mass", [atom[2] for atom in kind.atoms], REAL, "u")
    column(group, "particle_name", names, "i4")
    group.create_dataset("particle_name_table", data=fixed_list(name_table))
    group.attrs["particle_count"] = numpy.int64(count)
    ids = kind.residue_ids()
    first = [k for k in range(count) if ids[k] not in ids[:k]]
    column(group, "residue_id", ids, "i4")
    column(group, "residue_name", residues, "i4")
    column(group, "sequence", [residues[k] for k in first], "i4")
    group.create_dataset("residue_name_table", data=fixed_list(residue_table))
    group.attrs["residue_count"] = numpy.int32(len(first))


def write_topology(file, kinds, blocks, version=(0, 1)):
    """`blocks`: (name of a molecule type, number of molecules), in the order of the positions."""
    topology = file.create_group("h5md/modules/gromacs_topology")
    for kind in kinds:
        write_columns(topology.create_group(kind.name), kind)
    topology.attrs["molecule_block_names"] = fixed_list([name for name, _ in blocks])
    topology.attrs["molecule_block_counts"] = numpy.array([count for _, count in blocks], "i4")
    topology.attrs["version"] = numpy.array(version, "i4")
    topology.attrs["system_name"] = fixed("A system")
    bonds, offset = [], 0
    by_name = {kind.name: kind for kind in kinds}
    for name, count in blocks:
        for _ in range(count):
            bonds += [(first + offset, second + offset) for first, second in by_name[name].bonds]
            offset += len(by_name[name].atoms)
    connectivity = file.create_group("connectivity")
    connectivity.create_dataset(
        "bonds", data=numpy.array(bonds, "i8").reshape(-1, 2), chunks=(max(len(bonds), 1), 2), maxshape=(None, 2)
    )
    connectivity.attrs["bond_count"] = numpy.int64(len(bonds))


def grown(group, name, values, filtered):
    """A dataset that grew frame by frame: chunks of one frame."""
    options = {"shuffle": True, "compression": "gzip", "compression_opts": 1} if filtered else {}
    return group.create_dataset(
        name, data=values, chunks=(1, *values.shape[1:]), maxshape=(None, *values.shape[1:]), **options
    )


def write_particles(file, positions, boxes, periodic=("periodic",) * 3, group="system", filtered=False):
    particles = file.create_group(f"particles/{group}")
    box = particles.create_group("box")
    box.attrs["boundary"] = fixed_list(periodic)
    box.attrs["dimension"] = numpy.int32(3)
    position = particles.create_group("position")
    frames = len(positions)
    value = grown(position, "value", numpy.asarray(positions, REAL), filtered)
    value.attrs["unit"] = fixed("nm")
    grown(position, "step", numpy.arange(frames, dtype="i8") * 500, True)
    grown(position, "time", numpy.arange(frames, dtype="f8"), True).attrs["unit"] = fixed("ps")
    edges = box.create_group("edges")
    grown(edges, "value", numpy.asarray(boxes, REAL), filtered).attrs["unit"] = fixed("nm")
    edges["step"], edges["time"] = position["step"], position["time"]
    # Velocities and forces that were not asked for in this run are empty.
    for name, unit in (("velocity", "nm ps-1"), ("force", "kJ mol-1 nm-1")):
        empty = particles.create_group(name)
        shape = (0, *numpy.shape(positions)[1:])
        empty.create_dataset("value", shape, REAL, chunks=(1, *shape[1:]), maxshape=(None, *shape[1:])).attrs[
            "unit"
        ] = fixed(unit)
        empty.create_dataset("step", (0,), "i8", chunks=(1,), maxshape=(None,))
        empty.create_dataset("time", (0,), "f8", chunks=(1,), maxshape=(None,))


def write(path, kinds, blocks, positions, boxes, *, version=(0, 1), libver=None, **options):
    with h5py.File(path, "w", libver=libver) as file:
        root = file.create_group("h5md")
        root.attrs["version"] = numpy.array((1, 1), "i4")
        root.create_group("author").attrs["name"] = fixed("N/A")
        creator = root.create_group("creator")
        creator.attrs["name"], creator.attrs["version"] = fixed("GROMACS"), fixed("2026.1")
        modules = root.create_group("modules")
        for name, numbers in (("gromacs", (0, 1)), ("units", (1, 0))):
            module = modules.create_group(name)
            module.attrs["version"] = numpy.array(numbers, "i4")
        modules["units"].attrs["system"] = fixed("SI")
        write_particles(file, positions, boxes, **options)
        write_topology(file, kinds, blocks, version)


# A small system of every kind.


def alanines(name, number, first):
    """A chain of residues ALA with a sulphur at its end, numbered from `first`."""
    atoms, bonds = [], []
    for k in range(number):
        base = len(atoms)
        atoms += [
            ("N", 7, 14.007, -0.3, first + k, "ALA"),
            ("H", 1, 1.008, 0.3, first + k, "ALA"),
            ("CA", 6, 12.011, 0.1, first + k, "ALA"),
            ("C", 6, 12.011, 0.5, first + k, "ALA"),
            ("O", 8, 15.999, -0.5, first + k, "ALA"),
        ]
        bonds += [(base, base + 1), (base, base + 2), (base + 2, base + 3), (base + 3, base + 4)]
        if k:
            bonds.append((base - 2, base))
    atoms.append(("SG", 16, 32.06, -0.1, first + number, "CYS"))
    bonds.append((len(atoms) - 3, len(atoms) - 1))
    return MoleculeType(name, atoms, bonds)


TIP4P = MoleculeType(
    "SOL",
    [
        ("OW", 8, 15.9994, 0.0, 1, "SOL"),
        ("HW1", 1, 1.008, 0.52, 1, "SOL"),
        ("HW2", 1, 1.008, 0.52, 1, "SOL"),
        ("MW", 0, 0.0, -1.04, 1, "SOL"),
    ],
    [(0, 1), (0, 2)],
)
SODIUM = MoleculeType("NA", [("NA", 11, 22.98977, 1.0, 1, "NA")])


def system(waters=12):
    """Molecule types and blocks: two peptides, one of them twice, and water on both sides of the ions."""
    kinds = [alanines("Protein_chain_A", 3, 1), alanines("Protein_chain_B", 2, 5), TIP4P, SODIUM]
    blocks = [("Protein_chain_A", 2), ("SOL", waters), ("NA", 3), ("Protein_chain_B", 1), ("SOL", waters // 2)]
    return kinds, blocks


def atoms_of(kinds, blocks):
    """(molecule, residue number, atom) of each atom, with the numbers that GROMACS' tools give to residues."""
    by_name = {kind.name: kind for kind in kinds}
    next_single = max((atom[4] for kind in kinds if not kind.single_residue() for atom in kind.atoms), default=0) + 1
    atoms, molecule = [], 0
    for name, count in blocks:
        kind = by_name[name]
        for _ in range(count):
            single = kind.single_residue()
            atoms += [(molecule, next_single if single else atom[4], atom) for atom in kind.atoms]
            next_single += single
            molecule += 1
    return atoms


def positions_of(atoms, frames, edges, seed=1):
    """Molecules whose atoms lie close together, wrapped into the box, as [frame][atom][3] in float32."""
    random = numpy.random.default_rng(seed)
    molecules = numpy.array([molecule for molecule, _, _ in atoms])
    centres = random.random((frames, molecules.max() + 1, 3)) * edges
    positions = centres[:, molecules] + random.normal(scale=0.1, size=(frames, len(atoms), 3))
    return numpy.mod(positions, edges).astype(REAL)


def write_gro(path, atoms, positions, edges):
    lines = ["A system", str(len(atoms))]
    for k, ((_, residue, atom), (x, y, z)) in enumerate(zip(atoms, positions)):
        lines.append(f"{residue:5d}{atom[5]:<5}{atom[0]:>5}{k + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}")
    lines.append("".join(f"{edge:10.5f}" for edge in edges))
    path.write_text("\n".join(lines) + "\n")
