"""Universes, groups, and InterRDF in the place of MDAnalysis' own."""

import numpy as np
import pytest

import starhist

mda = pytest.importorskip("MDAnalysis")
own = pytest.importorskip("MDAnalysis.analysis.rdf")
from starhist import mdanalysis  # noqa: E402


def universe_of(trajectory, frames=8):
    """Lengths 10 times as in the file: nm become Angstrom."""
    universe = mda.Universe.empty(
        len(trajectory.labels), n_residues=len(trajectory.labels) // 3 + 1,
        atom_resindex=np.arange(len(trajectory.labels)) // 3, trajectory=True,
    )  # fmt: skip
    universe.add_TopologyAttr("names", trajectory.labels)
    from MDAnalysis.lib.mdamath import triclinic_box

    boxes = np.array([triclinic_box(*box) for box in trajectory.boxes[:frames]])
    boxes[:, :3] *= 10
    universe.load_new(10 * trajectory.positions[:frames].astype(np.float32), dimensions=boxes)
    return universe


@pytest.fixture(scope="module")
def salt(nacl):
    return universe_of(nacl)


@pytest.fixture(scope="module")
def liquid(water):
    return universe_of(water)


def test_universe(salt, nacl):
    settings = {"r_max": 10, "bins": 100}
    result = starhist.rdf(salt, **settings)
    frames = [(salt.atoms.positions.copy(), step.dimensions) for step in salt.trajectory]
    plain = starhist.rdf(iter(frames), species=nacl.labels, **settings)
    assert result.frames == 8 and result.length_unit == "A"
    assert result.pairs == plain.pairs
    np.testing.assert_array_equal(result.counts, plain.counts)
    part = starhist.rdf(salt, start=2, stop=7, step=2, **settings)
    some = starhist.rdf(iter(frames[2:7:2]), species=nacl.labels, **settings)
    np.testing.assert_array_equal(part.counts, some.counts)


def test_elements_of_the_topology(water, tmp_path):
    universe = universe_of(water, 2)
    names = np.array([{"O": "OW", "H": "HW"}[label] for label in water.labels], dtype=object)
    names[0] = "X"
    universe.add_TopologyAttr("names", names)
    settings = {"r_max": 9, "bins": 90}
    elements = {"OW": "O", "HW": "H", "X": "O"}
    expected = starhist.rdf(universe, **settings).structure_factor(quantity="xray", elements=elements)
    universe.add_TopologyAttr("elements", water.labels)
    pure = {"water": universe.select_atoms("name HW"), "rest": universe.select_atoms("not name HW")}
    for source in (universe, universe.select_atoms("prop x > -1e9", updating=True)):
        result = starhist.rdf(source, **settings)
        np.testing.assert_array_equal(result.structure_factor(quantity="xray")["S(q)"], expected["S(q)"])
        result.save(tmp_path / "result.h5", overwrite=True)
        saved = starhist.load(tmp_path / "result.h5").structure_factor(quantity="xray")
        np.testing.assert_array_equal(saved["S(q)"], expected["S(q)"])
    assert starhist.rdf(pure, **settings).structure_factor(quantity="xray").facts["element of water"].startswith("H")
    with pytest.raises(ValueError, match="elements of all of it are not recorded"):
        starhist.rdf({"all of it": universe.atoms}, **settings).structure_factor(quantity="xray")
    universe.atoms.elements = ["", *water.labels[1:]]
    with pytest.raises(ValueError, match="elements of X are not recorded"):
        starhist.rdf(universe, **settings).structure_factor(quantity="xray")


def test_groups(salt):
    settings = {"r_max": 10, "bins": 100}
    whole = starhist.rdf(salt, **settings)
    sodium, oxygen = salt.select_atoms("name Na"), salt.select_atoms("name O")
    named = starhist.rdf({"Na": sodium, "O": oxygen}, pairs="Na-O", **settings)
    np.testing.assert_array_equal(named.counts[0], whole.counts[whole.index("Na-O")])
    listed = starhist.rdf([sodium, oxygen], **settings)
    assert listed.pairs == ["group 1-group 1", "group 1-group 2", "group 2-group 2"]
    np.testing.assert_array_equal(listed.counts[1], named.counts[0])
    with pytest.raises(ValueError, match="share atoms.*InterRDF"):
        starhist.rdf([sodium, sodium], **settings)


