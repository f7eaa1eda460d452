"""Distances in a plane through the package."""

import numpy as np
import pytest

import starhist


def test_files_are_counted_in_a_plane(water, tmp_path):
    result = starhist.rdf(water.path, plane="xy", pairs="O-O", r_max=1.2, bins=120, stop=4)
    assert result.plane == "xy"
    flat = np.array(water.positions[:4], dtype=np.float64)[:, np.array(water.labels) == "O"]
    counts = np.zeros(120, np.uint64)
    for positions, box in zip(flat, np.asarray(water.boxes[:4], dtype=np.float64)):
        lengths = np.diag(box)[:2] if box.ndim == 2 else box[:2]
        first, second = np.triu_indices(len(positions), 1)
        step = (positions[first] - positions[second])[:, :2]
        step -= np.round(step / lengths) * lengths
        bins = np.floor(np.sqrt((step**2).sum(axis=1)) * 100 + 2.0**-30).astype(int)
        counts += np.bincount(bins[bins < 120], minlength=120).astype(np.uint64)
    np.testing.assert_array_equal(result.counts[0], counts)
    path = tmp_path / "plane.h5"
    result.save(path)
    again = starhist.load(path)
    assert again.plane == "xy"
    np.testing.assert_array_equal(again.g, result.g)


def test_merged_bins_are_weighted_by_areas(water):
    fine = starhist.rdf(water.path, plane="xy", pairs="O-O", r_max=1.2, bins=120, stop=4)
    wide = starhist.rdf(water.path, plane="xy", pairs="O-O", r_max=1.2, bins=30, stop=4)
    merged = fine.rebin(4)
    assert merged.plane == "xy"
    np.testing.assert_allclose(merged.g, wide.g, rtol=1e-9)


def test_quantities_of_space_are_refused(water):
    result = starhist.rdf(water.path, plane="xz", r_max=1.2, bins=120, stop=4)
    with pytest.raises(ValueError, match="plane xz"):
        result.structure_factor()
    with pytest.raises(ValueError, match="give xy, xz, yz or"):
        starhist.rdf(water.path, plane="x", r_max=1.2, bins=120)
    with pytest.warns(UserWarning, match="no box"), pytest.raises(ValueError, match="not periodic along both axes"):
        starhist.rdf(water.positions[0], plane="xy", r_max=1.0, bins=10)


SPACES = [
    {"plane": "xz"},
    {"open_axes": "z"},
    {"open_axes": "x,y,z", "volume": 30.0},
    {"open_axes": "y", "geometry": "slab", "extent": 3.1},
    {"open_axes": "x,y", "geometry": "cylinder", "extent": 1.7},
]


def test_all_pairs_of_many_species_are_counted():
    positions = np.random.default_rng(3).random((60, 3))
    settings = {"box": [1.0, 1, 1], "r_max": 0.4, "bins": 4, "species": [f"S{k}" for k in range(60)]}
    assert len(starhist.rdf(positions, plane="xy", **settings).pairs) == 60 * 61 // 2


@pytest.mark.parametrize("space", SPACES, ids=lambda space: "-".join(map(str, space.values())))
def test_arrays_and_universes_give_the_counts_of_files(water, space):
    settings = {"pairs": "O-H", "r_max": 1.2, "bins": 60, "frames_per_block": 2, **space}
    of_file = starhist.rdf(water.path, stop=5, **settings)
    of_array = starhist.rdf(water.positions[:5], box=water.boxes[:5], species=water.labels, **settings)
    np.testing.assert_array_equal(of_array.counts, of_file.counts)
    np.testing.assert_allclose(of_array.g, of_file.g, rtol=1e-12)
    geometry = space.get("geometry", "volume" if "volume" in space else "")
    assert (of_array.plane, of_array.geometry) == (space.get("plane", ""), geometry)
    assert of_array.rebin(2).geometry == of_file.geometry == geometry
    mda = pytest.importorskip("MDAnalysis")
    universe = mda.Universe.empty(len(water.labels), trajectory=True)
    universe.add_TopologyAttr("names", water.labels)
    universe.load_new(np.asarray(water.positions[:5], dtype=np.float32))
    edges = np.asarray(water.boxes[0], dtype=np.float64)
    lengths = np.diag(edges) if edges.ndim == 2 else edges
    box = [*lengths, 90, 90, 90]
    of_universe = starhist.rdf(universe.atoms, box=box, **settings)
    same = starhist.rdf(
        [(frame.astype(np.float32), box) for frame in np.asarray(water.positions[:5])].__iter__(),
        species=water.labels, **settings,
    )  # fmt: skip
    np.testing.assert_array_equal(of_universe.counts, same.counts)
    assert of_universe.length_unit == "A"


def test_open_axes_of_arrays_equal_the_counter(water):
    settings = {"box": water.boxes[0], "species": water.labels, "r_max": 1.2, "bins": 60}
    opened = starhist.rdf(water.positions[:2], open_axes="z", **settings)
    counted = starhist.rdf(water.positions[:2], periodic=(True, True, False), **settings)
    np.testing.assert_array_equal(opened.counts, counted.counts)


def test_triclinic_boxes_by_angles_are_those_of_the_counter():
    random = np.random.default_rng(2)
    box = [3.0, 3.2, 3.5, 80.0, 70.0, 65.0]
    positions = random.random((2, 200, 3)) * 3
    opened = starhist.rdf(positions, box=box, open_axes="z", r_max=1.2, bins=60)
    counted = starhist.rdf(positions, box=box, periodic=(True, True, False), r_max=1.2, bins=60)
    np.testing.assert_array_equal(opened.counts, counted.counts)


def test_wrong_spaces_of_arrays_are_refused(water):
    frame = (water.positions[0], water.boxes[0])
    for space, problem in [
        ({"open_axes": "w"}, "give x, y or z"),
        ({"volume": 5}, "defines a volume"),
        ({"geometry": "slab"}, "does not apply"),
        ({"geometry": "sphere", "open_axes": "z"}, "slab, cylinder"),
        ({"extent": 5}, "slab or"),
        ({"plane": "xy", "open_axes": "z"}, "exclude each other"),
        ({"plane": "xy", "species": ["a b"] * len(water.labels)}, "blank"),
        ({"plane": "xy", "species": ["O"]}, "labels"),
    ]:
        with pytest.raises(ValueError, match=problem):
            starhist.rdf(frame, r_max=1.0, bins=10, **space)
