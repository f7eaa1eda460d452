#!/usr/bin/env python3
"""Server that reads frames with Python packages; starhist starts it.

Messages use file descriptor 3: a length (u64), then that number of bytes, the first of which is the kind of message
(io/decoder/protocol.hh). The script writes no files and may use at most half of the machine's memory.
"""

import importlib
import os
import pathlib
import re
import resource
import shutil
import socket
import struct
import sys
import traceback
import warnings
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from refused import Refused  # noqa: E402

READERS = {
    "mdtraj HDF5": "mdtraj_file.MdtrajFile",
    "IMD": "imd_stream.ImdStream",
    "INPCRD": "frame_readers.amber_restart.Restart",
    "CONFIG": "frame_readers.dl_poly.Config",
    "HISTORY": "frame_readers.dl_poly.History",
    "TRJ": "frame_readers.amber_text.AmberText",
    "NCDF": "frame_readers.amber_netcdf.AmberNetcdf",
    "PQR": "frame_readers.pqr.Pqr",
    "TXYZ": "frame_readers.tinker.Tinker",
    "FHIAIMS": "frame_readers.fhi_aims.FhiAims",
    "DMS": "frame_readers.desmond.Desmond",
    "MOL2": "frame_readers.mol2.Mol2",
    "TRC": "frame_readers.gromos.Gromos",
    "CRD": "frame_readers.charmm_card.CharmmCard",
    "COOR": "frame_readers.namd_coordinates.NamdCoordinates",
    "GSD": "frame_readers.gsd_frames.GsdFrames",
}  # others: MdanalysisFile
NEEDED = {"MMCIF": "2.10"}  # first version of MDAnalysis that reads a format
COLUMNS = (
    "name",
    "type",
    "element",
    "residue_name",
    "residue",
    "insertion_code",
    "chain",
    "segment",
    "alternate_location",
    "part",
    "molecule",
    "mass",
    "charge",
)
NUMBERS = {"residue": "q", "part": "I", "molecule": "q", "mass": "d", "charge": "d"}
REMARKS_BYTES = 1 << 20  # of standard error, which is a file in memory


