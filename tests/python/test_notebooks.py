"""scripts/checks/check_notebooks.py on notebooks of a cell or two, and what the site makes of a notebook."""

import importlib.util
import json
import pathlib
import subprocess
import sys

import pytest

from starhist import program

for package in (
    "nbclient",
    "ipykernel",
    "nbformat",
    "MDAnalysis",
    "ase",
    "matplotlib",
    "pandas",
    "xarray",
    "h5py",
    "ipywidgets",
):
    pytest.importorskip(package)

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "scripts/checks/check_notebooks.py"
DRAW = "import matplotlib.pyplot as plt\nplt.plot([0, 1], [0, {}])\nplt.show()"


def cell(source, *lines, figure=None, tags=(), alt=None):
    outputs = (
        [{"output_type": "stream", "name": "stdout", "text": "".join(line + "\n" for line in lines)}] if lines else []
    )
    if figure:
        outputs.append({"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": figure}})
    metadata = {"tags": list(tags)} if tags else {}
    if alt:
        metadata["alt"] = alt
    return {
        "cell_type": "code",
        "id": "c",
        "metadata": metadata,
        "execution_count": None,
        "source": source,
        "outputs": outputs,
    }


@pytest.fixture
def check(tmp_path):
    """check(CELL..., OPTION...): exit status, printed text, and the notebook afterwards."""

    def run(*cells, options=()):
        path = tmp_path / "page.ipynb"
        path.write_text(json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
        done = subprocess.run(
            [sys.executable, SCRIPT, "--program", program.FOLDER.resolve(), *options, path],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        return done.returncode, done.stdout, json.loads(path.read_text())

    return run


def test_equal_and_other_output(check):
    source = 'import starhist\nprint(starhist.rdf([[0, 0, 0], [1, 0, 0]], box="none", r_max=2, bins=2).counts)'
    assert check(cell(source, "[[0 1]]"))[0] == 0
    status, text, _ = check(cell(source, "[[1 0]]"))
    assert status == 1
    assert "cell 1: another output" in text and "-[[1 0]]" in text and "+[[0 1]]" in text


def test_numbers_of_a_simulation_may_vary_but_not_their_lines(check):
    assert check(cell("print(1.5)", "1.4", tags=["varies"]))[0] == 0
    status, text, _ = check(cell("print('1\\n2')", "1.4", tags=["varies"]))
    assert status == 1 and "2 lines, not 1" in text


def test_errors_and_warnings(check):
    for source, sentence in (
        ("assert False, 'no'", "AssertionError: no"),
        ("import sys; print('hm', file=sys.stderr)", "standard error"),
    ):
        status, text, _ = check(cell(source))
        assert status == 1 and sentence in text


def test_figures(check):
    status, text, _ = check(cell(DRAW.format(1)))
    assert status == 1 and "description" in text
    status, _, notebook = check(cell(DRAW.format(1), alt="a line"), options=["--update"])
    assert status == 0
    figure = notebook["cells"][0]["outputs"][0]["data"]["image/svg+xml"]
    figure = figure if isinstance(figure, str) else "".join(figure)
    assert check(cell(DRAW.format(1), figure=figure, alt="a line"))[0] == 0
    bent = DRAW.format(1).replace("[0, 1], [0, 1]", "[0, 0.5, 1], [0, 0.8, 1]")
    status, text, _ = check(cell(bent, figure=figure, alt="a line"))
    assert status == 1 and "figure 1" in text


def test_page_of_a_notebook(monkeypatch):
    class Parser:
        pass

    module = type(sys)("myst_parser.parsers.sphinx_")
    module.MystParser = Parser
    for name in ("myst_parser", "myst_parser.parsers"):
        monkeypatch.setitem(sys.modules, name, type(sys)(name))
    monkeypatch.setitem(sys.modules, "myst_parser.parsers.sphinx_", module)
    spec = importlib.util.spec_from_file_location("notebook_pages", ROOT / "docs/notebook_pages.py")
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    text = pages.markdown(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["# Title\n", "Text."]},
                cell("print(1)", "1", figure="<svg/>", alt='a "line"'),
            ]
        },
        "page.ipynb",
    )
    assert text.index("# Title") < text.index("{download}`page.ipynb <page.ipynb>`") < text.index("Text.")
    assert "````python\nprint(1)\n````" in text and "````text\n1\n````" in text
    assert 'alt="a &quot;line&quot;" src="data:image/svg+xml;base64,PHN2Zy8+"' in text
