"""Counts of a result file, read and checked by the program; scripts do not open HDF5 files."""

import json
from dataclasses import dataclass, field

import numpy as np

from starhist_program import ResultError, answer

OF_NOTHING = 3  # checksum of all frames without particles in a counted pair


@dataclass
class PairCounts:
    """Sums over the frames of each block, for one pair of species."""

    label: str
    species: tuple  # indexes of both
    pairs: np.ndarray  # [blocks]
    pairs_over_volume: np.ndarray  # [blocks]; 0 without a volume
    underflow: np.ndarray  # [blocks]; pairs closer than the first bin
    counts: np.ndarray  # [blocks, bins]


def equal_widths(edges):
    """Whether bins between these edges have the same width, up to rounding."""
    return bool(np.ptp(np.diff(edges)) <= 1e-9 * edges[-1])


@dataclass
class ResultCounts:
    """Output of `starhist export --arrays` (docs/reference/result-file.md, Block arrays)."""

    complete: bool  # False: of a run that did not finish
    unit: str  # of lengths; "" if unknown
    species: list
    provenance: dict
    edges: np.ndarray  # [bins + 1]
    frames: np.ndarray  # [blocks]
    particle_number: np.ndarray  # [blocks, species]
    pairs: list  # of PairCounts
    plane: str = ""  # plane in which distances were measured: "xy"; "": in space
    checksums: np.ndarray = field(default_factory=lambda: np.empty(0, "<u8"))  # of the counted frames that are known
    geometry: str = ""  # "slab" or "cylinder": the ideal gas of g(r); "": unbounded, as also in a given volume
    n_end: float = float("inf")  # largest r of n(r): larger spheres do not fit into the box

    @property
    def equal_widths(self):
        return equal_widths(self.edges)

    def centres_of(self, pair):
        """[(species, its particles in each block)] of the one or two species of the pair."""
        return [(self.species[s], self.particle_number[:, s]) for s in dict.fromkeys(pair.species)]


def read_counts(program, path, wanted=""):
    """ResultCounts of the result file `path`. program: Program; wanted: pairs as of --pairs, "" for all."""
    data = answer(program, "export", "--arrays", *(["--pairs", wanted] if wanted else []), "--", path)
    header, _, arrays = data.partition(b"\n")
    offset = 0

    def take(*shape, kind="<u8"):
        nonlocal offset
        size = int(np.prod(shape))
        values = np.frombuffer(arrays, kind, size, offset).reshape(shape)
        offset += 8 * size
        return values

    try:
        facts = json.loads(header)
        blocks, bins, species = facts["blocks"], facts["bins"], facts["species"]
        edges, frames = take(bins + 1, kind="<f8"), take(blocks)
        particle_number = take(blocks, len(species))
        pairs = [
            PairCounts(
                pair["label"],
                (pair["first"], pair["second"]),
                take(blocks),
                take(blocks, kind="<f8"),
                take(blocks),
                take(blocks, bins),
            )
            for pair in facts["pairs"]
        ]
        checksums = take(facts.get("frame_checksums", 0))
    except (ValueError, KeyError) as error:
        raise ResultError(
            f"{path}: starhist export --arrays of {program.path} returned no counts ({error}): use a program "
            "of the same version as this script"
        ) from error
    return ResultCounts(
        facts["complete"],
        facts["length_unit"],
        species,
        dict(facts["provenance"]),
        edges,
        frames,
        particle_number,
        pairs,
        facts.get("plane", ""),
        checksums[(checksums != 0) & (checksums != OF_NOTHING)],
        facts.get("geometry", "").removeprefix("volume"),
        facts.get("n_defined_up_to", float("inf")),
    )
