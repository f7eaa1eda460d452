"""Configuration of the documentation site. Build it with scripts/checks/build_docs.sh."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))

project = "starhist"
author = "the starhist authors"
copyright = "the starhist authors. MIT licence"
version = release = re.search(r"project\([^)]*VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "offline",
    "notebook_pages",
]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
nitpicky = True
# The module for Python, read without being built.
sys.path.insert(0, str(ROOT / "python"))
autodoc_mock_imports = ["starhist._core", "MDAnalysis"]
autodoc_typehints = "none"
autodoc_class_signature = "separated"
nitpick_ignore_regex = [("py:.*", ".*")]
exclude_patterns = ["README.md"]

html_theme = "furo"
html_title = f"starhist {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#00568b", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}

# MathJax 2.7, which offline.py copies there. MyST's own settings are for version 3.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_CHTML"
mathjax2_config = {
    "tex2jax": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]], "processEnvironments": False},
    "messageStyle": "none",
    "showMathMenu": False,
}
myst_update_mathjax = False
