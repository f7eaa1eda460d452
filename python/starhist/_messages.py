"""Sentences of libstarhist and of the program, in the words of Python.

Both name options of the command line. Keyword arguments have other names, and `stop` is one more
than --last. Options that no keyword argument stands for stay as they are: they go to options=.
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
    "--pairs": "pairs",
    "--species": "species",
    "--normalization": "normalization",
}
_OPTION = "|".join(_KEYWORDS)

_WORDS = (
    (re.compile(r"--force\b"), lambda found: "overwrite=True"),
    (re.compile(r"--box none\b"), lambda found: 'box="none"'),
    (re.compile(r"--box a,b,c\b"), lambda found: "box=[a, b, c]"),
    (re.compile(r"--box\b"), lambda found: "box="),
    (re.compile(r"--last (\d+)"), lambda found: f"stop={int(found[1]) + 1}"),
    (re.compile(r"--last\b"), lambda found: "stop="),
    (re.compile(r"--pairs ([^\s\"()]+-[^\s\"()]+)"), lambda found: f'pairs="{found[1]}"'),
    (re.compile(rf"({_OPTION}) (\"[^\"]*\"|'[^']*'|-?\d\S*?)(?=[\s,:;)]|$)"),
     lambda found: f"{_KEYWORDS[found[1]]}={found[2]}"),
    (re.compile(rf"({_OPTION}):"), lambda found: f"{_KEYWORDS[found[1]]}:"),
    (re.compile(rf"({_OPTION})(?![\w-])"), lambda found: f"{_KEYWORDS[found[1]]}="),
)  # fmt: skip


def in_words_of_python(text: str) -> str:
    """`text` with keyword arguments in place of the options of the command line that they are."""
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    return text


@contextlib.contextmanager
def passed_on() -> Iterator[None]:
    """Has exceptions of the extension say their sentences in the words of Python."""
    try:
        yield
    except (ValueError, MemoryError, RuntimeError) as error:
        text = in_words_of_python(str(error))
        if text == str(error):
            raise
        raise type(error)(text) from None
