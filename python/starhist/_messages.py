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


_COMMAND = re.compile(r"(starhist [a-z]+(?: --[\w-]+(?: [^\s(-][^\s:;,)]*)?)+)")
"""A command line of the program, which stays as it is."""

_BEFORE_COMMANDS = (
    (re.compile(r" \(starhist [a-z]+ --help explains the options\)"), lambda found: ""),
    (re.compile(r"starhist rdf --axis2 ('[^']*')"), lambda found: f"starhist.rdf(..., axis2={found[1]})"),
    (re.compile(r"option (--[\w-]+) is given twice"), lambda found: f"options contain a second {found[1]}: omit it"),
)
_WORDS = (
    (re.compile(r"starhist_set_frames_per_block(?: (\d+))?(?!\()"),
     lambda found: f"frames_per_block={found[1]}" if found[1] else "frames_per_block"),
    (re.compile(r"argument (?=--)"), lambda found: ""),
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
    (re.compile(r"--box(?: (?='|FILE\b|A,B,C\b))?"), lambda found: "box="),
    (re.compile(r"--open ([xyz](?:,[xyz])*)(?!\w)"), lambda found: f'open_axes="{found[1]}"'),
    (re.compile(r"--last (\d+)"), lambda found: f"stop={int(found[1]) + 1}"),
    (re.compile(r"--last I\b"), lambda found: "stop=I+1"),
    (re.compile(r"--last\b"), lambda found: "stop="),
    (re.compile(r"--pairs ([^\s\"()]+-[^\s\"()]+)"), lambda found: f'pairs="{found[1]}"'),
    (re.compile(r"--element (\S+=\.\.\.)"), lambda found: f"elements={_dictionary(found[1])}"),
    (re.compile(r"--charges (\S+=\.\.\.)"), lambda found: f"charges={_dictionary(found[1], '')}"),
    (re.compile(r"--cutoff (\S+=min)\b"), lambda found: f"cutoffs={_dictionary(found[1])}"),
    (re.compile(r"--cutoff (\S+=[\d.]*\d)"), lambda found: f"cutoffs={_dictionary(found[1], '')}"),
    (re.compile(r"--from minima\b"), lambda found: "minima"),
    (re.compile(r"--cutoff min\b"), lambda found: 'cutoffs="min"'),
    (re.compile(r"--with (reference|cpu|gpu)\b"), lambda found: f'method="{found[1]}"'),
    (re.compile(r"--quantity ([a-z0-9-]+)"), lambda found: _METHODS.get(found[1], f'quantity="{found[1]}"')),
    (re.compile(r"--(form) (g|G|GPDF|D|T|RDF|S|i|F)(?![\w-])|--(weights) (number|xray|neutron)\b"
                r"|--(plane) (xy|xz|yz)\b|--(geometry) (slab|cylinder)\b|--(lag-unit) (time|frames)\b"
                r"|--(axis2) (d[xyz](?!\w)|cos\((?:[xyz]|vector [^)]*)\))"),
     lambda found: '{}="{}"'.format(*filter(None, found.groups())).replace("-", "_", "lag-unit" in found.groups())),
    (re.compile(r"--lags (\S+):(?= )"), lambda found: f'lags="{found[1]}":'),
    (re.compile(rf"({_OPTION}) (\"[^\"]*\"|'[^']*'|-?\d\S*?|RESULT\.h5|[A-Z]+)(?=[\s,:;)]|$)"),
     lambda found: f"{_KEYWORDS[found[1]]}={found[2]}"),
    (re.compile(rf"({_OPTION}) ([^\s:;,()]+\.\w+)(?=[\s,:;)]|$)"), lambda found: f'{_KEYWORDS[found[1]]}="{found[2]}"'),
    (re.compile(rf"({_OPTION}) (\S+)(?= (?:is not|is too|does not|exceeds) )"),
     lambda found: f'{_KEYWORDS[found[1]]}="{found[2]}"'),
    (re.compile(rf"({_OPTION}):"), lambda found: f"{_KEYWORDS[found[1]]}:"),
    (re.compile(rf"({_OPTION})(?![\w-])"), lambda found: f"{_KEYWORDS[found[1]]}="),
    (re.compile(r"(open_axes=\S+) (?=geometry=|volume=)"), lambda found: f"{found[1]}, "),
)  # fmt: skip


def in_words_of_python(text: str) -> str:
    """Returns `text` with command-line options replaced by the corresponding keyword arguments."""
    for pattern, words in _BEFORE_COMMANDS:
        text = pattern.sub(words, text)
    parts = _COMMAND.split(text)
    for pattern, words in _WORDS:
        parts[::2] = [pattern.sub(words, part) for part in parts[::2]]
    return "".join(parts)


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
