"""Bins between explicit edges through the package."""

import numpy as np
import pytest

import starhist


def naive(water, edges):
    """Counts of oxygen pairs in the first 4 frames, by a loop over all pairs."""
    oxygen = np.array(water.labels) == "O"
    counts = np.zeros(len(edges) - 1, np.uint64)
    for positions, box in zip(
        np.array(water.positions[:4], dtype=np.float64)[:, oxygen], np.asarray(water.boxes[:4], dtype=np.float64)
    ):
        lengths = np.diag(box) if box.ndim == 2 else box[:3]
        first, second = np.triu_indices(len(positions), 1)
        step = positions[first] - positions[second]
        step -= np.round(step / lengths) * lengths
        bins = np.searchsorted(np.square(edges), (step**2).sum(axis=1), side="right") - 1
        counts += np.bincount(bins[(bins >= 0) & (bins < len(counts))], minlength=len(counts)).astype(np.uint64)
    return counts


def test_files_are_counted_between_edges(water, tmp_path):
    edges = np.geomspace(0.1, 1.4, 31)
    result = starhist.rdf(water.path, edges=edges, pairs="O-O", stop=4)
    np.testing.assert_array_equal(result.edges, edges)
    np.testing.assert_array_equal(result.counts[0], naive(water, edges))
    path = tmp_path / "edges.h5"
    result.save(path)
    again = starhist.load(path)
    np.testing.assert_array_equal(again.edges, edges)
    np.testing.assert_array_equal(again.g, result.g)
    merged = result.rebin(3)
    np.testing.assert_array_equal(merged.edges, edges[::3])
    np.testing.assert_array_equal(merged.counts[0], result.counts[0].reshape(-1, 3).sum(axis=1))
    assert np.isfinite(merged.g).all()


def test_logarithmic_bins(water):
    result = starhist.rdf(water.path, bins="log:20", r_max=1.4, pairs="O-O", stop=4, options=["--r-min", "0.2"])
    np.testing.assert_allclose(result.edges, np.geomspace(0.2, 1.4, 21), rtol=1e-14)
    np.testing.assert_array_equal(result.counts[0], naive(water, result.edges))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"edges": [0.1, 0.3, 0.2]}, "edges must rise"),
        ({"edges": [0.1]}, "at least two"),
        ({"edges": [0.1, np.nan]}, "finite"),
        ({"edges": [[0.1, 0.2]]}, "2 dimensions"),
        ({"edges": [0.1, 0.2], "bins": 3}, "omit r_max and bins"),
        ({"edges": [0.1, 0.2], "r_max": 3}, "omit r_max and bins"),
        ({"bins": "log:3", "r_max": 1}, "r-min|r_min"),
    ],
)
def test_bad_edges_are_refused(water, arguments, message):
    with pytest.raises(ValueError, match=message):
        starhist.rdf(water.path, **arguments)


def test_words_are_refused(water):
    with pytest.raises(TypeError, match="edges must be numbers"):
        starhist.rdf(water.path, edges=["a", "b"])


def test_arrays_count_as_files(water):
    edges = [0.1, 0.3, 1.0]
    source = {"box": water.boxes[:4], "species": water.labels}
    result = starhist.rdf(water.positions[:4], edges=edges, **source)
    np.testing.assert_array_equal(result.edges, edges)
    np.testing.assert_array_equal(result.counts, starhist.rdf(water.path, edges=edges, stop=4).counts)
    with pytest.raises(ValueError, match="omit r_max and bins"):
        starhist.rdf(water.positions[:4], edges=edges, bins=3, **source)
    with pytest.raises(ValueError, match="edges=numpy.geomspace"):
        starhist.rdf(water.positions[:4], bins="log:3", **source)


def test_quantities_of_equal_widths_are_refused(water):
    result = starhist.rdf(water.path, edges=[0.0, 0.3, 1.4], stop=4)
    with pytest.raises(ValueError, match="equal width"):
        result.structure_factor()
