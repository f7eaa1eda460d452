#!/usr/bin/env python3
"""Counts the patterns of docs/developer/commits.md that make our English hard to read. The counts may
only fall: prose_counts.json holds the largest that are allowed.

    scripts/checks/check_prose.py [ROOT]           exit status 1 if a count has risen
    scripts/checks/check_prose.py [ROOT] --update  lower the allowed counts to those of now
    scripts/checks/check_prose.py [ROOT] --list documents|strings|comments|tests [--in PATH]

A pattern is coarse: plain uses of its words are counted, too, and may stay.
"""

import argparse
import collections
import io
import json
import pathlib
import re
import sys
import tokenize

ROOT = pathlib.Path(__file__).parents[2]
ALLOWED = pathlib.Path("scripts/checks/prose_counts.json")

# Rule of commits.md -> its pattern.
PATTERNS = {
    "P1 say, tell": r"\b(say|says|said|saying|tell|tells|told|telling)\b",
    "P2 what": r"\bwhat\b",
    "P4 that of": r"\b(that|those|these) of\b|\bof (its|their|his) own\b|\bof (theirs|ours)\b",
    "P5 none": r"\b(is|are|was|were|be) no\b|\b(?-i:none)\b|\b(nobody|nothing)\b",
    "P6 beside": r"\b(besides?|alone|else|for ever|but for|by (itself|themselves)|so (many|much|long|far) (as|of)?)\b",
    "P8 go on": r"\b(go|goes|going|went|gone) on\b|\bput together\b|\bmend(s|ed|ing)?\b"
    r"|\b(win|wins|won)\b|\b(bring|brings|brought)\b|\bcomes? to an end\b",
}
# A comment that begins with a fragment.
FRAGMENT = re.compile(r"^(Of|By|The same|So many|So much|As|And|With|Without|For|Where|Which|But|Also|Or|That|Those)\b")

CODE = {".hh", ".cc", ".cu", ".cuh"}
CODE_FOLDERS = ["codelets", "driver", "io", "perfmodels", "python", "scripts", "tasks", "tests"]
SKIPPED = {
    "scripts/checks/check_prose.py",
    "scripts/checks/check_words.py",
    "docs/developer/commits.md",
    "docs/developer/glossary.md",
}
CXX_TOKEN = re.compile(
    r'//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|R"(?P<mark>[^(\s]*)\((?P<raw>.*?)\)(?P=mark)"'
    r'|"(?P<string>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'',
    re.DOTALL,
)
TEST_NAME = re.compile(r"TEST_CASE(?:_METHOD)?\s*\([^\"]*$|SECTION\s*\(\s*$")


def prose_of_cxx(text):
    """Yields (kind, line, words) of each comment and string of C++."""
    for token in CXX_TOKEN.finditer(text):
        line = text.count("\n", 0, token.start()) + 1
        comment = token["line"] if token["line"] is not None else token["block"]
        if comment is not None:
            yield "comments", line, comment.strip("/*!<- \n")
        words = token["string"] or token["raw"]
        if words:
            begin = text[max(0, token.start() - 60) : token.start()]
            yield "tests" if TEST_NAME.search(begin) else "strings", line, words


def prose_of_python(text):
    """Yields the comments and strings of Python; docstrings count as strings."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield "comments", token.start[0], token.string.lstrip("# !")
            elif token.type == tokenize.STRING or tokenize.tok_name[token.type] == "FSTRING_MIDDLE":
                yield "strings", token.start[0], token.string
    except tokenize.TokenError:
        return


def prose_of_shell(text):
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#"):
            yield "comments", number, line.lstrip("# !")


def prose_of_markdown(text):
    """Yields the lines of a document without code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield "documents", number, re.sub(r"`[^`]*`", "`code`", line)


def prose_of(root):
    """Yields (file, kind, line, words) of all comments, strings and documents below `root`."""
    files = [path for folder in CODE_FOLDERS + ["docs", "packaging", ".ci"] for path in (root / folder).rglob("*")]
    for path in sorted(files + list(root.glob("*.md"))):
        name = path.relative_to(root).as_posix()
        if not path.is_file() or name in SKIPPED or "/data/" in name:
            continue
        reader = (
            prose_of_cxx
            if path.suffix in CODE
            else prose_of_python
            if path.suffix == ".py"
            else prose_of_markdown
            if path.suffix == ".md"
            else prose_of_shell
            if path.suffix == ".sh"
            else None
        )
        if reader is None:
            continue
        for kind, line, words in reader(path.read_text("utf-8")):
            # Words of options ("none") and strings of tests are no sentences.
            if kind == "strings" and (name.startswith("tests/") or " " not in words):
                continue
            yield name, kind, line, words


def found_in(kind, words):
    """Yields (rule, matched text) of each pattern in `words`."""
    for rule, pattern in PATTERNS.items():
        for match in re.finditer(pattern, words, re.IGNORECASE):
            yield rule, match[0]
    if kind == "comments" and (match := FRAGMENT.match(words)):
        yield "P7 fragment", match[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=ROOT)
    parser.add_argument("--update", action="store_true", help="lower the allowed counts to those of now")
    parser.add_argument("--list", metavar="KIND", help="print the places of documents, strings, comments or tests")
    parser.add_argument("--in", dest="within", default="", metavar="PATH", help="only files whose path begins so")
    asked = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    for name, kind, line, words in prose_of(asked.root):
        for rule, text in found_in(kind, words):
            counts[kind][rule] += 1
            if asked.list == kind and name.startswith(asked.within):
                print(f"{name}:{line}: {rule.split()[0]} '{text}': {' '.join(words.split())[:160]}")
    if asked.list:
        return 0
    path = asked.root / ALLOWED
    allowed = json.loads(path.read_text()) if path.exists() else {}
    risen = 0
    for kind in sorted(counts):
        for rule in sorted(counts[kind]):
            count, limit = counts[kind][rule], allowed.get(kind, {}).get(rule)
            print(f"{kind:10} {rule:12} {count:5}" + (f"  (allowed: {limit})" if limit is not None else ""))
            risen += limit is not None and count > limit
        print(f"{kind:10} {'all':12} {sum(counts[kind].values()):5}")
    if asked.update:
        path.write_text(
            json.dumps(
                {
                    kind: {
                        rule: min(count, allowed.get(kind, {}).get(rule, count))
                        for rule, count in sorted(rules.items())
                    }
                    for kind, rules in sorted(counts.items())
                },
                indent=1,
            )
            + "\n"
        )
    print(
        f"{risen} counts have risen"
        + (" (rewrite the sentences: docs/developer/commits.md; --list shows them)" if risen else "")
    )
    return 1 if risen else 0


if __name__ == "__main__":
    sys.exit(main())
