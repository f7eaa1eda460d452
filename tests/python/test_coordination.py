"""coordination(): neighbours of the particles in files."""

import pathlib

import numpy as np
import pytest

import starhist


def test_sums_equal_the_counts_of_rdf(water):
    result = starhist.coordination(water.path, {"O-H": 0.245, "O-O": 0.35}, stop=20, per_frame=True, per_particle=True)
    rdf = starhist.rdf(water.path, r_max=0.35, bins=70, stop=20)
    below = {pair: counts.cumsum() for pair, counts in zip(rdf.pairs, rdf.counts)}
    sums = result.counts @ np.arange(result.counts.shape[1], dtype=np.uint64)
    assert sums.tolist() == [below["H-O"][48], 2 * below["O-O"][69]]
    assert result.pairs == ["O-H", "O-O"]
    np.testing.assert_array_equal(result.cutoffs, [0.245, 0.35])
    np.testing.assert_allclose(result.distribution.sum(axis=1), 1)
    np.testing.assert_allclose(result.mean, sums / result.counts.sum(axis=1))
    np.testing.assert_allclose(result.per_frame.mean(axis=1), result.mean)
    assert result.times.shape == (20,)
    for pair, mean in zip(result.pairs, result.mean):
        np.testing.assert_allclose(result.per_particle[pair].mean(), mean)
        assert (water.labels[result.particles[pair]] == "O").all()
    assert (result.mean_errors > 0).all()
    assert "O-H 3.8" in repr(result)


def test_names_of_a_structure(tmp_path):
    settings = {"species": "O=name OW", "options": ["--exclude-same", "residue"]}
    data = pathlib.Path(__file__).parents[1] / "data"
    named = starhist.coordination(data / "water-spce.xtc", 0.335, structure=data / "water-214.gro", stop=5, **settings)
    rdf = starhist.rdf(
        data / "water-spce.xtc", structure=data / "water-214.gro", r_max=0.335, bins=67, stop=5, **settings
    )
    np.testing.assert_allclose(named.mean, rdf["O-O"].n[-1:])
    with pytest.raises(FileNotFoundError, match=r"none\.gro does not exist"):
        starhist.coordination(data / "water-spce.xtc", 0.335, structure="none.gro")
    with pytest.raises(FileNotFoundError, match=r"none\.xtc does not exist"):
        starhist.vanhove("none.xtc")


def test_numbers_per_particle_need_the_same_particles():
    mda = pytest.importorskip("MDAnalysis")
    universe = mda.Universe.empty(4, trajectory=True)
    universe.add_TopologyAttr("names", ["O"] * 4)
    universe.load_new(np.array([[[0, 0, 0], [1, 0, 0], [5, 0, 0], [6, 0, 0]]], dtype=np.float32))
    group = universe.select_atoms("prop x < 3", updating=True)
    settings = {"box": [10.0, 10, 10, 90, 90, 90]}
    with pytest.raises(ValueError, match="coordination\\(\\) with per_particle follows the same particles"):
        starhist.coordination(group, 2.0, per_particle=True, **settings)
    assert starhist.coordination(group, 2.0, **settings).mean == [1.0]


def test_groups_that_change_are_refused_with_a_remedy():
    mda = pytest.importorskip("MDAnalysis")
    universe = mda.Universe.empty(3, trajectory=True)
    universe.add_TopologyAttr("names", ["O"] * 3)
    universe.load_new(
        np.array([[[0, 0, 0], [1, 0, 0], [5, 0, 0]], [[0, 0, 0], [1, 0, 0], [2, 0, 0]]], dtype=np.float32)
    )
    group = universe.select_atoms("prop x < 3", updating=True)
    with pytest.raises(
        ValueError, match='labels of frame 1 differ .*the path of a trajectory with a rule .*species="A='
    ):
        starhist.coordination(group, 2.0, box=[10.0, 10, 10, 90, 90, 90])


def test_pairs_as_tuples(water):
    by_name = starhist.coordination(water.path, {"O-H": 0.245}, stop=3)
    by_tuple = starhist.coordination(water.path, {("O", "H"): 0.245}, stop=3)
    of_pairs = starhist.coordination(water.path, 0.245, pairs=[("O", "H")], stop=3)
    assert by_tuple.pairs == of_pairs.pairs == ["O-H"]
    np.testing.assert_array_equal(by_tuple.counts, by_name.counts)
    np.testing.assert_array_equal(of_pairs.counts, by_name.counts)
    for wrong in ({("O", "H", "O"): 0.245}, {("O",): 0.245}):
        with pytest.raises(TypeError, match="pairs is"):
            starhist.coordination(water.path, wrong)


def test_particles_are_indices_of_the_universe():
    mda = pytest.importorskip("MDAnalysis")
    data = pathlib.Path(__file__).parents[1] / "data"
    universe = mda.Universe(data / "peptide.gro", data / "peptide.xtc")
    ions, water = universe.select_atoms("name NA"), universe.select_atoms("name OW")
    settings = {"per_particle": True, "stop": 2, "frames_per_block": 1}
    for source in ({"OW": water, "NA": ions}, ions + water, water + ions):
        found = starhist.coordination(source, {"NA-OW": 3.2}, **settings)
        np.testing.assert_array_equal(np.sort(found.particles["NA-OW"]), ions.ix)
    everything = starhist.coordination(universe, {"NA-OW": 3.2}, **settings)
    np.testing.assert_array_equal(everything.particles["NA-OW"], ions.ix)
    order = np.argsort(found.particles["NA-OW"])
    np.testing.assert_array_equal(found.per_particle["NA-OW"][order], everything.per_particle["NA-OW"])