def compare(universe, one, two, *, frames=None, **settings):
    """Runs both, and returns MDAnalysis' results and how many counts differ."""
    theirs = own.InterRDF(one, two, **settings).run(**(frames or {}))
    ours = mdanalysis.InterRDF(one, two, **settings).run(**(frames or {}))
    np.testing.assert_allclose(ours.results.edges, theirs.results.edges, rtol=1e-14)
    np.testing.assert_allclose(ours.results.bins, theirs.results.bins, rtol=1e-14)
    assert ours.results.count.dtype == theirs.results.count.dtype
    # MDAnalysis computes distances from positions of single precision, which moves pairs at edges:
    # of neighbouring bins only, and as many as leave one as come into the other.
    moved = np.abs(np.cumsum(ours.results.count - theirs.results.count))
    assert moved.max() <= 2e-4 * theirs.results.count.max() + 2
    # One norm: bins with the same count have the same value.
    equal = ours.results.count == theirs.results.count
    assert equal.any()
    np.testing.assert_allclose(ours.results.rdf[equal], theirs.results.rdf[equal], rtol=1e-10)
    return ours, theirs


def test_like_pair(liquid):
    oxygen = liquid.select_atoms("name O")
    ours, _ = compare(liquid, oxygen, oxygen)
    assert ours.results.count[0] == 8 * len(oxygen)  # each with itself
    assert ours.results.rdf.shape == (75,)


def test_unlike_pair_of_part_of_the_frames(salt):
    compare(
        salt, salt.select_atoms("name Na"), salt.select_atoms("name O"), nbins=60, range=(0.0, 12.0),
        frames={"start": 1, "stop": 7, "step": 2},
    )  # fmt: skip


@pytest.mark.parametrize("norm", ["rdf", "density", "none"])
def test_norms(salt, norm):
    compare(salt, salt.select_atoms("name Cl"), salt.select_atoms("name O"), norm=norm, range=(0, 10), nbins=50)


def test_groups_that_share_atoms(liquid):
    atoms = liquid.atoms
    compare(liquid, atoms[:900], atoms[600:1500], range=(0, 8), nbins=40)


def test_exclusion_block(liquid):
    atoms = liquid.atoms
    ours, _ = compare(liquid, atoms, atoms, exclusion_block=(3, 3), range=(0, 6), nbins=60)
    assert ours.results.count[0] == 0  # also atoms with themselves


@pytest.mark.parametrize("same", ["residue", "segment"])
def test_exclude_same(liquid, same):
    oxygen = liquid.select_atoms("name O")
    if same == "segment":  # all atoms are of one
        ours = mdanalysis.InterRDF(oxygen, liquid.atoms, exclude_same=same).run(stop=1)
        assert (ours.results.count == 0).all()
    else:
        compare(liquid, oxygen, liquid.atoms, exclude_same=same, range=(0, 6), nbins=60)


def test_a_range_that_does_not_begin_at_0(liquid):
    oxygen = liquid.select_atoms("name O")
    compare(liquid, oxygen, oxygen, range=(2.0, 8.0), nbins=60)
    compare(liquid, oxygen, oxygen, range=(1.0, 9.0), nbins=75)
    with pytest.raises(ValueError, match="no multiple of a fraction of the bin width"):
        mdanalysis.InterRDF(oxygen, oxygen, range=(2.031415, 8.0), nbins=60)


def test_updating_group(salt):
    sodium = salt.select_atoms("name Na")
    near = salt.select_atoms("name O and around 4 name Na", updating=True)
    ours = mdanalysis.InterRDF(sodium, near, range=(0, 5), nbins=25).run()
    theirs = own.InterRDF(sodium, near, range=(0, 5), nbins=25).run()
    assert ours.results.count.sum() > 0
    assert np.abs(np.cumsum(ours.results.count - theirs.results.count)).max() <= 2


