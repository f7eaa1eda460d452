"""Atoms of ASE."""

import numpy as np
import pytest

import starhist

ase = pytest.importorskip("ase")
SETTINGS = {"r_max": 3.0, "bins": 30}


def atoms(seed, symbols="O20H40", **settings):
    random = np.random.default_rng(seed)
    made = ase.Atoms(symbols, **{"cell": [[6, 0, 0], [1, 6, 0], [0, 1, 6]], "pbc": True, **settings})
    made.positions = random.random((len(made), 3)) * 6
    return made


def arrays(images):
    return [(a.positions, np.asarray(a.cell), a.get_chemical_symbols()) for a in images]


def test_one_and_many():
    images = [atoms(k) for k in range(5)]
    one = starhist.rdf(images[0], **SETTINGS)
    assert one.pairs == ["H-H", "H-O", "O-O"] and one.length_unit == "A" and one.frames == 1
    plain = starhist.rdf(iter(arrays(images)), species=images[0].get_chemical_symbols(), **SETTINGS)
    for source in (images, tuple(images), iter(images), (image for image in images)):
        result = starhist.rdf(source, **SETTINGS)
        np.testing.assert_array_equal(result.counts, plain.counts)
    part = starhist.rdf(iter(images), start=1, stop=5, step=2, **SETTINGS)
    np.testing.assert_array_equal(part.counts, starhist.rdf([images[1], images[3]], **SETTINGS).counts)


def test_images_of_different_atoms():
    images = [atoms(1, "O5H3"), atoms(2, "H9"), atoms(3, "O4C2")]
    result = starhist.rdf(images, **SETTINGS)
    assert result.pairs == ["C-C", "C-H", "C-O", "H-H", "H-O", "O-O"]
    each = [starhist.rdf(image, **SETTINGS) for image in images]
    for pair, counts in zip(result.pairs, result.counts):
        np.testing.assert_array_equal(counts, sum(r.counts[r.index(pair)] for r in each if pair in r.pairs))


def test_no_periodic_axis_and_two():
    cluster = atoms(4, pbc=False)
    np.testing.assert_array_equal(
        starhist.rdf(cluster, **SETTINGS).counts,
        starhist.rdf(cluster.positions, species=cluster.get_chemical_symbols(), **SETTINGS).counts,
    )
    slab = atoms(5, pbc=(True, True, False), cell=[6, 6, 0])
    with pytest.warns(UserWarning, match="g is NaN"):
        whole = starhist.rdf(slab, **SETTINGS)
    with pytest.warns(UserWarning, match="g is NaN"):
        starhist.rdf(cluster, **SETTINGS)
    assert whole.counts.sum() > starhist.rdf(atoms(5, pbc=False), **SETTINGS).counts.sum()
    assert np.isnan(whole.g).all()
    with pytest.raises(ValueError, match="periodic axes change"):
        starhist.rdf([cluster, slab], **SETTINGS)


def test_own_labels_and_box():
    image = atoms(6)
    result = starhist.rdf(image, species=["A"] * 30 + ["B"] * 30, box=[7, 7, 7], **SETTINGS)
    plain = starhist.rdf(image.positions, species=["A"] * 30 + ["B"] * 30, box=[7, 7, 7], **SETTINGS)
    np.testing.assert_array_equal(result.counts, plain.counts)
    labels = np.array(["A"] * 30 + ["B"] * 30)
    result = starhist.rdf([image, image.copy()], species=labels, box=[7, 7, 7], **SETTINGS)
    np.testing.assert_array_equal(result.counts, 2 * plain.counts)


def test_atoms_that_there_are_not():
    with pytest.raises(ValueError, match="all Atoms are empty"):
        starhist.rdf(ase.Atoms(), **SETTINGS)
    with pytest.raises(ValueError, match="periodic="):
        starhist.rdf(atoms(7, cell=np.zeros((3, 3))), **SETTINGS)
    for source in ([atoms(7), 3], iter([atoms(7), 3])):
        with pytest.raises(TypeError, match="contains 3: pass only Atoms"):
            starhist.rdf(source, **SETTINGS)


