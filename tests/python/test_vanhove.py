"""vanhove(): distances between frames."""

import subprocess

import numpy as np
import pytest

import starhist
from starhist import program


def test_lag_0_equals_rdf_and_particles_move(water):
    settings = {"r_max": 1.0, "bins": 50, "frames_per_block": 10}
    result = starhist.vanhove(water.path, lags=[0, 1, 4], **settings)
    rdf = starhist.rdf(water.path, **settings)
    assert result.pairs == rdf.pairs
    assert result.species == ["H", "O"]
    np.testing.assert_array_equal(result.edges, rdf.edges)
    np.testing.assert_array_equal(result.lags, [0, 1, 4])
    np.testing.assert_array_equal(result.counts[0], rdf.counts)
    np.testing.assert_array_equal(result.g[0], rdf.g)
    np.testing.assert_array_equal(result.g_errors[0], rdf.g_errors)
    assert (np.diff(result.msd, axis=0) > 0).all()
    centres = (result.self_counts * result.r**2).sum(axis=-1) / result.self_counts.sum(axis=-1)
    np.testing.assert_allclose(centres[1:], result.msd[1:], rtol=0.05)
    assert result.frames == rdf.frames


def test_intermediate_scattering_and_files(water, tmp_path):
    settings = {"r_max": 1.0, "bins": 100, "stop": 20, "frames_per_block": 4}
    result = starhist.vanhove(water.path, lags=[0, 2], **settings)
    rdf = starhist.rdf(water.path, **settings)
    whole = result.intermediate_scattering()
    static = rdf.structure_factor(options=["--partials", "ashcroft-langreth"])
    assert whole.axis == "q"
    np.testing.assert_array_equal(whole["O-O lag 0 (0 ps)"], static["O-O"])
    np.testing.assert_array_equal(whole.errors["total lag 0 (0 ps)"], static.errors["total"])
    elements = {"O": "O", "H": "D"}
    weighted = result.intermediate_scattering(weights="neutron", elements=elements)
    expected = rdf.structure_factor(quantity="neutron", elements=elements)
    np.testing.assert_array_equal(weighted["I/N lag 0 (0 ps)"], expected["I(q)/N"])
    own = result.intermediate_scattering("self", options=["--q-max", "20"])
    assert (own["O lag 0 (0 ps)"] == 1).all() and (own["O lag 2 (0.2 ps)"] < 1).all()
    parts = (
        own["O lag 2 (0.2 ps)"]
        + result.intermediate_scattering("distinct", options=["--q-max", "20"])["O-O lag 2 (0.2 ps)"]
    )
    np.testing.assert_allclose(parts, result.intermediate_scattering(options=["--q-max", "20"])["O-O lag 2 (0.2 ps)"])
    with pytest.raises(ValueError, match="part is 'both'"):
        result.intermediate_scattering("both")
    with pytest.raises(ValueError, match="weights"):
        result.intermediate_scattering("self", weights="xray")
    path = tmp_path / "vh.h5"
    result.save(path)
    again = starhist.load_vanhove(path)
    np.testing.assert_array_equal(again.counts, result.counts)
    np.testing.assert_array_equal(again.intermediate_scattering()["H-O lag 2 (0.2 ps)"], whole["H-O lag 2 (0.2 ps)"])
    with pytest.raises(FileExistsError):
        result.save(path)


def test_scattering_at_q_is_a_function_of_time(water):
    result = starhist.vanhove(water.path, lags=[0, 2], r_max=1.0, bins=100, stop=20, frames_per_block=4)
    over_q = result.intermediate_scattering("self")
    over_time = result.intermediate_scattering("self", options=["--at-q", "10,20"])
    assert over_time.axis == "time" and list(over_time.curves) == ["H q=10", "O q=10", "H q=20", "O q=20"]
    np.testing.assert_array_equal(over_time.x, [0, 0.2])
    assert over_time["O q=20"][1] == over_q["O lag 2 (0.2 ps)"][list(over_q.x).index(20)]
    assert over_time.errors["O q=20"][1] > 0
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    assert over_time.plot(ax=plt.figure().subplots()).get_xlabel() == "time (ps)"


