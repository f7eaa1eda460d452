"""Results with a second axis: counts, g and errors against the definition and the program's tables."""

import csv
import subprocess

import numpy as np
import pytest

import starhist
from starhist import program

SETTINGS = {"r_max": 0.5, "bins": 5, "frames_per_block": 2}
BOX = np.array([1.0, 1.2, 1.1])
POSITIONS = np.random.default_rng(11).random((6, 30, 3)) * BOX
LABELS = np.array(["A"] * 18 + ["B"] * 12)


@pytest.fixture(scope="module")
def result():
    return starhist.rdf(POSITIONS, box=BOX, species=LABELS, pairs="A-A,A-B", axis2="cos(z)", axis2_bins=4, **SETTINGS)


def counted(pair):
    """Counts by distance and cosine in the double loop of the definition; a like pair counts from both particles."""
    first, second = (np.flatnonzero(name == LABELS) for name in pair.split("-"))
    total = np.zeros((5, 4), np.uint64)
    for positions in POSITIONS:
        step = positions[second][None] - positions[first][:, None]
        step -= np.round(step / BOX) * BOX
        r = np.sqrt((step**2).sum(axis=-1))
        inside = (r < 0.5) & (r > 0)
        bins = np.floor(r[inside] * 10).astype(int)
        cosines = np.minimum(np.floor((step[..., 2][inside] / r[inside] + 1) * 2).astype(int), 3)
        np.add.at(total, (bins, cosines), 1)
    return total


def test_counts_equal_the_definition(result):
    table = result.second_axis()
    assert (table.name, table.pairs) == ("cos(z)", ["A-A", "A-B"])
    assert table.counts.shape == table.g.shape == table.g_errors.shape == (2, 5, 4)
    np.testing.assert_allclose(table.r, [0.05, 0.15, 0.25, 0.35, 0.45])
    np.testing.assert_allclose(table.values, [-0.75, -0.25, 0.25, 0.75])
    for k, pair in enumerate(table.pairs):
        np.testing.assert_array_equal(table.counts[k], counted(pair))
    both = np.array([[2], [1]], dtype=np.uint64)
    np.testing.assert_array_equal(table.counts.sum(axis=2), result.counts * both)


def test_values_and_errors_equal_the_export(result, tmp_path):
    path = tmp_path / "axis.h5"
    result.save(path)
    words = [program.path(), "export", "--quantity", "axis2", "--errors", path]
    done = subprocess.run(words, env=program.environment(), check=True, capture_output=True, text=True)
    rows = list(csv.DictReader(line for line in done.stdout.splitlines() if not line.startswith("#")))
    for table in (result.second_axis(), starhist.load(path).second_axis()):
        for k, pair in enumerate(table.pairs):
            np.testing.assert_array_equal(table.g[k].ravel(), [float(row[pair]) for row in rows])
            errors = [float(row[f"{pair} standard error"]) for row in rows]
            np.testing.assert_array_equal(table.g_errors[k].ravel(), errors)
            assert (np.array(errors) > 0).any()


def test_parts_are_merged_and_one_block_has_no_errors(result, tmp_path):
    paths = []
    for k, part in enumerate((slice(0, 2), slice(2, 6))):
        own = starhist.rdf(
            POSITIONS[part], box=BOX, species=LABELS, pairs="A-A,A-B", axis2="cos(z)", axis2_bins=4, **SETTINGS
        )
        paths.append(tmp_path / f"part{k}.h5")
        own.save(paths[-1])
    assert np.isnan(starhist.load(paths[0]).second_axis().g_errors).all()
    merged = tmp_path / "merged.h5"
    subprocess.run([program.path(), "merge", *paths, "-o", merged], env=program.environment(), check=True)
    table, whole = starhist.load(merged).second_axis(), result.second_axis()
    np.testing.assert_array_equal(table.counts, whole.counts)
    np.testing.assert_allclose(table.g, whole.g, rtol=1e-12)