def limit_resources():
    half = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = half if most == resource.RLIM_INFINITY else min(half, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_FSIZE, (REMARKS_BYTES, REMARKS_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@dataclass
class Source:
    """A file to read."""

    form: str  # format, as a key of READERS
    path: str
    atoms: int  # number of atoms of its structure; None without one
    structure: str  # path of its structure; "" without one


class Request:
    """The content of a message, taken from its beginning."""

    def __init__(self, content):
        self.content = content

    def take(self, form):
        size = struct.calcsize(form)
        (value,) = struct.unpack(form, self.content[:size])
        self.content = self.content[size:]
        return value

    def text(self):
        return self.bytes().decode()

    def bytes(self):
        size = self.take("=Q")
        taken, self.content = self.content[:size], self.content[size:]
        return taken

    def source(self):
        self.take("c")
        form, atoms, structure = self.text(), self.take("=Q"), os.fsdecode(self.bytes())
        return Source(form, os.fsdecode(self.content), atoms or None, structure)


def packed_text(text):
    data = text.encode(errors="replace")
    return struct.pack("=Q", len(data)) + data


def packed_table(table):
    """`table`: {"count": n, column: n values, ...}."""
    parts = [struct.pack("=Q", table["count"])]
    for column in COLUMNS:
        values = table.get(column)
        values = [] if values is None else list(values)
        parts.append(struct.pack("=Q", len(values)))
        if column in NUMBERS:
            parts.append(struct.pack(f"={len(values)}{NUMBERS[column]}", *values))
        else:
            parts += map(packed_text, values)
    return b"".join(parts)


def reader_of(form):
    """Returns the class that reads files of this format."""
    module, _, name = READERS.get(form, "mdanalysis_file.MdanalysisFile").rpartition(".")
    return getattr(importlib.import_module(module), name)


UNKNOWN_AXES = 8  # of a file whose first frame is damaged, and of streams


def box_of_first_frame(file, form):
    """FileFrame.axes of frame 0, to which other frames are compared, and where its box comes from."""
    if form == "IMD":
        return UNKNOWN_AXES, ""
    try:
        frame = file.read(0)
    except Exception:  # the message is given when the frame is read
        return UNKNOWN_AXES, ""
    return frame.axes, frame.box_source if frame.axes else "" if frame.box_refusal else "none"


def packed_moments(file):
    """Steps and times of all frames, if the reader knows them without reading the frames; otherwise a count of 0."""
    count = file.frames if hasattr(file, "moment") else 0
    moments = [file.moment(index) for index in range(count)]
    return struct.pack("=Q", count) + b"".join(
        struct.pack("=qd", step, float("nan") if time is None else time) for step, time in moments
    )


def opened(file, form):
    head = struct.pack("=QQ", file.frames, file.atoms) + packed_text(file.length_unit) + packed_text(file.time_unit)
    head += packed_moments(file)
    axes, source = box_of_first_frame(file, form)
    head += packed_text(file.truncation) + struct.pack("=Q", axes) + packed_text(source)
    head += struct.pack("=Q", len(file.changing_types)) + b"".join(map(packed_text, file.changing_types))
    table = file.table()
    return b"o" + head + (b"\0" if table is None else b"\1" + packed_table(table))


def packed_frame(frame):
    import numpy

    single = numpy.asarray(frame.positions).dtype.itemsize == 4
    positions = numpy.ascontiguousarray(frame.positions, dtype="=f4" if single else "=f8")
    refusal = frame.box_refusal.encode(errors="replace")
    box = [0.0] * 9 if frame.box is None else [float(x) for x in numpy.asarray(frame.box, dtype="f8").ravel()]
    time = float("nan") if frame.time is None else frame.time
    types = b"" if frame.types is None else numpy.asarray(frame.types, dtype="=u4").tobytes()
    head = struct.pack(
        "=Qqd9dQQQQ",
        len(positions),
        frame.step,
        time,
        *box,
        frame.axes,
        positions.dtype.itemsize,
        len(refusal),
        0 if frame.types is None else 1 + frame.types_differ,
    )
    return b"f" + head + positions.tobytes() + refusal + types


class Server:
    """Answers requests; keeps one file open."""

    def __init__(self):
        self.file = None
        self.form = ""  # format of the last requested file

    def answer(self, request):
        kind = request.take("c")
        if kind == b"o":
            source = request.source()
            self.form = source.form
            self.file = reader_of(source.form)(source)
            return opened(self.file, source.form)
        if kind == b"r":
            frame = self.file.read(request.take("=Q"))
            return b"e" + frame.encode() if isinstance(frame, str) else packed_frame(frame)
        if kind == b"p":
            source = request.source()
            self.form = source.form
            return b"pu" + packed_table(reader_of(source.form).structure(source))
        raise ValueError(f"read_frames.py does not know the request {kind!r}")


def version_of(package):
    """Returns the version of a package, such as "2.4.2"; "" if unknown."""
    return str(getattr(sys.modules.get(package), "__version__", ""))


def numbers_of(version):
    return [int(number) for number in re.findall(r"\d+", version)[:2]]


def refusal_of(error, form=""):
    """Returns a message about why a file of this format cannot be read."""
    if isinstance(error, ImportError):
        if not error.name:
            return f"needs another Python package ({error})"
        package = error.name.split(".")[0]
        return (
            f"needs the Python package {package} ({sys.executable} reports: {error}): install python3-{package.lower()} "
            f"(Debian, Ubuntu), or run `pip install {package}` and set STARHIST_PYTHON to that Python"
        )
    if isinstance(error, Refused):
        return str(error)
    if isinstance(error, MemoryError):
        return "takes more than half of the machine's memory"
    package = next((name for name in ("MDAnalysis", "h5py") if name in sys.modules), "Python")
    version = version_of(package)
    needed = NEEDED.get(form)
    if package == "MDAnalysis" and needed and version and numbers_of(version) < numbers_of(needed):
        return (
            f"needs MDAnalysis {needed} or later, but {sys.executable} has {version}: "
            f'run `pip install "MDAnalysis>={needed}"`, and set STARHIST_PYTHON to that Python'
        )
    text = (
        " ".join(str(error).split())[:240]
        or f"{type(error).__name__} in {traceback.extract_tb(error.__traceback__)[-1].name}"
    )
    return f"{f'{package} {version}'.rstrip()} cannot read it ({text.rstrip('.')})"


def receive(connection, size):
    parts = []
    while size:
        part = connection.recv(min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def serve():
    limit_resources()
    connection = socket.socket(fileno=3)
    server = Server()
    while head := receive(connection, 8):
        request = receive(connection, *struct.unpack("=Q", head))
        if request is None:
            return
        try:
            reply = server.answer(Request(request))
        except Exception as error:  # each format of a package has its own
            reply = b"x" + refusal_of(error, server.form).encode(errors="replace")
        try:
            connection.sendall(struct.pack("=Q", len(reply)))
            connection.sendall(reply)
        except OSError:
            return


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("read_frames.py reads files for starhist, which starts it", file=sys.stderr)
        sys.exit(1)
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"  # their threads would take cores from counting
    warnings.showwarning = lambda *_, **__: None
    try:
        serve()
    finally:  # also for a starhist that was killed
        if os.path.basename(sys.argv[1]).startswith("starhist-python-"):
            shutil.rmtree(sys.argv[1], ignore_errors=True)