def test_scattering_at_q_of_frames_without_times(tmp_path):
    file = tmp_path / "walk.xyz"
    with file.open("w") as out:
        for positions in walk(1):
            out.write('60\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3\n')
            out.writelines("A {} {} {}\n".format(*row) for row in positions)
    table = starhist.vanhove(file, lags=[0, 2], r_max=4.0, bins=40).intermediate_scattering(
        "self", options=["--at-q=3"]
    )
    assert table.axis == "lag"
    np.testing.assert_array_equal(table.x, [0, 2])


def test_one_block_has_no_errors(water):
    result = starhist.vanhove(water.path, lags="0:2:2", r_max=1.0, bins=5, stop=5)
    assert np.isnan(result.msd_errors).all() and np.isnan(result.g_errors).all()
    assert not np.isnan(result.g).any()


def test_errors_of_long_lags_are_missing_with_a_warning(water):
    given = {"lags": [1, 20], "r_max": 1.0, "bins": 5, "frames_per_block": 2}
    with pytest.warns(UserWarning, match="no standard errors at 1 lag, from lag 20 on"):
        result = starhist.vanhove(water.path, **given)
    for errors in (result.msd_errors, result.self_part_errors, result.g_errors):
        assert np.isfinite(errors[0]).any() and np.isnan(errors[1]).all()
    assert np.isfinite(result.msd).all()
    assert repr(result).endswith("5 bins up to 1 nm>")


def test_wrong_sources_are_refused(water, tmp_path):
    with pytest.raises(ValueError, match="beyond the trajectory"):
        starhist.vanhove(water.path, lags=[1000], r_max=1.0, bins=5)
    path = tmp_path / "vh.h5"
    words = [str(program.path()), "vanhove", "-q", "--lags", "1", "--last", "3", "-o", str(path), str(water.path)]
    subprocess.run(words, check=True, env=program.environment())
    with pytest.raises(ValueError, match="load_vanhove"):
        starhist.load(path)


SETTINGS = {"r_max": 3.0, "bins": 30, "frames_per_block": 2}


