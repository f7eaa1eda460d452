"""Sphinx extension: Jupyter notebooks as pages, with the output that is stored in them.

scripts/checks/check_notebooks.py executes them; the site is built without a kernel.
"""

import base64
import html
import json
import pathlib

from myst_parser.parsers.sphinx_ import MystParser

FENCE = "````"


def block(language, text):
    return f"{FENCE}{language}\n{text.rstrip()}\n{FENCE}\n"


def picture(svg, alternative):
    data = base64.b64encode(svg.encode()).decode()
    return f'<div class="figure"><img alt="{html.escape(alternative)}" src="data:image/svg+xml;base64,{data}"></div>\n'


def output_of(cell):
    """What a code cell has put out, as Markdown."""
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            yield block("text", "".join(output["text"]))
            continue
        data = output["data"]
        if "image/svg+xml" in data:
            yield picture("".join(data["image/svg+xml"]), cell["metadata"].get("alt", "figure"))
        else:
            yield block("text", "".join(data["text/plain"]))


def markdown(notebook, name):
    """The text of a notebook's page; below the title a link to the notebook itself."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            parts += [block("python", source), *output_of(cell)]
            continue
        title, _, rest = source.partition("\n")
        if not parts:
            parts.append(f"{title}\n\nThis page is the notebook {{download}}`{name} <{name}>`.\n")
        else:
            parts.append(title)
        parts.append(rest)
    return "\n".join(parts)


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown of its cells and outputs."""

    supported = ("notebook",)

    def parse(self, inputstring, document):
        name = pathlib.Path(document["source"]).name
        super().parse(markdown(json.loads(inputstring), name), document)


def setup(app):
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}
