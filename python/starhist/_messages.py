"""Translates messages of libstarhist and of the program for Python users.

These messages name command-line options; users of Python pass keyword arguments, whose names differ.
`stop` is one more than --last. Options without a keyword argument are left as they are: users pass them
in options=.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

_KEYWORDS = {
    "--first": "start",
    "--step": "step",
    "--block": "frames_per_block",
    "--r-max": "r_max",
    "--bins": "bins",
    "--bin-width": "bin_width",
    "--pairs": "pairs",
    "--species": "species",
    "--normalization": "normalization",
    "--lags": "lags",
    "--lag-unit": "lag_unit",
    "--every-origin": "every_origin",
    "--trajectory": "trajectory",
    "--structure": "structure",
    "--cutoff": "cutoffs",
    "--from": "minima",
    "--charges": "charges",
    "--prominence": "prominence",
    "--temperature": "temperature",
    "--experiment": "experiment",
    "--time": "time",
    "--seed": "seed",
    "--form": "form",
    "--weights": "weights",
    "--q-max": "q_max",
    "--plane": "plane",
    "--open": "open_axes",
    "--volume": "volume",
    "--geometry": "geometry",
    "--extent": "extent",
    "--axis2": "axis2",
    "--axis2-bins": "axis2_bins",
    "--axis2-max": "axis2_max",
}
_OPTION = "|".join(_KEYWORDS)

_METHODS = {
    "pdf": "pdf()",
    "kirkwood-buff": "kirkwood_buff()",
    "s2": "pair_entropy()",
    "legendre": "legendre()",
    "pmf": "pmf()",
    "fqt": "intermediate_scattering()",
}
"""Methods of results, by the quantity of `starhist analyze` and `starhist export`."""


def _dictionary(entries: str, quote: str = '"') -> str:
    """Returns "A=1,B=2" as a dictionary of Python; `quote` encloses the values."""
    pairs = (entry.split("=", 1) for entry in entries.split(","))
    return "{" + ", ".join(f'"{name}": {quote}{value}{quote}' for name, value in pairs) + "}"


_WORDS = (
    (re.compile(r"starhist_set_frames_per_block(?: (\d+))?(?!\()"),
     lambda found: f"frames_per_block={found[1]}" if found[1] else "frames_per_block"),
    (re.compile(r"argument (?=--)| \(starhist [a-z]+ --help explains the options\)"), lambda found: ""),
    (re.compile(r"--unwrapped\b"), lambda found: "unwrapped=True"),
    (re.compile(r"; or count again with --aliases or --guess-elements"), lambda found: ""),
    (re.compile(r"--force\b"), lambda found: "overwrite=True"),
    (re.compile(r"(?:pass|count or compare with|count both with the same) --unit\b"), lambda found: "count with length_unit="),
    (re.compile(r"(?:give|give it|give the unit|give the length unit) with --unit\b"),
     lambda found: 'count with length_unit=, or pass options=["--unit", UNIT]'),
    (re.compile(r"--repeated (keep|fail)\b"), lambda found: f'options=["--repeated", "{found[1]}"]'),
    (re.compile(r"--debye\b"), lambda found: 'options=["--debye"]'),
    (re.compile(r"--box none\b"), lambda found: 'box="none"'),
    (re.compile(r"--box a,b,c\b"), lambda found: "box=[a, b, c]"),
    (re.compile(r"--box\b"), lambda found: "box="),
    (re.compile(r"--open ([xyz](?:,[xyz])*)(?!\w)"), lambda found: f'open_axes="{found[1]}"'),
    (re.compile(r"--last (\d+)"), lambda found: f"stop={int(found[1]) + 1}"),
    (re.compile(r"--last\b"), lambda found: "stop="),
    (re.compile(r"--pairs ([^\s\"()]+-[^\s\"()]+)"), lambda found: f'pairs="{found[1]}"'),
    (re.compile(r"--element (\S+=\.\.\.)"), lambda found: f"elements={_dictionary(found[1])}"),
    (re.compile(r"--charges (\S+=\.\.\.)"), lambda found: f"charges={_dictionary(found[1], '')}"),
    (re.compile(r"--cutoff (\S+=min)\b"), lambda found: f"cutoffs={_dictionary(found[1])}"),
    (re.compile(r"--cutoff min\b"), lambda found: 'cutoffs="min"'),
    (re.compile(r"--with (reference|cpu|gpu)\b"), lambda found: f'method="{found[1]}"'),
    (re.compile(r"--quantity ([a-z0-9-]+)"), lambda found: _METHODS.get(found[1], f'quantity="{found[1]}"')),
    (re.compile(r"--(form) (g|G|GPDF|D|T|RDF|S|i|F)(?![\w-])|--(weights) (number|xray|neutron)\b"
                r"|--(plane) (xy|xz|yz)\b|--(geometry) (slab|cylinder)\b|--(axis2) (d[xyz]|cos\([xyz]\))(?!\w)"),
     lambda found: '{}="{}"'.format(*filter(None, found.groups()))),
    (re.compile(r"--lags (\S+):(?= )"), lambda found: f'lags="{found[1]}":'),
    (re.compile(rf"({_OPTION}) (\"[^\"]*\"|'[^']*'|-?\d\S*?|FILE|RESULT\.h5)(?=[\s,:;)]|$)"),
     lambda found: f"{_KEYWORDS[found[1]]}={found[2]}"),
    (re.compile(rf"({_OPTION}):"), lambda found: f"{_KEYWORDS[found[1]]}:"),
    (re.compile(rf"({_OPTION})(?![\w-])"), lambda found: f"{_KEYWORDS[found[1]]}="),
)  # fmt: skip


def in_words_of_python(text: str) -> str:
    """Returns `text` with command-line options replaced by the corresponding keyword arguments."""
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    return text


@contextlib.contextmanager
def passed_on() -> Iterator[None]:
    """Context manager that translates the messages of exceptions raised by the extension."""
    try:
        yield
    except (ValueError, MemoryError, RuntimeError) as error:
        text = in_words_of_python(str(error))
        if text == str(error):
            raise
        raise type(error)(text) from None
