"""NetCDF's classic formats: CDF-1, CDF-2 (64-bit offsets) and CDF-5 (64-bit data; SciPy does not read it).

The header lists dimensions, attributes and variables; variables of the record dimension follow the others, record by
record. Numbers are big-endian. (NetCDF Users' Guide, "File Format Specifications".)
"""

import math
import os
from dataclasses import dataclass

import numpy

from refused import Refused

VERSIONS = {b"CDF\1": (4, 4), b"CDF\2": (4, 8), b"CDF\5": (8, 8)}  # sizes of counts and of offsets [bytes]
TYPES = (None, "i1", "S1", ">i2", ">i4", ">f4", ">f8", "u1", ">u2", ">u4", ">i8", ">u8")  # by nc_type
ROWS = "frame"  # dimension along which values() reads one row


class Header:
    """Contents of the header, in turn."""

    def __init__(self, file, size):
        self.file, self.size = file, size
        self.count_size, self.offset_size = VERSIONS[file.read(4)]

    def bytes(self, count):
        if count > self.size - self.file.tell():
            raise Refused("is damaged or cut short within its header: copy it again")
        content = self.file.read(count)
        self.file.read(-count % 4)
        return content

    def number(self, size=4):
        return int.from_bytes(self.bytes(size), "big")

    def count(self):
        return self.number(self.count_size)

    def text(self):
        return self.bytes(self.count()).decode("latin-1")

    def kind(self):
        number = self.number()
        if not 0 < number < len(TYPES):
            raise Refused(f"is damaged: its header has the unknown type {number}")
        return numpy.dtype(TYPES[number])

    def items(self, read):
        self.number()  # dimensions, attributes or variables
        return [(self.text(), read()) for _ in range(self.count())]

    def attribute(self):
        kind, count = self.kind(), self.count()
        content = self.bytes(count * kind.itemsize)
        return content if kind.char == "S" else numpy.frombuffer(content, kind)


@dataclass
class Variable:
    dimensions: tuple  # names
    shape: tuple  # 0 for the record dimension
    attributes: dict
    kind: numpy.dtype
    begin: int  # offset of its first value [bytes]
    stride: int = 0  # from one row to the next [bytes]; 0: it has no dimension ROWS

    @property
    def row_bytes(self):
        return math.prod(self.shape[1:] if self.stride else self.shape) * self.kind.itemsize


class Netcdf:
    def __init__(self, path):
        self.file = open(path, "rb")  # noqa: SIM115  (read until the process ends)
        self.size = os.path.getsize(path)
        header = Header(self.file, self.size)
        records = header.count()
        self.dimensions = header.items(header.count)
        self.attributes = dict(header.items(header.attribute))
        self.variables = dict(header.items(lambda: self.read_variable(header)))
        of_records = [variable for variable in self.variables.values() if 0 in variable.shape[:1]]
        for variable in of_records:
            variable.stride = 1  # until the size of a record is known
        sizes = [variable.row_bytes for variable in of_records]
        record = sizes[0] if len(sizes) == 1 else sum(size + -size % 4 for size in sizes)
        for variable in of_records:
            variable.stride = max(record, 1)
        end = max((variable.begin + size for variable, size in zip(of_records, sizes)), default=0)
        whole = (self.size - end) // record + 1 if record and self.size >= end else 0
        is_open_ended = records == 256**header.count_size - 1  # "streaming": not counted by the writer
        self.records = whole if is_open_ended else min(records, whole)
        self.is_cut = bool(record) and not is_open_ended and whole < records
        for variable in of_records:
            variable.shape = (self.records, *variable.shape[1:])

    def read_variable(self, header):
        numbers = [header.count() for _ in range(header.count())]
        if any(number >= len(self.dimensions) for number in numbers):
            raise Refused("is damaged: its header has a variable of an unknown dimension")
        names, shape = zip(*(self.dimensions[number] for number in numbers)) if numbers else ((), ())
        attributes, kind = dict(header.items(header.attribute)), header.kind()
        header.count()  # its size, which follows from its shape
        variable = Variable(names, shape, attributes, kind, header.number(header.offset_size))
        if names[:1] == (ROWS,) and shape[0]:
            variable.stride = math.prod(shape[1:]) * kind.itemsize
        return variable

    def values(self, name, index):
        """Row `index` of a variable, or all values if it has no rows, in the byte order of the machine."""
        variable = self.variables[name]
        begin = variable.begin + index * variable.stride
        if begin + variable.row_bytes > self.size:
            raise Refused(f"ends within its {name}: copy it again")
        values = numpy.frombuffer(os.pread(self.file.fileno(), variable.row_bytes, begin), variable.kind)
        return values.astype(variable.kind.newbyteorder("=")).reshape(
            variable.shape[1:] if variable.stride else variable.shape
        )
