"""AtomGroups of MDAnalysis in rdf(): groups that update, and atoms twice."""

import numpy as np
import pytest

import starhist

MDAnalysis = pytest.importorskip("MDAnalysis")
SETTINGS = {"r_max": 2.5, "bins": 10}
BOX = [10.0, 10.0, 10.0, 90.0, 90.0, 90.0]


@pytest.fixture
def universe():
    """30 atoms named A or B, at random in each of 4 frames."""
    from MDAnalysis.coordinates.memory import MemoryReader

    made = MDAnalysis.Universe.empty(30, trajectory=True)
    made.add_TopologyAttr("names", ["A", "B", "B"] * 10)
    positions = np.random.default_rng(4).random((4, 30, 3)).astype(np.float32) * 10
    made.load_new(positions, format=MemoryReader, order="fac", dimensions=BOX)
    return made


def sum_over_frames(universe, labels_of):
    """Counts by pair, frame by frame, of the atoms that have a label."""
    counts = {}
    for _ in universe.trajectory:
        labels = labels_of(universe.atoms.positions)
        result = starhist.rdf(universe.atoms.positions, box=BOX, species=labels, **SETTINGS)
        for pair, of_pair in zip(result.pairs, result.counts):
            counts[pair] = counts.get(pair, 0) + of_pair
    return counts


def check(result, counts):
    assert sum(of_pair.sum() for of_pair in counts.values()) > 0
    for pair, of_pair in zip(result.pairs, result.counts):
        np.testing.assert_array_equal(of_pair, counts.get(pair, 0), pair)


def test_a_group_that_updates(universe):
    group = universe.select_atoms("prop x < 5", updating=True)
    names = universe.atoms.names
    result = starhist.rdf(group, **SETTINGS)
    assert result.pairs == ["A-A", "A-B", "B-B"] and result.frames == 4
    check(result, sum_over_frames(universe, lambda x: [n if at < 5 else None for n, at in zip(names, x[:, 0])]))


def test_groups_that_update(universe):
    near, far = (universe.select_atoms(f"prop x {where}", updating=True) for where in ("< 4", ">= 4"))
    result = starhist.rdf({"near": near, "far": far}, **SETTINGS)
    check(result, sum_over_frames(universe, lambda x: np.where(x[:, 0] < np.float32(4), "near", "far")))


def test_a_group_without_atoms_is_refused(universe):
    with pytest.raises(ValueError, match="far is an empty AtomGroup: omit it"):
        starhist.rdf({"all": universe.atoms, "far": universe.select_atoms("prop x > 1e6")}, **SETTINGS)


def test_groups_that_come_to_share_atoms(universe):
    names = universe.select_atoms("index 0")
    universe.trajectory[0]
    outside = universe.atoms.positions[0, 0] - 0.1
    universe.trajectory.coordinate_array[2, 0, 0] = outside - 1
    moving = universe.select_atoms(f"prop x < {outside}", updating=True)
    with pytest.raises(ValueError, match="share atoms.*InterRDF"):
        starhist.rdf([names, moving], **SETTINGS)


def test_groups_that_cannot_be(universe):
    atoms = universe.atoms
    with pytest.raises(ValueError, match="an atom twice.*unique"):
        starhist.rdf(atoms + atoms[:1], **SETTINGS)
    with pytest.raises(TypeError, match="group 2 is 3: pass only AtomGroups"):
        starhist.rdf([atoms, 3], **SETTINGS)
    updating = universe.select_atoms("prop x < 5", updating=True)
    with pytest.raises(ValueError, match="omit species="):
        starhist.rdf(updating, species=["A"] * len(updating), **SETTINGS)
    with pytest.raises(ValueError, match="empty in all of these frames"):
        starhist.rdf(universe.select_atoms("prop x > 50", updating=True), **SETTINGS)


def test_a_box_without_a_height(universe):
    universe.trajectory.dimensions_array[:] = [10, 10, 0, 90, 90, 90]
    with pytest.raises(ValueError, match="periodic="):
        starhist.rdf(universe, **SETTINGS)
    periodic = (True, True, False)
    result = starhist.rdf(universe, periodic=periodic, **SETTINGS)
    plain = starhist.rdf(universe, box=[10, 10, 0], periodic=periodic, **SETTINGS)
    np.testing.assert_array_equal(result.counts, plain.counts)


def test_groups_of_several_universes_are_refused(universe):
    other = universe.copy().select_atoms("name B", updating=True)
    with pytest.raises(ValueError, match="several Universes"):
        starhist.rdf({"A": universe.select_atoms("name A", updating=True), "B": other}, **SETTINGS)


def test_trajectories_without_their_atoms_are_refused(universe):
    frames = universe.trajectory
    for source in (frames, frames[::2], frames.ts, list(frames)):
        with pytest.raises(TypeError, match="pass the Universe"):
            starhist.rdf(source, box=BOX, **SETTINGS)
    with pytest.raises(TypeError, match="box would be left out: yield"):
        starhist.rdf((step for step in frames), **SETTINGS)


def test_only_elements_of_the_source_are_elements(universe):
    universe.add_TopologyAttr("elements", ["O", "H", "H"] * 10)
    settings = {"axis2": "cos(z)", "length_unit": "A", **SETTINGS}  # counted by the program, from a file
    direct, by_file = (starhist.rdf(universe, **given) for given in (SETTINGS, settings))
    wanted = direct.structure_factor(quantity="xray")
    np.testing.assert_allclose(by_file.structure_factor(quantity="xray")["S(q)"], wanted["S(q)"], rtol=1e-12)
    labels = ["W", "P", "P"] * 10  # beads
    beads = starhist.rdf(universe.atoms.positions, box=BOX, species=labels, **settings)
    with pytest.raises(ValueError, match="the elements of P, W are not recorded"):
        beads.structure_factor(quantity="xray")
