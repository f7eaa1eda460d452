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


@pytest.mark.parametrize("settings", [{}, {"r_min": 0.3}])
def test_two_dimensions_as_freud(settings):
    freud = pytest.importorskip("freud")
    random = np.random.default_rng(5)
    box = freud.box.Box(12, 14, xy=0.3, is2D=True)
    points = box.wrap(np.c_[random.random((200, 2)) * 14, np.zeros(200)].astype(np.float32))
    settings = {"bins": 40, "r_max": 5.0, **settings}
    ours, theirs = RDF(**settings).compute((box, points)), freud.density.RDF(**settings).compute((box, points))
    close(ours, theirs)
    assert ours.box is box
    for neighbors in ({"num_neighbors": 6}, {"mode": "ball", "r_max": 4.0}):
        for lengths in (box, [12, 14, 0, 0.3, 0, 0]):
            listed = RDF(**settings).compute((lengths, points), neighbors=neighbors)
            close(listed, freud.density.RDF(**settings).compute((box, points), neighbors=neighbors))
    square = freud.box.Box.square(12)
    system = (square, square.wrap(points))
    theirs = freud.density.RDF(40, 5.0).compute(system)
    for lengths in ([12, 12], {"Lx": 12, "Ly": 12}, [12, 12, 0]):
        close(RDF(40, 5.0).compute((lengths, system[1])), theirs)


def test_open_boxes_as_freud():
    freud = pytest.importorskip("freud")
    box = freud.box.Box(12, 13, 14)
    box.periodic = (True, False, True)
    points = box.wrap((np.random.default_rng(6).random((150, 3)) * 12).astype(np.float32))
    ours, theirs = (kind(bins=30, r_max=5.0).compute((box, points)) for kind in (RDF, freud.density.RDF))
    close(ours, theirs)
    ours, theirs = (
        kind(30, 5.0).compute((box, points), neighbors={"num_neighbors": 6}) for kind in (RDF, freud.density.RDF)
    )
    close(ours, theirs)
    ours = RDF(bins=30, r_max=5.0).compute((box, points))
    periodic = RDF(bins=30, r_max=5.0).compute(([12, 13, 14], points))
    assert periodic.bin_counts.sum() > ours.bin_counts.sum()


def test_refuses_r_max_beyond_half_the_box():
    points = np.random.default_rng(8).random((60, 3)) * 10
    flat = points * [1, 1, 0]
    steep = [10, 10, 10, 0, 0, 1]  # faces along y are 10 / sqrt(2) apart
    for box, inside, half in (([10, 10, 10], points, 5), ([10, 12], flat, 5), (steep, points, 50**0.5 / 2)):
        rdf = RDF(10, half)
        counts = rdf.compute((box, inside)).bin_counts
        beyond = RDF(10, half + 0.01)
        with pytest.raises(RuntimeError, match=rf"r_max .* is too large for this box .* {half:.6g}.*starhist\.rdf\("):
            beyond.compute((box, inside))
        with pytest.raises(RuntimeError, match="too large"):
            beyond.compute((box, inside), inside[:5])
        with pytest.raises(RuntimeError, match="too large"):
            rdf.compute(([6, 6, 6], inside), reset=False)
        np.testing.assert_array_equal(rdf.bin_counts, counts)
    freud = pytest.importorskip("freud")
    box = freud.box.Box(10, 20, 20)
    box.periodic = (False, True, True)
    RDF(10, 9.9).compute((box, points))
    with pytest.raises(RuntimeError, match="too large"):
        RDF(10, 10.1).compute((box, points))


def test_neighbors_as_freud():
    freud = pytest.importorskip("freud")
    random = np.random.default_rng(7)
    box = freud.box.Box(12, 13, 14, 0.2, -0.1, 0.3)
    points, query = (box.wrap((random.random((n, 3)) * 14).astype(np.float32)) for n in (150, 60))
    system = freud.locality.AABBQuery(box, points)
    for neighbors in ({"num_neighbors": 8}, {"mode": "ball", "r_max": 4.0}):
        for others in (None, query):
            ours, theirs = RDF(40, 5.0), freud.density.RDF(40, 5.0)
            for reset in (True, False):
                ours.compute(system, others, neighbors, reset=reset)
                theirs.compute(system, others, neighbors, reset=reset)
            assert ours.bin_counts.sum() > 0
            close(ours, theirs)
    listed = system.query(points, {"mode": "ball", "r_max": 5.5, "exclude_ii": True}).toNeighborList()
    everything, of_list = (RDF(40, 5.0).compute((box, points), neighbors=n) for n in (None, listed))
    np.testing.assert_array_equal(everything.bin_counts, of_list.bin_counts)
    with pytest.raises(ValueError, match="the neighbour list names points that do not exist"):
        RDF(40, 5.0).compute((box, points[:50]), neighbors=listed)


def test_listed_neighbors_on_edges():
    freud = pytest.importorskip("freud")
    grid = np.stack(np.meshgrid(*[np.arange(5) * 0.1] * 3), axis=-1).reshape(-1, 3).astype(np.float32)
    query = {"mode": "ball", "r_max": 0.4, "exclude_ii": True}
    box = freud.box.Box.cube(5)
    everything, listed = (RDF(6, 0.3).compute((box, grid), neighbors=n) for n in (None, query))
    np.testing.assert_array_equal(everything.bin_counts, listed.bin_counts)


def test_range_between_bins():
    points = np.random.default_rng(8).random((100, 3)) * 5
    fine, coarse = (RDF(bins, 2.0, r_min=0.3).compute(([5, 5, 5], points)) for bins in (34, 17))
    between = RDF(4, 2.0, r_min=0.3).compute(([5, 5, 5], points))
    np.testing.assert_array_equal(fine.bin_counts.reshape(-1, 2).sum(axis=1), coarse.bin_counts)
    assert between.bin_counts.sum() == coarse.bin_counts.sum()
    distances = np.linalg.norm((d := points[:, None] - points) - 5 * np.rint(d / 5), axis=2)
    expected, _ = np.histogram(distances[np.triu_indices(100, 1)], bins=between.bin_edges)
    np.testing.assert_array_equal(between.bin_counts, 2 * expected)


def test_plot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    rdf = RDF(4, 2).compute(([5, 5, 5], np.random.default_rng(3).random((20, 3)) * 5))
    axes = rdf.plot()
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), rdf.rdf)
    assert (axes.get_title(), axes.get_xlabel(), rdf.plot(axes) is axes) == ("RDF", "$r$", True)
    plt.close(axes.figure)


def test_bad_input():
    points = np.zeros((3, 3))
    for box in ([5], [5, 0, 5], np.eye(2)):
        with pytest.raises(ValueError, match="box"):
            RDF(10, 2).compute((box, points))
    for query in (None, points + 1):
        with pytest.raises(ValueError, match="a point has z != 0, and the box has two dimensions"):
            RDF(10, 2).compute(([5, 5], points if query is not None else points + 1), query)
    with pytest.raises(TypeError, match="neighbors is of type int: pass a NeighborList"):
        RDF(10, 2).compute(([5, 5, 5], points), neighbors=12)
    with pytest.raises(ValueError, match=r"r_min is 0.331414, .*: pass 0, or 0\.331") as refused:
        RDF(9, 2, r_min=0.331414)
    RDF(9, 2, r_min=float(str(refused.value).split()[-1]))
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
