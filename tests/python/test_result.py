"""Tables, figures and files of results; examples and types of the package."""

import doctest
import importlib
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import starhist
from starhist import program


@pytest.fixture(scope="module")
def result(water):
    return starhist.rdf(
        water.positions[:20], box=water.boxes[:20], species=water.labels, r_max=1.4, bins=280, frames_per_block=4
    )


def test_dataframe(result):
    pytest.importorskip("pandas")
    table = result.to_dataframe()
    assert list(table.columns) == ["pair", "r", "counts", "g", "g_error", "n", "n_error"]
    of_pair = table[table.pair == "H-O"]
    np.testing.assert_array_equal(of_pair.counts, result.counts[1])
    np.testing.assert_array_equal(of_pair.r, result.r)
    assert of_pair.counts.dtype == np.uint64


def test_xarray(result):
    pytest.importorskip("xarray")
    data = result.to_xarray()
    np.testing.assert_array_equal(data.g.sel(pair="O-O"), result.g[2])
    np.testing.assert_array_equal(data.r, result.r)
    assert data.attrs["frames"] == 20


def test_plot(result):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    assert result.plot(["O-O", "O-H"], ax=axes) is axes
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), result.g[2])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["O-O", "H-O"]
    assert len(axes.collections) == 2  # bands of errors
    plt.close(figure)


def test_plot_without_a_volume():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    positions = np.random.default_rng(2).random((3, 20, 3))
    result = starhist.rdf(positions, box="none", r_max=0.8, bins=8, length_unit="nm")
    figure, axes = plt.subplots()
    result.plot(ax=axes)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("r (nm)", "p(r) (nm$^{-1}$)")
    np.testing.assert_allclose(axes.lines[0].get_ydata(), result.counts[0] / (3 * 190 * 0.1))
    with pytest.raises(ValueError, match="g is NaN for all pairs"):
        starhist.rdf(positions[:, :1], box="none", r_max=0.8, bins=8).plot(ax=axes)
    plt.close(figure)


def test_index(result):
    assert result.index("O-H") == result.index("H-O") == result.index(("O", "H")) == 1


def test_files(result, tmp_path):
    path = tmp_path / "rdf.h5"
    result.save(path)
    info = subprocess.run([program.path(), "info", path], capture_output=True, text=True, check=True).stdout
    assert ["blocks", "5"] in [line.split() for line in info.splitlines()]
    again = starhist.load(path)
    again.save(tmp_path / "copy.h5")
    assert (tmp_path / "copy.h5").read_bytes() == path.read_bytes()
    for name in ("pairs", "edges", "counts", "out_of_range", "g", "g_errors", "n", "n_errors", "frames"):
        np.testing.assert_array_equal(getattr(again, name), getattr(result, name), name)


