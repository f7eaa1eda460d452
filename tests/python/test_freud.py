"""starhist.freud.RDF against freud's own, and by hand."""

import numpy as np
import pytest

from starhist.freud import RDF


def close(ours, theirs):
    """freud has single precision, which moves pairs at edges of bins."""
    assert np.abs(np.cumsum(ours.bin_counts.astype(float) - theirs.bin_counts)).max() <= 6
    np.testing.assert_allclose(ours.bin_centers, theirs.bin_centers, rtol=1e-6)
    np.testing.assert_allclose(ours.bin_edges, theirs.bin_edges, rtol=1e-6, atol=1e-6)
    equal = ours.bin_counts == theirs.bin_counts
    assert equal.sum() > len(equal) / 2
    np.testing.assert_allclose(ours.rdf[equal], theirs.rdf[equal], rtol=1e-4)
    np.testing.assert_allclose(ours.n_r, theirs.n_r, rtol=1e-3, atol=1e-2)


@pytest.mark.parametrize("settings", [{}, {"normalization_mode": "finite_size"}, {"r_min": 1.0}])
def test_as_freud(settings):
    freud = pytest.importorskip("freud")
    random = np.random.default_rng(1)
    settings = {"bins": 40 if "r_min" in settings else 50, "r_max": 5.0, **settings}
    ours, theirs = RDF(**settings), freud.density.RDF(**settings)
    box = freud.box.Box(12, 13, 14, 0.2, -0.1, 0.3)
    for reset in (True, False, False):
        points = box.wrap((random.random((150, 3)) * 14).astype(np.float32))
        ours.compute((box, points), reset=reset)
        theirs.compute((box, points), reset=reset)
    close(ours, theirs)


def test_query_points_as_freud():
    freud = pytest.importorskip("freud")
    random = np.random.default_rng(2)
    box = freud.box.Box.cube(12)
    points, query = (box.wrap((random.random((n, 3)) * 12).astype(np.float32)) for n in (120, 40))
    ours, theirs = RDF(30, 5.0), freud.density.RDF(30, 5.0)
    close(ours.compute((box, points), query), theirs.compute((box, points), query))


def test_boxes():
    points = np.random.default_rng(3).random((100, 3)) * 5
    tilted = np.array([[5, 0.5, 0.5], [0, 5, 1.0], [0, 0, 5]])  # columns
    a = RDF(10, 2).compute(([5, 5, 5, 0.1, 0.1, 0.2], points))
    b = RDF(10, 2).compute((tilted, points))
    np.testing.assert_array_equal(a.bin_counts, b.bin_counts)
    assert a.bin_counts.sum() != RDF(10, 2).compute(([5, 5, 5], points)).bin_counts.sum()


def test_bad_input():
    points = np.zeros((3, 3))
    for box in ([5, 5], [5, 5, 0], np.eye(2)):
        with pytest.raises(ValueError, match="box"):
            RDF(10, 2).compute((box, points))
    with pytest.raises(TypeError, match="neighbors"):
        RDF(10, 2).compute(([5, 5, 5], points), neighbors={"r_max": 2})
    with pytest.raises(ValueError, match="r_min"):
        RDF(10, 2, r_min=0.33)
    with pytest.raises(ValueError, match="normalization"):
        RDF(10, 2, normalization_mode="best")
    with pytest.raises(AttributeError, match="compute"):
        RDF(10, 2).rdf  # noqa: B018
