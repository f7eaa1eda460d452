#!/usr/bin/env python3
"""Any trajectory that MDAnalysis reads (XTC, TRR, DCD, NetCDF, GSD, ...) as H5MD for starhist.

    convert_any.py conf.gro traj.xtc -o traj.h5 --species "OW=name OW; HW=name HW1 HW2"
    convert_any.py system.pdb run.dcd -o run.h5 --by element
    convert_any.py conf.gro -o conf.h5                       # a structure alone is one frame

Species are given by MDAnalysis' selections, NAME=SELECTION with semicolons between; atoms in
none of them are left out. Without --species each atom's name, type, element or resname (--by)
is its species. An atom cannot be of two species.

XTC and TRR keep positions and box matrices as they are in the file, in nm. For other formats they
are what MDAnalysis makes of them: Angstrom, boxes from lengths and angles in float32.
Exit codes: 0 done, 1 bad input, 2 a package is missing.
"""
import argparse
import pathlib
import sys
import warnings

# MDAnalysis has much to remark, and says that it is heard.
warnings.showwarning = lambda *_, **__: None
try:
    import h5py
    import MDAnalysis
    import numpy
    from MDAnalysis.lib.mdamath import triclinic_vectors
except ImportError as missing:
    print(f"convert_any.py: needs MDAnalysis, h5py and NumPy ({missing}; in Debian and Ubuntu: "
          "python3-mdanalysis, to be run with /usr/bin/python3)", file=sys.stderr)
    sys.exit(2)


class BadInput(Exception):
    """Something that the user can mend."""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0],
                                     epilog=__doc__.split("\n", 2)[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("structure", help="file that names the atoms: GRO, PDB, PSF, TPR, ...")
    parser.add_argument("trajectory", nargs="*", help="frames, one file after the other")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--species", help='"OW=name OW; HW=name HW1 HW2"')
    parser.add_argument("--by", choices=["name", "type", "element", "resname"], default="name")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, help="inclusive")
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--edges", choices=["matrix", "vector"], default="matrix",
                        help="vector: as VOTCA needs it, orthorhombic boxes only")
    parser.add_argument("-f", "--force", action="store_true", help="replace the output, and an OUT.partial that is left of an earlier run")
    return parser.parse_args()


def chosen_species(universe, rules):
    """[(name, atom indices)] from "A=selection; B=selection"."""
    chosen = []
    for rule in filter(None, (part.strip() for part in rules.split(";"))):
        name, sign, selection = (part.strip() for part in rule.partition("="))
        if not sign or not name or not selection:
            raise BadInput(f"--species: '{rule}' is not NAME=SELECTION")
        if name in (other for other, _ in chosen):
            raise BadInput(f"--species: {name} is given twice")
        try:
            atoms = universe.select_atoms(selection)
        except Exception as error:  # MDAnalysis has several for a selection that is none
            raise BadInput(f"--species: '{selection}' of {name}: {error}") from error
        if len(atoms) == 0:
            raise BadInput(f"--species: no atom is '{selection}' ({name})")
        chosen.append((name, atoms.indices))
    if not chosen:
        raise BadInput("--species is empty")
    return chosen


def species_by(universe, attribute):
    try:
        values = getattr(universe.atoms, {"resname": "resnames"}.get(attribute, attribute + "s"))
    except MDAnalysis.exceptions.NoDataError as error:
        raise BadInput(f"the structure does not say the {attribute} of its atoms (--by)") from error
    values = numpy.array([str(value) or "unnamed" for value in values])
    return [(name, numpy.flatnonzero(values == name)) for name in sorted(set(values))]


def species_numbers(universe, arguments):
    """Names, the atoms that have one, ascending, and the number of the name of each."""
    chosen = (chosen_species(universe, arguments.species) if arguments.species
              else species_by(universe, arguments.by))
    number = numpy.full(len(universe.atoms), -1)
    for k, (name, indices) in enumerate(chosen):
        taken = indices[number[indices] >= 0]
        if len(taken):
            raise BadInput(f"--species: atom {taken[0]} is {chosen[number[taken[0]]][0]} and {name}")
        number[indices] = k
    atoms = numpy.flatnonzero(number >= 0)
    return [name for name, _ in chosen], atoms, number[atoms]


