"""Analyses of results by the program, defaults of rdf(), and its messages."""

import warnings

import numpy as np
import pytest

import starhist


@pytest.fixture(scope="module")
def result(water):
    return starhist.rdf(
        water.positions[:20], box=water.boxes[:20], species=water.labels, r_max=1.4, bins=140, frames_per_block=2
    )


def test_curves_of_a_pair(result):
    curves = result["O-H"]
    assert curves.pair == "O-H"
    turned = result["H-O"]
    assert turned.pair == "H-O"
    # Around an oxygen there are twice as many hydrogens as oxygens around a hydrogen.
    np.testing.assert_allclose(curves.n, 2 * turned.n)
    np.testing.assert_array_equal(result["O", "H"].n, curves.n)
    np.testing.assert_array_equal(turned.n_reverse, curves.n)
    np.testing.assert_array_equal(turned.n_error, curves.n_reverse_error)
    np.testing.assert_array_equal(turned.g, curves.g)
    np.testing.assert_array_equal(turned.counts, curves.counts)
    np.testing.assert_array_equal(curves.g, result.g[1])
    np.testing.assert_array_equal(curves.counts, result.counts[1])
    with pytest.raises(KeyError, match="O-X is not among the pairs"):
        result["O-X"]


def test_short_representations(result):
    curves = result["O-H"]
    assert (
        repr(curves)
        == f"<starhist.PairCurves: O-H, {len(curves.r)} bins around r = {curves.r[0]:g} to {curves.r[-1]:g}>"
    )
    table = result.structure_factor(options=["--q-min", "5", "--q-max", "60", "--q-step", "5", "--pairs", "O-O,H-O"])
    assert repr(table) == "<starhist.Table: O-O, H-O over 12 q from 5 to 60>"
    curves.length_unit = "nm"
    assert repr(curves).endswith(" nm>")
    table.curves = {f"curve {k}": table.x for k in range(7)}
    assert "Table: 7 curves over" in repr(table)


def test_peaks(result):
    peaks = result.peaks("O-O")
    assert [peak.kind for peak in peaks[:2]] == ["maximum", "minimum"]
    assert peaks[0].r == pytest.approx(0.275, abs=0.006)
    assert peaks[0].r_error > 0
    n, error = peaks[1].coordination["O around O"]
    assert 3.5 < n < 6 and error > 0
    both = next(peak for peak in result.peaks("H-O") if peak.kind == "minimum").coordination
    assert set(both) == {"H around O", "O around H"}
    with pytest.raises(ValueError, match="O-X"):
        result.peaks("O-X")


def test_structure_factor_and_kirkwood_buff(result):
    table = result.structure_factor(options=["--q-max", "60"])
    assert table.axis == "q"
    assert set(table.curves) >= {"O-O", "H-O", "H-H"}
    assert table["O-O"].shape == table.errors["O-O"].shape == table.x.shape
    integrals = result.kirkwood_buff()
    assert integrals.axis == "R" and integrals.curves
    with pytest.raises(ValueError, match=r"quantity is 'pdf': use Result.pdf\(\)"):
        result.structure_factor(quantity="pdf")


@pytest.mark.parametrize(
    "call",
    [
        lambda result, path, words: result.kirkwood_buff(options=words),
        lambda result, path, words: result.kirkwood_buff_values(options=words),
        lambda result, path, words: starhist.rdf(path, r_max=0.5, bins=10, options=words),
        lambda result, path, words: starhist.vanhove(path, lags=[1], r_max=0.5, bins=10, options=words),
        lambda result, path, words: starhist.coordination(path, 0.3, options=words),
    ],
)
def test_options_that_change_the_output_are_refused(result, water, call):
    for words in (["--table"], ["-o", "sq.csv"], ["-osq.csv"], ["--format=csv"], ["--help"], ["--explain"]):
        with pytest.raises(ValueError, match=f"options contain {words[0].partition('=')[0]}, which changes the output"):
            call(result, water.path, words)
    with pytest.raises(TypeError, match=r"options is the string '--q-max 5': .* as in \['--q-max', '5'\]"):
        call(result, water.path, "--q-max 5")