def test_a_later_element_of_an_iterator():
    images = [atoms(1, "O5H3"), atoms(3, "O4C2")]
    with pytest.raises(ValueError, match="'C' is not among.*names="):
        starhist.rdf(iter(images), **SETTINGS)
    result = starhist.rdf(iter(images), names=["C", "H", "O"], **SETTINGS)
    np.testing.assert_array_equal(result.counts, starhist.rdf(images, **SETTINGS).counts)


def test_analyses_and_files_know_the_elements_of_atoms(tmp_path):
    random = np.random.default_rng(8)
    images = [ase.Atoms("O20H40", positions=random.random((60, 3)) * 12, cell=[12.0] * 3, pbc=True) for _ in range(3)]
    for source in (images, images[0], iter(images)):
        result = starhist.rdf(source, r_max=5.9, bins=59)
        known = result.structure_factor(quantity="xray")
        given = result.structure_factor(quantity="xray", elements={"O": "O", "H": "H"})
        np.testing.assert_array_equal(known["I(q)/N"], given["I(q)/N"])
        heavy = result.structure_factor(quantity="neutron", elements={"H": "D"})
        assert (heavy["I(q)/N"] != result.structure_factor(quantity="neutron")["I(q)/N"]).any()
        result.save(tmp_path / "result.h5", overwrite=True)
        saved = starhist.load(tmp_path / "result.h5").structure_factor(quantity="xray")
        np.testing.assert_array_equal(saved["I(q)/N"], known["I(q)/N"])
        result.save(tmp_path / "result.h5", overwrite=True, elements={"H": "D"})
        saved = starhist.load(tmp_path / "result.h5").structure_factor(quantity="neutron")
        np.testing.assert_array_equal(saved["I(q)/N"], heavy["I(q)/N"])
    labelled = starhist.rdf(images[0], species=["O"] * 20 + ["H"] * 40, r_max=5.9, bins=59)
    with pytest.raises(ValueError, match=r'elements of H, O are not recorded .* elements=\{"H": "...", "O": "..."\}'):
        labelled.structure_factor(quantity="xray")


def test_cells_without_pairs_and_far_limits():
    with pytest.warns(UserWarning, match="no pair of particles to count.*atoms.repeat"):
        starhist.rdf(ase.Atoms("Ni", cell=[3] * 3, pbc=True), r_max=1.2, bins=4)
    with pytest.raises(ValueError, match="far beyond every distance.*repeat a crystal's small cell"):
        starhist.rdf(ase.Atoms("Ni2", positions=[[0, 0, 0], [1, 1, 1]], cell=[3] * 3, pbc=True), r_max=30, bins=4)
    with pytest.raises(ValueError, match="length_unit is 'nm', but the lengths of the source are in A: omit it"):
        starhist.rdf(atoms(1), length_unit="nm", **SETTINGS)


def test_a_run_that_keeps_one_atoms_object():
    atoms = ase.Atoms("Ar4", positions=np.random.default_rng(3).random((4, 3)), cell=[4, 4, 4], pbc=True)
    frames, copies = [], []
    for _ in range(3):
        atoms.positions += 0.1
        frames.append(atoms)
        copies.append(atoms.copy())
    assert starhist.rdf(copies, r_max=1, bins=2).frames == 3
    with pytest.raises(ValueError, match="the Atoms 0 and 1 of the list share their memory.*append copies"):
        starhist.rdf(frames, r_max=1, bins=2)


def test_periodic_of_atoms_without_periodic_axis():
    atoms = ase.Atoms("Ar4", positions=np.random.default_rng(3).random((4, 3)), cell=[4, 4, 4])
    with pytest.raises(ValueError, match="set atoms.pbc, or pass box=atoms.cell"):
        starhist.rdf(atoms, periodic=(True, True, True), r_max=1, bins=2)
    starhist.rdf(atoms, periodic=(True, True, True), box=atoms.cell, r_max=1, bins=2)
