#!/usr/bin/env python3
"""Writes an H5MD trajectory of random particles, for measurements.

    make_trajectory.py OUT.h5 --frames 2000 --species 7000,7000,6000 --box 6,6,6
    make_trajectory.py OUT.h5 --frames 10 --species 1000000 --box none
    make_trajectory.py OUT.h5 --frames 2000 --species 20000 --gzip 4

Positions are float32 in nm, uniform in the box (in a cube of 10 nm without one). The same seed gives the same positions,
compressed or not.
"""

import argparse

import h5py
import numpy


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output")
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--species", default="1000", help="particles of each species: N,N,...")
    parser.add_argument("--box", default="6,6,6", help="none, edges a,b,c, or the nine components of the edge vectors")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--gzip", type=int, metavar="LEVEL", help="compress positions at this level, after HDF5's filter shuffle"
    )
    parser.add_argument("--chunk", type=int, default=1, metavar="FRAMES", help="frames of a chunk (1)")
    return parser.parse_args()


def write(path, frames, counts, box, seed, gzip=None, chunk=1):
    """box: None or a 3 x 3 matrix, rows are the edge vectors. gzip: level, or None. chunk: frames that are stored together."""
    random = numpy.random.default_rng(seed)
    total = sum(counts)
    with h5py.File(path, "w") as file:
        file.create_group("h5md").attrs["version"] = [1, 1]
        group = file.create_group("particles/all")
        box_group = group.create_group("box")
        box_group.attrs["dimension"] = 3
        boundary = b"none" if box is None else b"periodic"
        box_group.attrs["boundary"] = numpy.array([boundary] * 3)
        if box is not None:
            box_group["edges"] = box
        edges = numpy.eye(3) * 10 if box is None else box
        position = group.create_group("position")
        value = position.create_dataset(
            "value", (frames, total, 3), "f4", chunks=(chunk, total, 3), compression=gzip, shuffle=gzip is not None
        )
        value.attrs["unit"] = b"nm"
        position["step"] = numpy.arange(frames)
        position["time"] = numpy.arange(frames, dtype="f8")
        group["species"] = numpy.repeat(numpy.arange(len(counts)), counts).astype("i4")
        for first in range(0, frames, chunk):
            some = [
                random.random((total, 3), dtype="f4") @ edges.astype("f4") for _ in range(min(chunk, frames - first))
            ]
            value[first : first + len(some)] = some


def main():
    arguments = parse_arguments()
    box = None
    if arguments.box != "none":
        numbers = [float(number) for number in arguments.box.split(",")]
        box = numpy.diag(numbers) if len(numbers) == 3 else numpy.reshape(numbers, (3, 3))
    counts = [int(count) for count in arguments.species.split(",")]
    write(arguments.output, arguments.frames, counts, box, arguments.seed, arguments.gzip, arguments.chunk)


if __name__ == "__main__":
    main()