def test_charges_entropy_and_potential_of_mean_force(result):
    charges = {"H": 0.4, "O": -0.8}
    table = result.structure_factor(quantity="charge", charges=charges, options=["--q-max", "60"])
    parts = result.structure_factor(options=["--q-max", "60", "--partials", "ashcroft-langreth"])
    expected = 0.16 * 2 / 3 * parts["H-H"] + 0.64 / 3 * parts["O-O"] - 2 * 0.32 * 2**0.5 / 3 * parts["H-O"]
    np.testing.assert_allclose(table["S_ZZ(q)"], expected, atol=1e-9)
    with pytest.raises(ValueError, match="charge of each species is needed"):
        result.structure_factor(quantity="charge")
    entropy = result.pair_entropy()
    assert entropy.axis == "R" and entropy["total"][-1] < 0 and entropy.errors["total"][-1] > 0
    energy, reduced = result.pmf(300.0), result.pmf()
    with np.errstate(divide="ignore"):
        expected = np.where(result["O-O"].g > 0, -np.log(result["O-O"].g), np.nan)
    np.testing.assert_allclose(reduced["O-O"], expected)
    np.testing.assert_allclose(energy["O-O"], 0.00831446261815324 * 300 * expected)


def test_values_of_kirkwood_buff_integrals(result):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = result.kirkwood_buff_values()
    values = {(row["quantity"], row["of"], row["method"], row["unit"]): row["value"] for row in rows}
    running = result.kirkwood_buff()["O-O"]
    assert values["G", "O-O", "plain", "length^3"] == pytest.approx(running[np.isfinite(running)][-1])
    assert {row["method"] for row in rows} > {"plain", "shifted tail", "sub-volumes"}
    assert all("standard errors" in str(each.message) for each in caught)


def test_pair_distribution_function(result, water):
    table = result.pdf()
    # O is 1/3 and H 2/3 of the atoms, O-H counts in both orders, and the N atoms of an element have N^2 pairs.
    oxygens = np.count_nonzero(water.labels == "O")
    weights = {"O-O": (1 - 1 / oxygens) / 9, "O-H": 4 / 9, "H-H": (1 - 0.5 / oxygens) * 4 / 9}
    total = sum(weight * result[pair].g for pair, weight in weights.items())
    np.testing.assert_allclose(table["g"], total, rtol=1e-9, atol=1e-12)
    assert table.axis == "r" and (table.errors["g"][50:] > 0).all()
    np.testing.assert_allclose(table.x, result.r, rtol=1e-12)
    elements = {"O": "O", "H": "D"}
    scattered = result.pdf(form="GPDF", weights="neutron", elements=elements, q_max=150, options=["--window", "lorch"])
    assert set(scattered.curves) == {"GPDF"} and scattered.facts["window"] == "lorch"
    assert "factor of H" in result.structure_factor(quantity="neutron", elements=elements).facts
    with pytest.raises(ValueError, match=r'with elements=\{"H": "...", "O": "..."\}'):
        result.pdf(weights="xray")
    with pytest.raises(ValueError, match="form is 'x': pass one of g, G"):
        result.pdf(form="x")
    with pytest.raises(ValueError, match="lower q_max="):
        result.pdf(q_max=1e6)


def test_plot_of_a_table(result):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    table = result.structure_factor(options=["--unit", "nm", "--q-max", "60", "--q-min", "1"])
    assert "no meaning" in table.facts["q_caveat"] and any("no meaning" in note for note in table.notes)
    axes = table.plot(["O-O", "total"], ax=plt.figure().add_subplot(), label="water")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("q (nm$^{-1}$)", "S(q)")
    assert [line.get_label() for line in axes.lines] == ["water O-O", "water total"]
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), table["O-O"])
    assert len(axes.collections) == 2
    result.pdf().plot(ax=axes, label="PDF")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("r", "g(r)") and axes.lines[-1].get_label() == "PDF"
    axes = result.pdf(form="GPDF", options=["--unit", "A"]).plot(ax=plt.figure().add_subplot())
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("r (\u00c5)", "GPDF(r) (1/\u00c5$^{2}$)")
    with pytest.raises(KeyError, match="O-X is not among"):
        table.plot("O-X", ax=axes)
    plt.close("all")


