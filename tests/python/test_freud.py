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


@pytest.mark.parametrize("mode", ["exact", "finite_size"])
def test_query_points_as_freud(mode):
    freud = pytest.importorskip("freud")
    random = np.random.default_rng(2)
    box = freud.box.Box.cube(12)
    points, query = (box.wrap((random.random((n, 3)) * 12).astype(np.float32)) for n in (120, 40))
    settings = {"bins": 30, "r_max": 5.0, "normalization_mode": mode}
    ours, theirs = RDF(**settings), freud.density.RDF(**settings)
    close(ours.compute((box, points), query), theirs.compute((box, points), query))


def test_finite_size_counts_query_points():
    random = np.random.default_rng(2)
    points, query = random.random((50, 3)) * 8, random.random((20, 3)) * 8
    exact, finite = (
        RDF(4, 4, normalization_mode=mode).compute(([8, 8, 8], points), query).rdf for mode in ("exact", "finite_size")
    )
    np.testing.assert_allclose(finite / exact, 20 / 19, rtol=1e-14)


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
    with pytest.raises(ValueError, match="normalization_mode is 'best': pass 'exact'"):
        RDF(10, 2, normalization_mode="best")
    for settings, message in [
        ((0, 2), "bins is 0: pass an integer of at least 1"),
        ((10, 0), "r_max is 0: pass a distance above 0"),
        ((10, -1), "r_max is -1: pass"),
        ((10, np.nan), "r_max is nan: pass"),
        ((10, np.inf), "r_max is inf: pass"),
        ((10, 2, 2), "r_min is 2, and r_max is 2: pass 0 <= r_min < r_max"),
        ((10, 2, 3), "r_min is 3, and r_max is 2"),
        ((10, 2, -1), "r_min is -1, and"),
        ((10, 2, np.nan), "r_min is nan, and"),
    ]:
        with pytest.raises(ValueError, match=message):
            RDF(*settings)
    for settings, message in [
        (("a", 2), "bins is 'a': pass an integer"),
        ((10.5, 2), "bins is 10.5: pass an integer"),
        ((10, "far"), "r_max is 'far': pass a number"),
        ((10, 2, None), "r_min is None: pass a number"),
    ]:
        with pytest.raises(TypeError, match=message):
            RDF(*settings)
    for system, message in [
        (None, "system is None: pass the tuple"),
        (points, "system is of type ndarray: pass the tuple"),
        (points[:2], "system is of type ndarray: pass the tuple"),
        (([5, 5, 5],), r"system is a tuple of 1: pass the tuple \(box, points\)"),
    ]:
        with pytest.raises(TypeError, match=message):
            RDF(10, 2).compute(system)
    with pytest.raises(AttributeError, match="compute"):
        RDF(10, 2).rdf  # noqa: B018
