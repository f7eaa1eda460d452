"""summary.html of a comparison of schedulers: summary.md as a page that contains the figures."""

import base64
import html
import pathlib
import re

from shown_text import shown

FIGURES = {
    "throughput": "Throughput of each scheduler: medians as bars, with their intervals",
    "workers": "Busy and idle shares of each worker",
    "gantt": "Gantt chart of one run",
}
SKELETON = pathlib.Path(__file__).with_name("page.html")
STYLE = pathlib.Path(__file__).parents[1] / "report/page.css"
MORE_STYLE = """
figure { margin-right: 0; margin-left: 0; }
figure img { display: block; max-width: 100%; margin: 0 auto; background: #fff; }
.wide thead th { white-space: normal; vertical-align: bottom; }
"""


def _inline(text):
    """HTML of a line of Markdown: escaped, with **strong** and *emphasis*."""
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", html.escape(shown(text)))
    return re.sub(r"(?<![*\w])\*([^*]+)\*", r"<em>\1</em>", text)


def _cells(row):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def _table(rows):
    """HTML of the rows of a Markdown table, whose first is its head and whose second is a rule."""
    head, _, *body = map(_cells, rows)
    if not any(head):
        cells = ("".join(f"<td>{_inline(cell)}</td>" for cell in row) for row in body)
        return '<table class="facts">' + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
    columns = [html.escape(name, quote=True) for name in head]
    lines = (
        "".join(f'<td data-column="{column}"><span>{_inline(cell)}</span></td>' for column, cell in zip(columns, row))
        for row in body
    )
    return (
        '<div class="scroll" tabindex="0"><table class="wide"><thead><tr>'
        + "".join(f"<th>{column}</th>" for column in columns)
        + "</tr></thead><tbody>"
        + "".join(f"<tr>{line}</tr>" for line in lines)
        + "</tbody></table></div>"
    )


def _blocks(markdown):
    """Yields HTML of each block of the Markdown that summary() writes: headings, tables, lists, paragraphs."""
    for block in markdown.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if lines[0].startswith("## "):
            yield f"</section><section class='card'><h2>{_inline(lines[0][3:])}</h2>"
        elif lines[0].startswith("# "):
            yield f"<h1>{_inline(lines[0][2:])}</h1><section class='card'>"
        elif lines[0].startswith("|"):
            yield _table(lines)
        elif lines[0].startswith("* "):
            yield "<ul>" + "".join(f"<li>{_inline(line[2:])}</li>" for line in lines) + "</ul>"
        elif lines[0]:
            yield f"<p class='note'>{_inline(' '.join(lines))}</p>"


def page(markdown, folder):
    """Returns the page of summary.md, with the figures NAME.svg that the folder contains."""
    figures = []
    for name, title in FIGURES.items():
        path = folder / f"{name}.svg"
        if path.exists():
            data = base64.b64encode(path.read_bytes()).decode("ascii")
            figures.append(
                f'<figure class="card"><img alt="{title}" src="data:image/svg+xml;base64,{data}"/>'
                f'<figcaption class="note">{title}</figcaption></figure>'
            )
    body = "\n".join([*_blocks(markdown), "</section>", *figures])
    style = STYLE.read_text(encoding="utf-8") + MORE_STYLE
    return SKELETON.read_text(encoding="utf-8").replace("@STYLE@", style).replace("@BODY@", body)