def test_experiment(result, tmp_path):
    own = result.pdf()
    measured = tmp_path / "g.dat"
    np.savetxt(measured, np.column_stack([own.x, 1.02 * own["g"]])[:100], header="r [nm] g")
    with pytest.raises(ValueError, match="the length unit of the result is unknown"):
        result.pdf(experiment=measured)
    np.savetxt(measured, np.column_stack([own.x, 1.02 * own["g"]])[:100])
    table = result.pdf(experiment=measured)
    np.testing.assert_allclose(table["residual"], table["experiment"] - table["g"], rtol=0, atol=1e-12)
    assert table.facts["r_w"] == pytest.approx(0.02 / 1.02, rel=1e-9)
    assert any(note.startswith("R_w = 0.0196") for note in table.notes)
    assert result.pdf(experiment=measured, options=["--fit-scale"]).facts["scale"] == pytest.approx(1.02, rel=1e-9)
    with pytest.raises(FileNotFoundError, match=r"none\.dat does not exist"):
        result.structure_factor(experiment="none.dat")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    axes = table.plot(ax=plt.figure().add_subplot())
    below = axes.figure.axes[-1]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["g", "experiment"]
    assert (below.get_xlabel(), below.get_ylabel(), axes.get_xlabel()) == ("r", "residual", "")
    np.testing.assert_array_equal(below.lines[-1].get_ydata(), table["residual"])
    assert len(table.plot("residual", ax=plt.figure().add_subplot()).figure.axes) == 1
    plt.close("all")


def test_table_as_dataframe(result):
    pytest.importorskip("pandas")
    table = result.structure_factor(options=["--unit", "nm", "--q-max", "60"])
    frame = table.to_dataframe()
    assert list(frame.columns) == ["curve", "q", "value", "error"]
    np.testing.assert_array_equal(frame[frame.curve == "O-O"].value, table["O-O"])
    np.testing.assert_array_equal(frame[frame.curve == "O-O"].error, table.errors["O-O"])
    np.testing.assert_array_equal(frame[frame.curve == "O-O"].q, table.x)


def test_length_unit_of_arrays(water):
    settings = {"box": water.boxes[:2], "species": water.labels, "r_max": 1.4, "bins": 140}
    result = starhist.rdf(water.positions[:2], length_unit="nm", **settings)
    assert result.length_unit == "nm"
    elements = {"O": "O", "H": "H"}
    own = result.structure_factor(quantity="xray", elements=elements)
    plain = starhist.rdf(water.positions[:2], **settings)
    with pytest.raises(
        ValueError, match=r'no length unit \(count with length_unit=, or pass options=\["--unit", UNIT\]'
    ):
        plain.structure_factor(quantity="xray", elements=elements)
    other = plain.structure_factor(quantity="xray", elements=elements, options=["--unit", "nm"])
    np.testing.assert_array_equal(own["S(q)"], other["S(q)"])
    moved = starhist.vanhove(water.positions[:2], length_unit="nm", **{**settings, "bins": 14})
    assert moved.length_unit == "nm"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: r.structure_factor(options=["--form", "S"]), '^form= has no meaning for quantity="sq"'),
        (lambda r: r.pdf(form="S"), "^form is 'S': pass one of g, G, GPDF, D, T, RDF$"),
        (lambda r: r.structure_factor(quantity="charge"), r'needed: charges=\{"H": ..., "O": ...\}$'),
        (lambda r: r.peaks(prominence=3), "^prominence: '3' is not a fraction from 0 to 1, such as 0.05 for 5 %$"),
        (lambda r: r.pmf(-3), "^temperature=-3"),
    ],
)
def test_messages_name_arguments(result, call, message):
    with pytest.raises(ValueError, match=message):
        call(result)