def test_particles_without_a_label_keep_their_index():
    line = np.zeros((6, 3))
    line[:, 0] = range(6)
    found = starhist.coordination(
        line, 1.5, box=[9, 9, 9], species=["A", None, "B", "A", "B", None], pairs="B-A", per_particle=True
    )
    assert found.particles["B-A"].tolist() == [2, 4]
    assert found.per_particle["B-A"].tolist() == [1, 1]


def test_a_missing_box_is_reported_where_the_function_is_called(water):
    with pytest.warns(UserWarning, match="the positions have no box") as caught, pytest.raises(ValueError):
        starhist.coordination(water.positions[:1], 99.0, species=["X"])
    assert caught[0].filename == __file__


def test_arrays_have_the_neighbours_of_files(water):
    settings = {"per_frame": True, "per_particle": True, "frames_per_block": 2}
    of_file = starhist.coordination(water.path, {"O-H": 0.245}, stop=5, **settings)
    of_array = starhist.coordination(
        water.positions[:5], {"O-H": 0.245}, box=water.boxes[:5], species=water.labels, **settings
    )
    np.testing.assert_array_equal(of_array.counts, of_file.counts)
    np.testing.assert_array_equal(of_array.per_frame, of_file.per_frame)
    np.testing.assert_array_equal(of_array.per_particle["O-H"], of_file.per_particle["O-H"])
    np.testing.assert_array_equal(of_array.particles["O-H"], of_file.particles["O-H"])
    opened = starhist.coordination(water.path, {"O-H": 0.245}, stop=1, options=["--open", "z"])
    periodic = (True, True, False)
    of_open = starhist.coordination(
        (water.positions[0], water.boxes[0]), {"O-H": 0.245}, species=water.labels, periodic=periodic
    )
    np.testing.assert_array_equal(opened.counts, of_open.counts)


def test_cutoffs_at_the_first_minimum(water, tmp_path):
    path = tmp_path / "rdf.h5"
    starhist.rdf(water.path, r_max=0.5, bins=100, pairs="O-O").save(path)
    result = starhist.coordination(water.path, {"O-O": "min"}, minima=path, stop=3)
    assert result.cutoffs[0] == pytest.approx(0.34, abs=0.02)
    of_result = starhist.coordination(water.path, {"O-O": "min"}, minima=starhist.load(path), stop=3)
    np.testing.assert_array_equal(of_result.counts, result.counts)
    source = {"box": water.boxes[:3], "species": water.labels}
    in_nm = starhist.coordination(
        water.positions[:3], {"O-O": "min"}, minima=starhist.load(path), length_unit="nm", **source
    )
    np.testing.assert_array_equal(in_nm.counts, result.counts)
    with pytest.raises(
        ValueError, match="minima: its length unit is nm; the unit of the frames is unknown.*length_unit="
    ):
        starhist.coordination(water.positions[:3], {"O-O": "min"}, minima=starhist.load(path), **source)
    with pytest.raises(ValueError, match="minima=RESULT.h5"):
        starhist.coordination(water.path, {"O-O": "min"})


def test_one_block_has_no_errors(water):
    result = starhist.coordination(water.path, 0.35, pairs="O-O", stop=3, frames_per_block=3)
    assert np.isnan(result.mean_errors).all() and np.isnan(result.distribution_errors).all()
    assert result.per_frame is None and result.per_particle is None


def test_plot_and_dataframe(water):
    pytest.importorskip("pandas")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    result = starhist.coordination(water.path, 0.35, pairs=["O-O", "O-H"], stop=4, frames_per_block=1)
    figure, axes = plt.subplots()
    result.plot(axes)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == result.pairs
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), result.distribution[0])
    figure.draw_without_rendering()
    legend = axes.get_legend().get_window_extent().transformed(axes.transData.inverted())
    assert legend.y0 > np.nanmax(result.distribution + result.distribution_errors)
    plt.close(figure)
    frame = result.to_dataframe()
    of_pair = frame[frame.pair == "O-H"].set_index("neighbours")
    k = result.pairs.index("O-H")
    np.testing.assert_array_equal(of_pair.particles, result.counts[k])
    np.testing.assert_array_equal(of_pair.error, result.distribution_errors[k])
    assert (of_pair.index * of_pair.fraction).sum() == pytest.approx(result.mean[k])


def test_wrong_sources_and_cutoffs_are_refused(water, tmp_path):
    with pytest.raises(ValueError, match="structure is for paths"):
        starhist.coordination(water.positions, 0.35, structure="names.gro")
    with pytest.raises(ValueError, match="periodic is not for files"):
        starhist.coordination(water.path, 0.35, periodic=(True, True, False))
    with pytest.raises(ValueError, match="is not a length"):
        starhist.coordination(water.path, -1)
    with pytest.raises(ValueError, match="half the shortest lattice vector"):
        starhist.coordination(water.path, {"O-O": 2})
    path = tmp_path / "cn.h5"
    starhist.coordination(water.path, 0.35, stop=1, options=["--per-frame"])
    starhist.rdf(water.path, r_max=0.5, bins=5, stop=2).save(path)
    with pytest.raises(ValueError, match="has no quantity mean"):
        starhist.load_coordination(path)
    with pytest.raises(FileNotFoundError):
        starhist.load_coordination(tmp_path / "missing.h5")