class Frames:
    """Positions, box matrix (or None) and time of each frame, in one unit of length."""

    def __init__(self, universe):
        self.universe = universe
        readers = getattr(universe.trajectory, "readers", [universe.trajectory])
        self.exact = all(hasattr(reader, "_xdr") and hasattr(reader, "_frame_to_ts")
                         for reader in readers)
        self.unit = "nm" if self.exact else "Angstrom"
        self.source = None
        if self.exact:
            for reader in readers:
                self.keep_source_of(reader)

    def keep_source_of(self, reader):
        convert = reader._frame_to_ts

        def keep(frame, timestep):
            self.source = (numpy.array(frame.x), numpy.array(frame.box))
            return convert(frame, timestep)

        reader._frame_to_ts = keep

    def __call__(self, index):
        timestep = self.universe.trajectory[index]
        if self.exact:
            positions, box = self.source
        else:
            positions = timestep.positions
            box = None if timestep.dimensions is None else triclinic_vectors(timestep.dimensions)
        if box is not None and not numpy.any(box):
            box = None
        return positions, box, timestep.time, timestep.data.get("step", timestep.frame)


def with_unit(dataset, unit):
    # Of variable length, as MDAnalysis cannot read others.
    dataset.attrs["unit"] = unit
    return dataset


def write_boxes(group, boxes, edges, position, unit):
    group.attrs["dimension"] = 3
    periodic = boxes[0] is not None
    if any((box is not None) != periodic for box in boxes):
        raise BadInput("some frames have a box and others have none")
    group.attrs.create("boundary", [b"periodic" if periodic else b"none"] * 3, dtype="S8")
    if not periodic:
        return
    values = numpy.array(boxes)
    if edges == "vector":
        if numpy.any(values * (1 - numpy.eye(3))):
            raise BadInput("--edges vector, but the box is not orthorhombic")
        values = numpy.diagonal(values, axis1=1, axis2=2)
    element = group.create_group("edges")
    with_unit(element.create_dataset("value", data=values), unit)
    element["step"] = position["step"]  # hard links, as the specification wants them
    element["time"] = position["time"]


def convert(universe, arguments, file):
    names, atoms, numbers = species_numbers(universe, arguments)
    total = len(universe.trajectory)
    last = total - 1 if arguments.last is None else min(arguments.last, total - 1)
    indices = range(arguments.first, last + 1, arguments.step)
    if arguments.first < 0 or arguments.step < 1 or len(indices) == 0:
        raise BadInput(f"no frame is selected, of {total}")
    frames = Frames(universe)
    file.create_group("h5md").attrs["version"] = [1, 1]
    file.create_group("h5md/author").attrs["name"] = numpy.bytes_("unknown")
    creator = file.create_group("h5md/creator")
    creator.attrs["name"] = numpy.bytes_("starhist convert_any.py")
    creator.attrs["version"] = numpy.bytes_(MDAnalysis.__version__)
    group = file.create_group("particles/all")
    position = group.create_group("position")
    shape = (len(indices), len(atoms), 3)
    value = position.create_dataset("value", shape, "f4", chunks=(1, *shape[1:]))
    with_unit(value, frames.unit)
    boxes, steps, times = [], [], []
    for row, index in enumerate(indices):
        positions, box, time, step = frames(index)
        value[row] = positions[atoms]
        boxes.append(box)
        steps.append(step)
        times.append(time)
    position.create_dataset("step", data=numpy.array(steps, dtype="i8"))
    with_unit(position.create_dataset("time", data=numpy.array(times, dtype="f8")), "ps")
    write_boxes(group.create_group("box"), boxes, arguments.edges, position, frames.unit)
    kind = h5py.enum_dtype({name: k for k, name in enumerate(names)}, basetype="i4")
    group.create_dataset("species", data=numbers.astype("i4"), dtype=kind)
    counts = ", ".join(f"{name}: {numpy.count_nonzero(numbers == k)}"
                       for k, name in enumerate(names))
    print(f"{arguments.output}: {len(indices)} frames, {counts}; lengths in {frames.unit}")


def main():
    arguments = parse_arguments()
    output = pathlib.Path(arguments.output)
    partial = output.with_name(output.name + ".partial")
    begun = False
    try:
        if output.exists() and not arguments.force:
            raise BadInput(f"{output} exists (--force replaces it)")
        if partial.exists() and not arguments.force:
            raise BadInput(f"{partial} is left of an earlier run (rename it to keep it; --force replaces it)")
        for path in (arguments.structure, *arguments.trajectory):
            if not pathlib.Path(path).is_file():
                raise BadInput(f"{path} is no file")
        try:
            universe = MDAnalysis.Universe(arguments.structure, *arguments.trajectory)
        except Exception as error:  # each format of MDAnalysis has its own
            raise BadInput(f"MDAnalysis cannot read that: {error}") from error
        begun = True
        with h5py.File(partial, "w", libver=("v108", "v108")) as file:
            convert(universe, arguments, file)
        partial.replace(output)
    except BadInput as problem:
        if begun:
            partial.unlink(missing_ok=True)
        print(f"convert_any.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