def test_compare(result, water, tmp_path):
    other = starhist.rdf(
        water.positions[20:40], box=water.boxes[20:40], species=water.labels, r_max=1.4, bins=70, frames_per_block=2
    )
    rows = result.compare(other, pairs="O-O", labels=["later"])
    assert [(row.other, row.pair) for row in rows] == [("later", "O-O")]
    assert 0 < rows[0].p <= 1
    curve = tmp_path / "other.dat"
    np.savetxt(curve, np.c_[result.r * 10, result["O-O"].g], fmt="%.6f")
    (row,) = result.compare(curve, pairs="O-O")
    assert row.p is None and [cause["kind"] for cause in row.causes] == ["unit"]
    with pytest.raises(FileNotFoundError):
        result.compare(tmp_path / "no.xvg")
    with pytest.raises(ValueError, match="others is empty"):
        result.compare()


def small_result(unit, species="A"):
    positions = np.random.default_rng(5).random((5, 30, 3)) * 4
    counter = starhist.Counter(species=[species] * 30, r_max=1, bins=40, length_unit=unit, frames_per_block=1)
    for frame in positions:
        counter.add(frame, box=[4, 4, 4])
    return counter.result()


@pytest.mark.parametrize("labels", [None, ["later run"]])
@pytest.mark.parametrize(
    ("other", "message"),
    [(("", "A"), r"NAME: lengths are in an unknown unit, .*count with length_unit="),
     (("nm", "B"), r"NAME: no pair in common with result 1 .* with species= when counting")],
)  # fmt: skip
def test_messages_of_compare_have_the_names_of_the_caller(other, message, labels):
    with pytest.raises(ValueError, match="^" + message.replace("NAME", labels[0] if labels else "result 2")) as raised:
        small_result("nm").compare(small_result(*other), labels=labels)
    assert " --" not in str(raised.value) and ".h5" not in str(raised.value)


def test_messages_about_a_result_have_no_temporary_path():
    with pytest.raises(ValueError) as raised:
        small_result("nm").pdf(options=["--r-cut", "0.333"])
    assert ".h5" not in str(raised.value)
    with pytest.raises(ValueError, match="the result") as raised:
        small_result("nm").structure_factor(options=["--r-cut", "7"])
    assert ".h5" not in str(raised.value)


def test_unknown_units_are_refused():
    with pytest.raises(ValueError, match="length 'parsec' is not a known unit of length"):
        small_result("parsec")


