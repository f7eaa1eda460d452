"""Amber's NetCDF trajectories and restarts (AMBER NetCDF Trajectory/Restart Convention, version 1.0)."""

import numpy

from file_frame import FileFrame, Reader
from frame_readers.dcd_cell import cosines_of, lattice_of
from frame_readers.lattices import cell_box
from frame_readers.netcdf import Netcdf
from frame_readers.text_lines import cut_within
from refused import Refused

# Units of Amber and of LAMMPS' unit styles.
LENGTHS = {
    "angstrom": "A",
    "nanometer": "nm",
    "lj": "sigma",
    "bohr": "bohr",
    "micrometer": "um",
    "centimeter": "cm",
    "meter": "m",
}
TIMES = {"femtosecond": "fs", "picosecond": "ps", "nanosecond": "ns", "microsecond": "us", "second": "s", "lj": "tau"}
FILL = 15 * 2.0**119  # NetCDF's value of numbers that were not written


def text_of(value):
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


class AmberNetcdf(Reader):
    def __init__(self, source):
        self.file = Netcdf(source.path)
        self.truncation = cut_within(self.file.records) if self.file.is_cut else ""
        conventions = text_of(self.file.attributes.get("Conventions", b"")).replace(",", " ").split()
        if not {"AMBER", "AMBERRESTART"} & set(conventions):
            raise Refused(
                f"is NetCDF of the conventions '{' '.join(conventions)[:40]}', and not of AMBER or AMBERRESTART"
            )
        coordinates = self.variable("coordinates")
        if coordinates is None:
            raise Refused("has no coordinates")
        self.of_frames = coordinates.dimensions == ("frame", "atom", "spatial")
        if (not self.of_frames and coordinates.dimensions != ("atom", "spatial")) or coordinates.shape[-1] != 3:
            raise Refused(
                f"has coordinates of ({', '.join(coordinates.dimensions)}), and not of (frame, atom, spatial)"
            )
        self.frames = coordinates.shape[0] if self.of_frames else 1
        self.atoms = coordinates.shape[-2]
        self.length_unit = self.unit("coordinates", LENGTHS) or self.unit("cell_lengths", LENGTHS)
        self.time_unit = self.unit("time", TIMES)
        self.check_cell()
        self.ids = None  # of LAMMPS: numbers of the atoms, which may be in another order in each frame
        if self.variable("id") is not None and self.frames:
            self.ids = numpy.sort(self.values("id", 0))
        self.types = None  # of LAMMPS: type numbers in the first frame
        if self.variable("type") is not None and self.frames:
            self.types = self.types_of(0)
        self.changing = self.types_of_all_frames()

    def table(self):
        if self.types is None:
            return None
        return {"count": self.atoms, "type": [str(number) for number in self.types.tolist()]}

    def types_of(self, index):
        return self.values("type", index)[self.order(index)]

    def types_of_all_frames(self):
        """Type numbers of all frames, sorted, if the type of an atom changes; an empty array if all types stay."""
        numbers, changes = numpy.unique([] if self.types is None else self.types), False
        for index in range(1, self.frames if numbers.size else 0):
            try:
                types = self.types_of(index)
            except Refused:
                continue  # the message is given when the frame is read
            if not numpy.array_equal(types, self.types):
                numbers, changes = numpy.union1d(numbers, types), True
        return numbers if changes else numbers[:0]

    @property
    def changing_types(self):
        return [str(number) for number in self.changing.tolist()]

    def order(self, index):
        """Rows of the atoms by their ids; all of them without ids. Refuses a frame with other ids than the first."""
        if self.ids is None:
            return slice(None)
        ids = self.values("id", index)
        order = numpy.argsort(ids, kind="stable")
        if not numpy.array_equal(ids[order], self.ids) or (numpy.diff(self.ids) == 0).any():
            raise Refused("has other ids than its first frame, or an id twice (write all atoms in each frame)")
        return order

    def variable(self, name):
        return self.file.variables.get(name)

    def unit(self, name, known):
        """The unit of a variable; "" without one."""
        spelled = text_of(self.attribute(name, "units", b"")).strip("\0 ")
        if name == "coordinates" and spelled == "Angstrom/Femtosecond":
            spelled = "Angstrom"  # ASE writes the unit of velocities to the positions
        unit = known.get(spelled.lower().rstrip("s"), "" if not spelled else None)
        if unit is None:
            raise Refused(f"has {name} in {spelled}, and starhist knows {', '.join(known)}")
        return unit

    def check_cell(self):
        names = [name for name in ("cell_lengths", "cell_angles") if self.variable(name) is not None]
        if len(names) == 1:
            raise Refused(f"has {names[0]} alone, where a box has cell_lengths and cell_angles")
        self.has_cell = bool(names)
        if self.has_cell and self.unit("cell_lengths", LENGTHS) not in ("", self.length_unit):
            raise Refused("has cell_lengths in another unit than coordinates")
        angles = text_of(self.attribute("cell_angles", "units", b"degree")).lower()
        if not angles.startswith("degree"):
            raise Refused(f"has cell_angles in {angles}, and not in degree")

    def attribute(self, name, attribute, default):
        variable = self.variable(name)
        return default if variable is None else variable.attributes.get(attribute, default)

    def values(self, name, index):
        """The values of a frame, scaled, in the precision of the file."""
        values = self.file.values(name, index)
        scale = self.attribute(name, "scale_factor", None)
        return values if scale is None else values * float(scale[0])

    def moment(self, index):
        if self.variable("time") is None:
            return 0, None
        time = float(str(self.file.values("time", index).reshape(-1)[0]))  # the decimal of a float32
        scale = self.attribute("time", "scale_factor", None)
        return 0, time if scale is None else float(f"{time * float(str(scale[0])):.15g}")

    def box(self, index):
        """Axes of length 0 do not repeat, in files of LAMMPS."""
        lengths, angles = self.values("cell_lengths", index), self.values("cell_angles", index)
        if min(lengths) == 0 < max(lengths):
            return lattice_of(numpy.asarray(lengths, "f8"), cosines_of(angles))
        return cell_box([*lengths, *angles])

    def read(self, index):
        positions = self.values("coordinates", index)
        if (positions == self.attribute("coordinates", "_FillValue", [FILL])[0]).any():
            raise Refused(
                "has positions that were not written (did atoms leave the group of the dump, or was its writer "
                "stopped? --skip-bad-frames leaves such frames out)"
            )
        frame = FileFrame(positions[self.order(index)])
        frame.step, frame.time = self.moment(index)
        if self.has_cell:
            frame.box, frame.periodic, frame.box_refusal = self.box(index)
        if self.changing.size:
            types = self.types_of(index)
            frame.types = numpy.searchsorted(self.changing, types)
            frame.types_differ = not numpy.array_equal(types, self.types)
        return frame
