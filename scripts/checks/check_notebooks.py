#!/usr/bin/env python3
"""Executes the notebooks of docs/notebooks and compares their output with the stored output.

    build/venv/bin/python scripts/checks/check_notebooks.py --program build [NOTEBOOK...]
    build/venv/bin/python scripts/checks/check_notebooks.py --program build --update docs/notebooks/water.ipynb

Uses the environment made by scripts/setup/build_python.sh. Each notebook has a separate folder that contains
only the files of check_documents.py; the same rules apply: a line `...` stands for any lines, times are not
compared, figures are compared curve by curve. A cell with the tag `varies`, whose numbers come from a
simulation, must produce the stored number of lines and figures, and asserts its results itself. Output on
standard error is a failure.

Prints a line per notebook; the last line is `N passed, N failed`. Exit status: 0 all passed, 1 not, 77
skipped because Python lacks a package or the module is not built.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from check_documents import ROOT, SAMPLES, check_all, difference, environment, make_parser, matches
from document_figures import compare_figures

NEEDED = ("nbclient", "ipykernel", "matplotlib", "MDAnalysis", "ase", "pandas", "xarray", "h5py", "ipywidgets")
TIME_LIMIT = 300  # seconds, of a cell
SVG = "image/svg+xml"
# Figures as reproducible SVG. In a reader's Jupyter, its own setting applies.
SET_UP = """
import matplotlib, matplotlib_inline.backend_inline
matplotlib_inline.backend_inline.set_matplotlib_formats("svg", metadata={"Date": None, "Creator": None})
matplotlib.rcParams["svg.hashsalt"] = "starhist"
"""


def read(path):
    import nbformat

    return nbformat.read(path, as_version=4)


def execute(notebook, folder, variables):
    """Executes a copy of the notebook in a folder; returns the copy and its problems, as lines."""
    import copy

    import nbclient
    import nbformat

    done = copy.deepcopy(notebook)
    done.cells.insert(0, nbformat.v4.new_code_cell(SET_UP))
    client = nbclient.NotebookClient(
        done, timeout=TIME_LIMIT, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    problems = []
    try:
        client.execute(env=variables, stderr=subprocess.DEVNULL)  # of the kernel, not of cells
    except (
        nbclient.exceptions.CellExecutionError,
        nbclient.exceptions.CellTimeoutError,
        nbclient.exceptions.DeadKernelError,
    ) as error:
        problems = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip().splitlines()[-20:]  # without colours
    del done.cells[0]
    return done, problems


def plain(outputs):
    """Outputs as they are stored: texts of one stream joined, of each result its figure or its text."""
    import nbformat

    kept = []
    for output in outputs:
        if output.output_type == "stream":
            if kept and kept[-1].output_type == "stream" and kept[-1].name == output.name:
                kept[-1].text += output.text
            else:
                kept.append(nbformat.v4.new_output("stream", name=output.name, text=output.text))
        elif output.output_type in ("execute_result", "display_data"):
            kind = SVG if SVG in output.data else "text/plain"
            text = "\n".join(line.rstrip() for line in output.data[kind].splitlines()) + "\n"
            kept.append(nbformat.v4.new_output("display_data", {kind: text}))
    return kept


def lines_of(outputs):
    return [
        line
        for output in outputs
        for line in (output.text if output.output_type == "stream" else output.data.get("text/plain", "")).splitlines()
    ]


def figures_of(outputs):
    return [output.data[SVG] for output in outputs if output.output_type == "display_data" and SVG in output.data]


def faults(cell, outputs):
    """Returns forbidden output of a notebook, as lines."""
    errors = [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"]
    if errors:
        return ["prints on standard error:", *("    " + line for text in errors for line in text.splitlines())]
    figures = len(figures_of(outputs))
    if figures != ("alt" in cell.metadata):
        return [
            f"{figures} figures: a cell with a figure must have a description in its metadata, as `alt`, and other cells must not"
        ]
    return []


def compare_cell(cell, outputs, folder):
    """Differences of a code cell's outputs from those stored in it, as lines."""
    expected, actual = lines_of(cell.outputs), lines_of(outputs)
    old, new = figures_of(cell.outputs), figures_of(outputs)
    if len(old) != len(new):
        return [f"{len(new)} figures, not {len(old)}"]
    if "varies" in cell.metadata.get("tags", []):
        return [f"{len(actual)} lines, not {len(expected)}"] if len(actual) != len(expected) else []
    problems = [] if matches(expected, actual) else ["another output:", *difference(expected, actual)]
    for number, pair in enumerate(zip(old, new), 1):
        files = [folder / f"{name}.svg" for name in ("stored", "drawn")]
        for file, svg in zip(files, pair):
            file.write_text(svg, encoding="utf-8")
        problem = compare_figures(*files)
        problems += [f"figure {number} {problem}"] if problem else []
    return problems


def check_notebook(path, program, data, home, update):
    """Returns (problems of a notebook, as lines, summary); stores its output if `update`."""
    import nbformat

    notebook = read(path)
    with tempfile.TemporaryDirectory(prefix="starhist-notebook-") as name:
        folder = pathlib.Path(name)
        for sample, source in SAMPLES.items():
            shutil.copyfile(data / source, folder / sample)
        variables = environment(program, home)
        del variables["MPLBACKEND"]  # figures go into the notebook
        done, problems = execute(notebook, folder, variables)
        problems = [f"{path}: {line}" for line in problems]
        for number, (cell, made) in enumerate(zip(notebook.cells, done.cells), 1):
            if cell.cell_type != "code" or problems:
                continue
            outputs = plain(made.outputs)
            found = faults(cell, outputs)
            if update and not found:
                cell.outputs, cell.execution_count = outputs, None
            else:
                found = found or compare_cell(cell, outputs, folder)
                problems += [f"{path}: cell {number}: {line}" for line in found]
    if update and not problems:
        nbformat.write(notebook, path)
    return problems, f"{len(notebook.cells)} cells"


def main():
    parser = make_parser(
        __doc__, "notebooks", "build folder, with the module in python/", "store the output of the notebooks"
    )
    options = parser.parse_args()
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if not list((options.program / "python/starhist").glob("_core*.so")):
        missing.append("starhist")
    if missing:
        print(f"SKIPPED: this Python has no {', '.join(missing)} (scripts/setup/build_python.sh)")
        return 77
    notebooks = options.notebooks or sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
    return check_all([pathlib.Path(os.path.relpath(path)) for path in notebooks], check_notebook, options)


if __name__ == "__main__":
    sys.exit(main())