def test_rebin(result, water, tmp_path):
    wide = starhist.rdf(
        water.positions[:20], box=water.boxes[:20], species=water.labels, r_max=1.4, bins=35, frames_per_block=2
    )
    merged = result.rebin(4)
    np.testing.assert_array_equal(merged.counts, wide.counts)
    np.testing.assert_allclose(merged.g, wide.g, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(merged.n, wide.n, rtol=1e-12)
    np.testing.assert_allclose(merged.g_errors, wide.g_errors, rtol=1e-9)
    twice = merged.rebin(5)
    np.testing.assert_array_equal(twice.g, result.rebin(20).g)
    uneven = result.rebin([0.0, 0.5, 0.6, 1.0, 1.4])
    np.testing.assert_array_equal(uneven.rebin([0.5, 1.0, 1.4]).counts, result.rebin([0.5, 1.0, 1.4]).counts)
    by_edges = result.rebin([0.0, 0.2, 0.3, 0.5])
    assert by_edges.counts.shape == (3, 3)
    total = result.counts.sum() + result.out_of_range.sum()
    assert by_edges.counts.sum() + by_edges.out_of_range.sum() == total
    with pytest.raises(ValueError, match=r"0.203 is not an edge of the counted bins: the nearest is 0.2"):
        result.rebin([0.1, 0.203])
    with pytest.raises(ValueError, match="pass the number of bins to merge"):
        result.rebin(0)
    with pytest.raises(ValueError, match="save or analyse the original"):
        merged.save(tmp_path / "merged.h5")


def test_plot_labels(result):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    result.plot("O-O", ax=axes, label="300 K")
    result.plot(["O-O", "O-H"], ax=axes, label="350 K")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["300 K", "350 K O-O", "350 K H-O"]
    plt.close(figure)


def test_default_bins():
    positions = np.random.default_rng(0).random((2, 50, 3))
    found = starhist.rdf(positions, box=[1.0, 2.0, 3.0])
    assert found.edges[-1] == pytest.approx(0.495) and found.counts.shape == (1, 500)
    assert np.isfinite(found.g).all()
    triclinic = starhist.rdf(positions, box=[1.0, 1.0, 1.0, 90.0, 90.0, 60.0])
    assert triclinic.edges[-1] == pytest.approx(0.495)
    with pytest.raises(ValueError, match="r_max is missing"):
        starhist.rdf(positions, box="none")
    with pytest.raises(ValueError, match="periodic along all axes"):
        starhist.rdf(positions, box=[1.0, 2.0, 3.0], periodic=(True, True, False))
    skewed = starhist.rdf(positions, box=[[10.0, 0, 0], [50.0, 3.0, 0], [0, 0, 8.0]])
    assert skewed.edges[-1] == pytest.approx(1.48, abs=0.01)  # of the lattice vector (0, 3, 0)


def test_bin_width(water):
    positions = np.random.default_rng(0).random((2, 50, 3))
    box = [1.0, 2.0, 3.0]
    found = starhist.rdf(positions, box=box, r_max=0.45, bin_width=0.05)
    np.testing.assert_array_equal(found.counts, starhist.rdf(positions, box=box, r_max=0.45, bins=9).counts)
    assert starhist.rdf(positions, box=box, bin_width=0.1).edges == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    with pytest.raises(ValueError, match=r"bin_width=0.1 does not divide r_max=0.45: pass r_max=0.5"):
        starhist.rdf(positions, box=box, r_max=0.45, bin_width=0.1)
    for path in (False, True):
        source = water.path if path else (water.positions[:2], water.boxes[:2])
        counted = starhist.rdf(source, r_max=0.6, bin_width=0.02, stop=2, pairs=None)
        assert len(counted.r) == 30
        for wrong in ({"bins": 3}, {"edges": [0.1, 0.2]}):
            with pytest.raises(ValueError, match="bin_width excludes bins and edges"):
                starhist.rdf(source, bin_width=0.1, **wrong)
        with pytest.raises(ValueError, match="above 0"):
            starhist.rdf(source, bin_width=-1)
    with pytest.raises(ValueError, match="does not divide r_max"):
        starhist.rdf(water.path, r_max=0.5, bin_width=0.3)


def test_positions_without_a_box():
    positions = np.random.default_rng(0).random((50, 3))
    with pytest.warns(UserWarning, match="the positions have no box"):
        open_box = starhist.rdf(positions, r_max=1.0, bins=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        silent = starhist.rdf(positions, r_max=1.0, bins=5, box="none")
        starhist.rdf(positions, r_max=0.4, bins=5, box=[1, 1, 1])
    np.testing.assert_array_equal(open_box.counts, silent.counts)


def test_missing_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no\.xtc does not exist"):
        starhist.rdf(tmp_path / "no.xtc")
    with pytest.raises(ValueError, match="structure is for paths"):
        starhist.rdf(np.zeros((3, 3)), structure="a.tpr")


def test_structure(tmp_path):
    lines = ["2", 'Lattice="9 0 0 0 9 0 0 0 9"', "{} 0 0 0", "{} 1 0 0", ""]
    for name, species in (("md.xyz", "XX"), ("names.xyz", "AB")):
        (tmp_path / name).write_text("\n".join(lines).format(*species))
    with pytest.raises(FileNotFoundError, match=r"no\.xyz"):
        starhist.rdf(tmp_path / "md.xyz", structure=tmp_path / "no.xyz")
    found = starhist.rdf(tmp_path / "md.xyz", structure=tmp_path / "names.xyz", r_max=4.0, bins=4)
    assert found.pairs == ["A-A", "A-B", "B-B"]
    np.testing.assert_array_equal(found["A-B"].counts, [0, 1, 0, 0])
