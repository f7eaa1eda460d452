"""Writes result files, by running a program of the package: the module loads no HDF5 into Python's process."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from . import _core, program
from ._messages import in_words_of_python

BLOCK = np.dtype(
    [
        ("frames", "u8"), ("first_frame", "u8"), ("last_frame", "u8"), ("last_step", "i8"),
        ("last_time", "f8"), ("volume", "f8"), ("inverse_volume", "f8"), ("inscribed_radius", "f8"),
        ("box", "f8", 9), ("has_box", "i4"), ("reserved", "i4"),
    ]
)  # fmt: skip
"""Memory layout of the C library's starhist_block."""


LOG = b"\x89starhist log "
"""First bytes of the .partial file of an unfinished run."""


class Contents(Protocol):
    """Contents of a result file."""

    def write(self, path: str, overwrite: bool, elements: Mapping[str, str]) -> None: ...


@dataclass
class Saved:
    """The bytes of an existing result file."""

    data: bytes

    def write(self, path: str, overwrite: bool, elements: Mapping[str, str]) -> None:
        if elements:
            raise ValueError(
                "elements= is for counts of positions; a result of files records the elements in the files: "
                'set others with options=["--aliases", ...] when counting'
            )
        if not overwrite and os.path.lexists(path):
            raise FileExistsError(f"{path} exists: pass another path, or overwrite=True")
        if os.path.exists(path) and not os.path.isfile(path):  # a device, or a folder
            Path(path).write_bytes(self.data)
            return
        # Written aside and renamed, so that a full disk leaves the old file and no part of the new one.
        target = os.path.realpath(path)
        aside = f"{target}.{os.getpid()}.new"
        try:
            Path(aside).write_bytes(self.data)
            os.replace(aside, target)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise


def write_result(contents: Contents, path: str, overwrite: bool, elements: Mapping[str, str]) -> None:
    """Writes a result file. Raises ValueError for the contents of a .partial file, which is not a result file."""
    if isinstance(contents, Saved) and contents.data.startswith(LOG):
        raise ValueError(
            "the result was loaded from the .partial file of a run that did not finish, and has no result file yet: "
            "finish the run with --resume, or copy the .partial file"
        )
    contents.write(path, overwrite, elements)


@dataclass
class Blocks:
    """Counts of each block. The first axis of all arrays is the block."""

    header: str
    species: list[str]
    block: npt.NDArray[np.void]
    particles: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.uint64]
    out_of_range: npt.NDArray[np.uint64]
    pairs: npt.NDArray[np.uint64]
    pairs_over_volume: npt.NDArray[np.float64]

    @classmethod
    def of(cls, histogram: _core.Histogram, units: tuple[str, str]) -> Blocks:
        if _core.block_bytes != BLOCK.itemsize:
            raise RuntimeError("the extension and the Python files of starhist are of different versions: reinstall it")
        block = np.frombuffer(histogram.blocks(), dtype=BLOCK)
        return cls(_header(histogram, units, len(block)), histogram.species_names(), block, *histogram.sums())

    def frames(self) -> int:
        return int(self.block["frames"].sum())

    def have_volume(self) -> bool:
        return bool((self.block["volume"] > 0).all())

    def write(self, path: str, overwrite: bool, elements: Mapping[str, str]) -> None:
        arrays = (self.particles, self.counts, self.out_of_range, self.pairs, self.pairs_over_volume)
        parts = [_element_lines(self.species, elements).encode(), self.header.encode()]
        for b in range(len(self.block)):
            parts.append(self.block[b].tobytes())
            parts += [array[b].tobytes() for array in arrays]
        force = ["--force"] if overwrite else []
        done = program.call("starhist-save", [path, *force], stdin=b"".join(parts))
        if done.returncode != 0:
            raise OSError(in_words_of_python(done.stderr.decode(errors="replace").strip()))


def _element_lines(species: list[str], elements: Mapping[str, str]) -> str:
    """First lines of the input of starhist-save: the number of species, and one element per line."""
    for name, element in elements.items():
        if name not in species:
            raise ValueError(f"elements: there is no species {name!r} (there are {', '.join(species)})")
        if not isinstance(element, str) or "\n" in element:
            raise ValueError(f"elements: {element!r}, for the species {name!r}, is not an element symbol")
    lines = [elements.get(name, "") for name in species] if elements else []
    return "\n".join([f"elements {len(lines)}", *lines]) + "\n"


def _header(histogram: _core.Histogram, units: tuple[str, str], blocks: int) -> str:
    """Remaining text lines of the input of starhist-save; binary blocks follow."""
    species = histogram.species_names()
    edges = histogram.edges()
    lines = [f"r_max {float(edges[-1])!r}", f"bins {len(edges) - 1}"]
    lines += [f"length_unit {units[0]}", f"time_unit {units[1]}"]
    lines += [f"species {len(species)}", *species]
    numbers = histogram.pair_species()
    lines += [f"pairs {len(numbers)}", *(f"{a} {b}" for a, b in numbers)]
    record = histogram.provenance()
    lines += [f"record {len(record)}", *(text for entry in record for text in entry)]
    lines += [f"blocks {blocks}"]
    if any("\n" in line for line in lines):
        raise ValueError(
            "the name of a species or unit contains a line break (result files cannot store it): remove it"
        )
    return "\n".join(lines) + "\n"
