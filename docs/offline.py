"""Sphinx extension: what pages load is next to them, so that they work without a network or a web server.

Debian's packages expect a server that has /javascript/, and Furo's script as a module, which browsers refuse
to load from a file. Debian's style of Furo also lacks the rules that follow a dark theme of the system.
"""

import pathlib
import re
import shutil

JAVASCRIPT = pathlib.Path("/usr/share/javascript")  # of libjs-mathjax (2.7) and node-normalize.css
# What pages with formulas load, and no more: all of MathJax is 54 MB.
MATHJAX_PARTS = [
    "MathJax.js",
    "config/TeX-AMS_CHTML.js",
    "extensions",
    "jax/element",
    "jax/input/TeX",
    "jax/output/CommonHTML",
    "fonts/HTML-CSS/TeX/woff",
]
MODULE_IMPORT = 'import Gumshoe from "./gumshoe-patched.js";'
CSS_IMPORT = "@import url(/javascript/normalize.css/normalize.css);"
DARK_RULES = re.compile(r"@media not print \{(?P<rules>.*?\} )\}\n", re.DOTALL)


def copy_mathjax(static):
    for part in MATHJAX_PARTS:
        source, target = JAVASCRIPT / "mathjax" / part, static / "mathjax" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, target)


def insert(file, statement, source):
    """Replaces a statement of a file, where it is there, by the text of another file."""
    if file.exists() and statement in file.read_text(encoding="utf-8"):
        text = file.read_text(encoding="utf-8").replace(statement, source.read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8")


def follow_system(style):
    """Adds the theme's dark rules for pages that follow the system's theme, unless it has them."""
    text = style.read_text(encoding="utf-8")
    if "prefers-color-scheme" in text:
        return
    dark = DARK_RULES.search(text)
    rules = dark["rules"].replace('[data-theme="dark"]', ':not([data-theme="light"])')
    added = f"@media screen and (prefers-color-scheme: dark) {{{rules}}}\n"
    style.write_text(text[: dark.end()] + added + text[dark.end() :], encoding="utf-8")


def complete_site(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    static = pathlib.Path(app.outdir) / "_static"
    copy_mathjax(static)
    scripts = static / "scripts"
    insert(scripts / "furo.js", MODULE_IMPORT, scripts / "gumshoe-patched.js")
    style = static / "styles" / "furo.css"
    insert(style, CSS_IMPORT, JAVASCRIPT / "normalize.css" / "normalize.css")
    follow_system(style)


def setup(app):
    app.connect("build-finished", complete_site)
    return {"parallel_read_safe": True}
