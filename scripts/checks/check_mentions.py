#!/usr/bin/env python3
"""Checks that files and names of the code which documents mention in `backticks` exist.

    check_mentions.py [FILE...]    default: all READMEs and all pages of docs/

A path with a folder or a source suffix is looked for from the root and from the page's own
folder; `a/{b,c}.hh` are two, `*` stands for any part of a name. In READMEs and in
docs/developer, a name in CamelCase, snake_case or with parentheses or `::` must stand in some
source or be a file name without its suffix. Fenced blocks are skipped.
"""

import argparse
import fnmatch
import itertools
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {".cc", ".hh", ".cu", ".cuh", ".py", ".sh", ".cmake"}
SUFFIXES = SOURCES | {".md", ".in"}
# Names of others, and of files that a reader is to write.
FOREIGN = re.compile(
    r"^(std|Catch|H5|HDF5|cuda|StarPU|MDAnalysis|GROMACS|OpenMP|CMake|NumPy|"
    r"GitHub|MyST|PyPI|JSON|CADISHI|LAMMPS|CapWords|snake_case|mean_force)"
    r"|NAME|dcd|mean_force|PATH|FILE|OUT|DIR\b"
)


def files_of_the_tree():
    """Without build folders and hidden ones; without git, which need not be there."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith((".", "build", "__"))]
        found += [str((pathlib.Path(folder) / name).relative_to(ROOT)) for name in files]
    return sorted(found)


def braces(text):
    """a{b,c}d -> abd, acd"""
    found = re.search(r"\{([^{}]*)\}", text)
    if not found:
        return [text]
    return list(
        itertools.chain.from_iterable(
            braces(text[: found.start()] + part.strip() + text[found.end() :]) for part in found.group(1).split(",")
        )
    )


def is_path(text):
    if re.search(r"[ <>$=()]", text) or text.startswith(("-", "~", "/", "http", "build", ".inl")):
        return False
    suffix = pathlib.PurePath(text).suffix
    return suffix in SUFFIXES or (text.endswith("/") and text.count("/") >= 1)


class Tree:
    def __init__(self):
        files = files_of_the_tree()
        folders = {str(parent) for file in files for parent in pathlib.PurePath(file).parents}
        self.names = set(files) | folders
        self.words = {pathlib.PurePath(file).name.split(".")[0] for file in files}
        for file in files:
            if pathlib.PurePath(file).suffix in SOURCES:
                text = (ROOT / file).read_text(errors="replace")
                self.words.update(re.findall(r"\w+", text))

    def has_path(self, text, page):
        text = text.rstrip("/")
        starts = ["", *(f"{parent}/" for parent in page.parents)]
        for start in starts:
            pattern = re.sub(
                r"[^/]+/\.\./", "", (start + text).replace("./", "", 1) if text.startswith("./") else start + text
            )
            if pattern in self.names or fnmatch.filter(self.names, pattern):
                return True
        # A bare name of a file is one that the text has placed before.
        return "/" not in text and bool(fnmatch.filter(self.names, "*/" + text))

    def has_name(self, text):
        return all(word in self.words for word in re.findall(r"\w+", text))


def is_name(text):
    if not re.fullmatch(r"[A-Za-z_]\w*(::~?\w+)*(\(\))?", text):
        return False
    return (
        "::" in text
        or text.endswith("()")
        or bool(re.match(r"[A-Z][a-z0-9]+[A-Z]\w*$", text))
        or bool(re.match(r"[a-z][a-z0-9]*(_[a-z0-9]+)+$", text))
    )


def is_stem(text):
    """../cpu/cluster_search: a header and its source"""
    return bool(re.fullmatch(r"(\.\./)*([a-z0-9_]+/)+[a-z0-9]+(_[a-z0-9]+)+", text))


def missing(page, tree):
    of_the_code = page.name == "README.md" or "developer" in page.parts
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m.group(0).count("\n"), (ROOT / page).read_text(), flags=re.S | re.M)
    for number, line in enumerate(text.splitlines(), 1):
        for mention in re.findall(r"`([^`]+)`", line):
            if FOREIGN.search(mention):
                continue
            if is_path(mention):
                for path in braces(mention):
                    ours = of_the_code or path.split("/")[0] in tree.names
                    if ours and not tree.has_path(path, page):
                        yield f"{page}:{number}: there is no {path}"
            elif of_the_code and is_stem(mention):
                if not any(tree.has_path(mention + end, page) for end in ("", ".*")):
                    yield f"{page}:{number}: there is no {mention}.*"
            elif of_the_code and is_name(mention) and not tree.has_name(mention):
                yield f"{page}:{number}: no source has the name {mention}"


def main():
    tree = Tree()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=pathlib.PurePath)
    pages = parser.parse_args().pages or [
        pathlib.PurePath(name) for name in files_of_the_tree() if name.endswith(".md") and name != "CHANGELOG.md"
    ]
    found = [line for page in pages for line in missing(page, tree)]
    print("\n".join(found), file=sys.stderr)
    print(f"{len(pages)} pages, {len(found)} mentions of missing files or names")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