def equal(first, second):
    for name in ("lags", "edges", "counts", "self_counts", "msd"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert (first.pairs, first.species, first.frames) == (second.pairs, second.species, second.frames)


def walk(seed, frames=5, particles=60):
    """Continuous positions in a cell of edges of about 6."""
    random = np.random.default_rng(seed)
    return random.random((particles, 3)) * 6 + np.cumsum(random.normal(0, 0.2, (frames, particles, 3)), axis=0)


def test_arrays_equal_files(nacl):
    settings = {"lags": [0, 1, 3], "r_max": 1.0, "bins": 50, "frames_per_block": 4, "start": 1, "stop": 11}
    files = starhist.vanhove(nacl.path, **settings)
    equal(starhist.vanhove(nacl.positions, box=nacl.boxes, species=nacl.labels, **settings), files)
    equal(starhist.vanhove(iter(nacl), species=nacl.labels, **settings), files)


def test_lag_0_equals_rdf_for_all_boxes():
    positions = walk(1)
    labels = ["A"] * 20 + ["B"] * 40
    for box, periodic in (
        ([6, 6.5, 7], None),
        ([6, 6.5, 7, 80, 95, 105], None),
        ([[6, 0, 0], [1, 6, 0], [0.5, 1, 6]], None),
        ([6, 6, 0], (True, True, False)),
        ("none", None),
    ):
        own = {"box": box, "species": labels, "periodic": periodic, **SETTINGS}
        result = starhist.vanhove(positions, lags=[0, 2], **own)
        rdf = starhist.rdf(positions, **own)
        np.testing.assert_array_equal(result.counts[0], rdf.counts)
        assert result.pairs == rdf.pairs
        moved = np.square(positions[2:] - positions[:-2]).sum(axis=-1)
        expected = [moved[:, :20].mean(), moved[:, 20:].mean()]
        np.testing.assert_allclose(result.msd[1], expected, rtol=1e-12)


def test_particles_without_a_label_are_left_out():
    positions = walk(2)
    labels = ["A"] * 20 + [None] * 40
    given = {"lags": [0, 1], "box": [6, 6, 6], **SETTINGS}
    equal(
        starhist.vanhove(positions, species=labels, **given),
        starhist.vanhove(positions[:, :20], species=["A"] * 20, **given),
    )


def test_atoms_of_ase():
    ase = pytest.importorskip("ase")
    cell = [[6, 0, 0], [1, 6, 0], [0, 1, 6]]
    images = [ase.Atoms("O20H40", positions=frame, cell=cell, pbc=True) for frame in walk(3)]
    result = starhist.vanhove(images, lags=[0, 1, 2], **SETTINGS)
    assert result.length_unit == "A" and result.pairs == ["H-H", "H-O", "O-O"]
    np.testing.assert_array_equal(result.counts[0], starhist.rdf(images, **SETTINGS).counts)
    arrays = starhist.vanhove(walk(3), box=cell, species=images[0].get_chemical_symbols(), lags=[0, 1, 2], **SETTINGS)
    equal(result, arrays)
    images[3].symbols = "H40O20"
    with pytest.raises(ValueError, match="labels of frame 3 differ"):
        starhist.vanhove(images, lags=[0, 1], **SETTINGS)


def test_universes_and_groups():
    mda = pytest.importorskip("MDAnalysis")
    universe = mda.Universe.empty(60, trajectory=True)
    universe.add_TopologyAttr("names", ["O"] * 20 + ["H"] * 40)
    frames = walk(4).astype(np.float32)
    dimensions = np.tile([6, 6.5, 7, 80, 95, 105], (len(frames), 1))
    universe.load_new(frames, dimensions=dimensions, dt=0.5)
    result = starhist.vanhove(universe, lags=[0, 1, 3], **SETTINGS)
    assert (result.length_unit, result.time_unit) == ("A", "ps")
    np.testing.assert_allclose(result.times, [0, 0.5, 1.5])
    np.testing.assert_array_equal(result.counts[0], starhist.rdf(universe, **SETTINGS).counts)
    by_time = starhist.vanhove(universe, lags=[0, 0.5, 1.5], lag_unit="time", **SETTINGS)
    equal(by_time, result)
    group = universe.select_atoms("name O")
    own = starhist.vanhove(group, lags=[0, 1, 3], **SETTINGS)
    np.testing.assert_array_equal(own.counts[:, 0], result.counts[:, result.pairs.index("O-O")])
    with pytest.raises(ValueError, match="changes from frame to frame"):
        starhist.vanhove(universe.select_atoms("prop x < 3", updating=True), lags=[0, 1], **SETTINGS)


def test_sources_that_cannot_be_followed(water):
    positions = walk(5)
    given = {"lags": [0, 1], "box": [6, 6, 6], **SETTINGS}
    for source, more, problem in (
        (iter([positions[0], positions[1][:50]]), {}, "frame 1 has 50 particles"),
        (positions, {"species": ["A"] * 10}, "there are 10 labels"),
        (positions, {"species": ["A B"] * 60}, "contains a blank"),
        (positions, {"species": ['A"'] * 60}, "contains a blank, a quote"),
        (iter([]), {}, "no frames"),
        (positions[0], {}, "beyond the trajectory"),
        (positions, {"structure": "a.tpr"}, "structure is for paths"),
        (water.path, {"periodic": (True,) * 3}, "periodic is not for files"),
    ):
        with pytest.raises(ValueError, match=problem):
            starhist.vanhove(source, **{**given, **more})


def test_blocks_are_chosen_as_in_rdf(water):
    given = {"lags": [0, 1], "r_max": 1.0, "bins": 10}
    result = starhist.vanhove(water.path, **given)
    assert np.isfinite(result.msd_errors[1]).all()
    of_arrays = starhist.vanhove(water.positions, box=water.boxes, species=water.labels, **given)
    np.testing.assert_array_equal(of_arrays.g_errors, result.g_errors)
    np.testing.assert_array_equal(of_arrays.g_errors[0], starhist.rdf(water.path, r_max=1.0, bins=10).g_errors)
