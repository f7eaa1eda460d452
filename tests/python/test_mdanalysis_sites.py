"""InterRDF_s and the backends of run(), against MDAnalysis' classes."""

import numpy as np
import pytest

MDAnalysis = pytest.importorskip("MDAnalysis")
from MDAnalysis.analysis import rdf as theirs  # noqa: E402

from starhist import mdanalysis as ours  # noqa: E402


@pytest.fixture(scope="module")
def universe():
    universe = MDAnalysis.Universe.empty(40, trajectory=True)
    frames = np.random.default_rng(4).random((6, 40, 3)).astype(np.float32) * 20
    boxes = np.array([[20, 20, 20 + k, 90, 90, 90] for k in range(6)], np.float32)
    universe.load_new(frames, dimensions=boxes)
    return universe


@pytest.mark.parametrize("norm", ["rdf", "density", "none"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_sites(universe, norm):
    atoms = universe.atoms
    groups = [[atoms[:3], atoms[5:9]], [atoms[2:4], atoms[2:4]]]
    settings = {"nbins": 30, "range": (0.0, 9.0), "norm": norm}
    expected = theirs.InterRDF_s(universe, groups, **settings).run()
    found = ours.InterRDF_s(universe, groups, **settings).run(backend="multiprocessing", n_workers=2)
    for name in ("count", "rdf"):
        for one, other in zip(found.results[name], expected.results[name]):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=1e-6)
    for one, other in zip(found.get_cdf(), expected.get_cdf()):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    np.testing.assert_array_equal(found.results.cdf[0], found.get_cdf()[0])


def test_bad_input_of_sites(universe):
    atoms = universe.atoms
    with pytest.raises(ValueError, match="invalid norm"):
        ours.InterRDF_s(universe, [[atoms[:1], atoms[1:]]], norm="no")
    other = MDAnalysis.Universe.empty(2, trajectory=True)
    with pytest.raises(ValueError, match="several Universes"):
        ours.InterRDF_s(universe, [[atoms[:1], other.atoms]])


def test_backends_are_accepted(universe):
    atoms = universe.atoms
    settings = {"nbins": 10, "range": (0.0, 8.0)}
    serial = ours.InterRDF(atoms[:9], atoms[9:], **settings).run()
    parallel = ours.InterRDF(atoms[:9], atoms[9:], **settings).run(backend="dask", n_workers=4, n_parts=4)
    np.testing.assert_array_equal(serial.results.count, parallel.results.count)
