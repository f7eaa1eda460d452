"""Trajectories of tests/data as arrays, and the program's counts of them."""

import pathlib
import subprocess

import numpy as np
import pytest

import starhist
from starhist import program

DATA = pathlib.Path(__file__).parents[1] / "data"


class Trajectory:
    """Positions (frames x particles x 3, float32), boxes (frames x 3 x 3) and labels of an H5MD file."""

    def __init__(self, name):
        h5py = pytest.importorskip("h5py")
        self.path = DATA / name
        with h5py.File(self.path) as file:
            group = file["particles/all"]
            self.positions = group["position/value"][:]
            edges = group["box/edges"]
            self.boxes = edges["value"][:] if "value" in edges else np.array([edges[:]] * len(self.positions))
            species = group["species"]
            names = h5py.check_enum_dtype(species.dtype)
            self.labels = np.array([{v: k for k, v in names.items()}[s] if names else str(s) for s in species[:]])

    def __iter__(self):
        return iter(zip(self.positions, self.boxes))


@pytest.fixture(scope="session")
def water():
    return Trajectory("water.h5")


@pytest.fixture(scope="session")
def nacl():
    """Triclinic, of changing volume."""
    return Trajectory("nacl-triclinic-npt.h5")


@pytest.fixture(scope="session")
def program_counts(tmp_path_factory):
    """program_counts(TRAJECTORY, OPTION...): the result of `starhist rdf`."""
    folder = tmp_path_factory.mktemp("program")

    def count(trajectory, *options):
        output = folder / f"{abs(hash((str(trajectory.path), options)))}.h5"
        if not output.exists():
            subprocess.run([program.path(), "rdf", str(trajectory.path), "-o", str(output), "-q", *options], check=True)
        return starhist.load(output)

    return count