def test_heights_above_a_plane_equal_the_definition(tmp_path):
    result = starhist.rdf(POSITIONS, box=BOX, plane="xy", axis2="dz", axis2_bins=3, axis2_max=0.3, **SETTINGS)
    total = np.zeros((5, 3), np.uint64)
    first, second = np.triu_indices(30, 1)
    for positions in POSITIONS:
        step = positions[second] - positions[first]
        step -= np.round(step / BOX) * BOX
        r, dz = np.hypot(step[:, 0], step[:, 1]), np.abs(step[:, 2])
        inside = (r < 0.5) & (dz < 0.3)
        np.add.at(total, (np.floor(r[inside] * 10).astype(int), np.floor(dz[inside] * 10).astype(int)), 1)
    result.save(tmp_path / "heights.h5")
    for table in (result.second_axis(), starhist.load(tmp_path / "heights.h5").second_axis()):
        np.testing.assert_array_equal(table.counts[0], total)
        np.testing.assert_allclose(table.values, [0.05, 0.15, 0.25])
        ideal = 6 * 435 / BOX.prod() * np.pi * 0.01 * (2 * np.arange(5) + 1) * 0.2
        np.testing.assert_allclose(table.g[0], total / ideal[:, None], rtol=1e-12)
    assert (total.sum(axis=1) < result.counts[0]).any()
    with pytest.raises(ValueError, match="axis2_max"):
        starhist.rdf(POSITIONS, box=BOX, axis2="dz", axis2_max=0.3, **SETTINGS)


def test_results_without_a_second_axis_are_refused():
    plain = starhist.rdf(POSITIONS, box=BOX, **SETTINGS)
    for call in (plain.second_axis, plain.legendre):
        with pytest.raises(ValueError, match="no second axis"):
            call()
    with pytest.raises(ValueError, match="cos"):
        starhist.rdf(POSITIONS, box=BOX, axis2="cos(w)", **SETTINGS)
    heights = starhist.rdf(POSITIONS, box=BOX, axis2="dz", **SETTINGS)
    assert heights.second_axis().counts.shape == (1, 5, 50)
    with pytest.raises(ValueError, match="cos"):
        heights.legendre()


def test_vectors_in_residues_of_a_universe_equal_the_definition():
    mda = pytest.importorskip("MDAnalysis")
    universe = mda.Universe.empty(60, n_residues=20, atom_resindex=np.repeat(range(20), 3), trajectory=True)
    universe.add_TopologyAttr("names", ["O", "H", "M"] * 20)
    xyz = np.random.default_rng(3).random((2, 60, 3)).astype(np.float32) * 9
    universe.load_new(xyz, dimensions=[10, 10, 10, 90, 90, 90])
    expected = np.zeros((4, 5), int)
    for first in xyz.astype(float):
        origins, ends = first[::3], first[1::3]
        vectors = ends - origins - 10 * np.round((ends - origins) / 10)
        steps = origins[None] - origins[:, None]
        steps -= 10 * np.round(steps / 10)
        r = np.sqrt((steps**2).sum(axis=-1)) + 99 * np.eye(20)
        cosines = np.einsum("ijk,ik->ij", steps, vectors) / r / np.sqrt((vectors**2).sum(axis=-1))[:, None]
        edges = [np.linspace(0, 4.8, 5), np.linspace(-1, 1, 6)]
        expected += np.histogram2d(r.ravel(), cosines.ravel(), edges)[0].astype(int)
    groups = {name: universe.select_atoms(f"name {name}") for name in ("H", "O")}
    for source in (universe, groups, universe.select_atoms("name O H")):
        found = starhist.rdf(
            source, pairs="O-O", axis2="cos(vector O->H)", axis2_bins=5, r_max=4.8, bins=4, frames_per_block=1
        )
        np.testing.assert_array_equal(found.second_axis().counts[0], expected)
    with pytest.raises(ValueError, match=r"needs residues, which the source lacks: pass a Universe"):
        starhist.rdf(POSITIONS, box=BOX, species=LABELS, axis2="cos(vector A->B)", **SETTINGS)


def test_names_of_any_kind_are_counted_by_the_program():
    positions = np.random.default_rng(6).random((3, 80, 3))
    names = ["O5'", "H5''", "{a}", "[x]", "C#1", "A-B", "a,b", "all", "1", "A*"]
    given = {"box": [1, 1, 1], "species": names * 8, "r_max": 0.4, "bins": 4}
    direct, by_program = starhist.rdf(positions, **given), starhist.rdf(positions, axis2="cos(z)", **given)
    assert by_program.pairs == direct.pairs
    np.testing.assert_array_equal(by_program.counts, direct.counts)