def small_universe(seed, frames=3, atoms=120):
    random = np.random.default_rng(seed)
    universe = mda.Universe.empty(atoms, n_residues=atoms // 3, atom_resindex=np.arange(atoms) // 3, trajectory=True)
    universe.load_new(12 * random.random((frames, atoms, 3), dtype=np.float32), dimensions=[12, 12, 12, 90, 90, 90])
    return universe


@pytest.mark.parametrize("settings", [{}, {"exclusion_block": (3, 2)}, {"exclude_same": "residue"}])
def test_groups_of_two_universes(settings):
    one, two = small_universe(1), small_universe(2)
    two.trajectory[1]  # where g2 stays
    for g1, g2 in [(one.atoms, two.atoms), (one.atoms[10:70], two.atoms[40:])]:
        ours, theirs = compare(one, g1, g2, range=(0, 6), nbins=30, **settings)
        assert np.abs(ours.results.count - theirs.results.count).sum() <= 4
        assert ours.results.count.sum() > 1000


def test_without_a_box():
    universe = small_universe(3)
    universe.load_new(universe.trajectory.coordinate_array.copy())
    assert universe.dimensions is None
    atoms = universe.atoms
    with pytest.raises(ValueError, match="frame 0 has no box.*norm='density' or norm='none'.*universe.dimensions"):
        mdanalysis.InterRDF(atoms, atoms).run()
    for norm in ("density", "none"):
        compare(universe, atoms, atoms, norm=norm, range=(0, 6), nbins=30)


@pytest.mark.parametrize("norm", ["rdf", "density", "none"])
def test_a_box_with_an_open_edge(norm):
    universe = small_universe(3)
    universe.dimensions = [12, 12, 0, 90, 90, 90]
    with pytest.raises(ValueError, match=r"frame 0 has the lengths \[12.0, 12.0, 0.0\].*set_dimensions.*Counter"):
        mdanalysis.InterRDF(universe.atoms, universe.atoms, norm=norm).run()


@pytest.mark.parametrize("frames", [{"frames": []}, {"start": 2, "stop": 2}, {"stop": 0}])
@pytest.mark.parametrize("norm", ["rdf", "none"])
def test_no_frames(frames, norm):
    atoms = small_universe(3).atoms
    with pytest.raises(ValueError, match="no frame to count.*start, stop"):
        mdanalysis.InterRDF(atoms, atoms, norm=norm).run(**frames)


@pytest.mark.parametrize("name", ["bins", "edges", "count", "rdf"])
def test_deprecated_attributes(name):
    atoms = small_universe(3).atoms
    analysis = mdanalysis.InterRDF(atoms, atoms).run()
    with pytest.warns(DeprecationWarning, match=f"results.{name}") as told:
        values = getattr(analysis, name)
    assert values is analysis.results[name]
    assert told[0].filename == __file__


def test_again(liquid):
    oxygen = liquid.select_atoms("name O")
    rdf = mdanalysis.InterRDF(oxygen, oxygen)
    first = rdf.run(stop=3).results.count.copy()
    np.testing.assert_array_equal(rdf.run(stop=3).results.count, first)


def test_bad_settings(liquid):
    oxygen = liquid.select_atoms("name O")
    for settings, message in [
        ({"norm": "bulk"}, "invalid norm"),
        ({"exclude_same": "atom"}, "exclude_same"),
        ({"exclude_same": "residue", "exclusion_block": (1, 1)}, "cannot be used"),
        ({"range": (3, 2)}, "range"),
        ({"range": (0, 2, 3)}, "range.*lower limit of the bins"),
        ({"range": (0, np.nan)}, "range"),
        ({"nbins": 0}, "nbins is 0: pass an integer"),
        ({"exclusion_block": (1,)}, r"exclusion_block is \(1,\): pass two integers"),
        ({"exclusion_block": (1, 0)}, "exclusion_block is 0: pass an integer of at least 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            mdanalysis.InterRDF(oxygen, oxygen, **settings)
    for settings, message in [
        ({"range": 5}, "range is 5: pass the lower"),
        ({"range": (0, "x")}, "range is 'x': pass a number"),
        ({"nbins": 7.5}, "nbins is 7.5: pass an integer"),
        ({"exclusion_block": 3}, "exclusion_block is 3: pass two integers"),
        ({"exclusion_block": (1.5, 1)}, "exclusion_block is 1.5: pass an integer"),
    ]:
        with pytest.raises(TypeError, match=message):
            mdanalysis.InterRDF(oxygen, oxygen, **settings)
    with pytest.raises(ValueError, match="twice"):
        mdanalysis.InterRDF(oxygen, oxygen + oxygen).run(stop=1)


def test_the_universe_stays_at_its_frame(salt):
    salt.trajectory[3]
    starhist.rdf(salt, r_max=10, bins=10, stop=2)
    assert salt.trajectory.frame == 3
    starhist.rdf(salt.select_atoms("name O and prop z > 5", updating=True), r_max=10, bins=10, stop=2)
    assert salt.trajectory.frame == 3
    salt.trajectory[0]
