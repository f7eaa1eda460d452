#!/usr/bin/env python3
"""Makes the small files of tests/data that C++ tests cannot make themselves.

cadishi-lzf.h5: frames 1, 2 and 10 of water as CADISHI's tools write them, compressed with the
LZF filter that h5py brings along. Positions are multiples of 1/64 A by a formula
that tests/io/cadishi_reader.test.cc repeats.

Needs h5py and numpy. Usage: make_test_data.py [FOLDER], default tests/data.
"""

import pathlib
import sys

import h5py
import numpy

FRAMES = (1, 2, 10)
PARTICLES = {"O": 100, "H": 200}


def position(frame, species, particle, axis):
    """In Angstrom; the same formula as in the test."""
    offset = 7 if species == "O" else 0
    return ((particle * 37 + axis * 11 + frame * 5 + offset) % 1280) / 64


def write_cadishi(path):
    with h5py.File(path, "w") as file:
        for frame in FRAMES:
            group = file.create_group(str(frame))
            group.attrs["log"] = numpy.bytes_(b"[]")
            for species, count in PARTICLES.items():
                values = [[position(frame, species, particle, axis) for axis in range(3)] for particle in range(count)]
                group.create_dataset(
                    "coordinates/" + species, data=numpy.array(values), maxshape=(None, 3), compression="lzf"
                )
            group["dimensions"] = numpy.array([20, 20, 20, 90, 90, 90], dtype="f4")


def main():
    here = pathlib.Path(__file__).resolve().parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here
    write_cadishi(folder / "cadishi-lzf.h5")


if __name__ == "__main__":
    main()