def test_a_failed_save_of_a_read_result_keeps_the_old_file(water, tmp_path, monkeypatch):
    path = tmp_path / "water.h5"
    starhist.rdf(water.path, stop=2, r_max=0.5, bins=5).save(path)
    before = path.read_bytes()
    result = starhist.load(path)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        result.save(path, overwrite=True)
    with pytest.raises(FileExistsError, match="overwrite=True"):
        result.save(path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["water.h5"]


@pytest.mark.parametrize("command, load", [("rdf", starhist.load), ("vanhove", starhist.load_vanhove)])
def test_the_result_of_an_unfinished_run_is_not_saved(command, load, tmp_path):
    frame = '3\nLattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3\nO 0 0 0\nO {} 0 0\nO 0 2 0\n'
    (tmp_path / "bad.xyz").write_text("".join(frame.format(x) for x in [1, 1.5, 1, "nan"]))
    words = ["bad.xyz", "-o", "out.h5", "--r-max", "2", "--bins", "10", "--block", "1"]
    assert subprocess.run([program.path(), command, *words], cwd=tmp_path).returncode == 1
    result = load(tmp_path / "out.h5.partial")
    assert result.frames == 3
    with pytest.raises(ValueError, match="finish the run with --resume, or copy the .partial file"):
        result.save(tmp_path / "saved.h5")
    assert not (tmp_path / "saved.h5").exists()
    if command == "rdf":
        assert result.pair_entropy().curves  # it is analysed as before


def test_file_whose_name_begins_with_a_dash(result, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result.save(tmp_path / "-x.h5")
    np.testing.assert_array_equal(starhist.load("-x.h5").counts, result.counts)


def test_elements_that_are_saved(tmp_path):
    counter = starhist.Counter(species=["OW"] * 10 + ["M"] * 20, r_max=0.5, bins=5, length_unit="nm")
    counter.add(np.random.default_rng(3).random((30, 3)), [1, 1, 1])
    result = counter.result()
    analyze = [program.path(), "analyze", "--quantity", "xray", "--q-max", "2"]
    result.save(tmp_path / "unknown.h5")
    refused = subprocess.run([*analyze, tmp_path / "unknown.h5"], capture_output=True, text=True)
    assert refused.returncode and "--element" in refused.stderr
    result.save(tmp_path / "known.h5", elements={"OW": "O", "M": "none"})
    known = subprocess.run([*analyze, tmp_path / "known.h5"], capture_output=True, text=True, check=True)
    assert known.stdout
    with pytest.raises(ValueError, match="no species 'HW'"):
        result.save(tmp_path / "no.h5", elements={"HW": "H"})
    with pytest.raises(OSError, match="Ox"):
        result.save(tmp_path / "no.h5", elements={"OW": "Ox"})
    with pytest.raises(ValueError, match="result of files"):
        starhist.load(tmp_path / "known.h5").save(tmp_path / "no.h5", elements={"OW": "O"})
    assert not (tmp_path / "no.h5").exists()


def test_save_without_a_box(tmp_path):
    result = starhist.rdf([[0.0, 0, 0], [0.3, 0, 0]], r_max=1, bins=4)
    result.save(tmp_path / "open.h5")
    again = starhist.load(tmp_path / "open.h5")
    np.testing.assert_array_equal(again.counts, result.counts)
    assert np.isnan(again.g).all() and np.isnan(again.g_errors).all()
    np.testing.assert_array_equal(again.n, result.n)


@pytest.mark.parametrize("pairs", [None, "A-B-A-B"])
@pytest.mark.parametrize("names", [("A-B-A", "B"), ("A-B", "A"), ("A-B", "B"), ("A-B", "A-B-A")])
def test_names_with_hyphens(names, pairs, tmp_path):
    positions = np.random.default_rng(0).random((30, 3))
    species = [names[0]] * 10 + [names[1]] * 20
    if pairs and names != ("A-B-A", "B"):
        pairs = [names]
    result = starhist.rdf(positions, box=[1, 1, 1], species=species, pairs=pairs, r_max=0.5, bins=5)
    result.save(tmp_path / "rdf.h5")
    again = starhist.load(tmp_path / "rdf.h5")
    for name in ("pairs", "n", "n_errors", "n_reverse", "n_reverse_errors"):
        np.testing.assert_array_equal(getattr(again, name), getattr(result, name), name)


@pytest.mark.parametrize("unit", ["", "nm"])
def test_units_of_files(unit, tmp_path):
    counter = starhist.Counter(r_max=1, bins=4, length_unit=unit)
    counter.add([[0.0, 0, 0], [0.3, 0, 0]])
    counter.result().save(tmp_path / "rdf.h5")
    assert starhist.load(tmp_path / "rdf.h5").length_unit == counter.result().length_unit == unit


def test_pickle(result, tmp_path):
    again = pickle.loads(pickle.dumps(result))
    np.testing.assert_array_equal(again.g, result.g)
    again.save(tmp_path / "rdf.h5")


def test_progress(capsys):
    pytest.importorskip("tqdm")
    starhist.rdf(np.zeros((7, 3, 3)), r_max=1, bins=1, progress=True)
    assert "7/7" in capsys.readouterr().err


MODULES = [f"starhist.{name}" for name in ("_rdf", "_starpu", "counter", "freud", "load", "mdanalysis", "result")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    if name == "starhist.mdanalysis":
        pytest.importorskip("MDAnalysis")
    done = doctest.testmod(importlib.import_module(name))
    assert done.attempted > 0
    assert done.failed == 0


def test_types():
    pytest.importorskip("mypy")
    root = pathlib.Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", root / "pyproject.toml", "--no-incremental"],
        capture_output=True, text=True, cwd=root, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_numbers_are_not_names_of_pairs():
    result = starhist.rdf([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]], box=[1, 1, 1], r_max=0.5, bins=5, species=["A", "B"])
    for key in (0, 1.0, ("A", "B", "A"), None, slice(1)):
        with pytest.raises(TypeError, match="pass one of A-A, A-B, B-B, or a tuple of two species"):
            result[key]
    assert result["B", "A"].pair == "B-A"
