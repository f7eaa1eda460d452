#!/usr/bin/env python3
"""Writes the manual pages starhist.1 and starhist-COMMAND.1 with help2man, from the output of `starhist help`.

    scripts/cmake/write_man_pages.py PROGRAM FOLDER [--help2man FILE] [--mpi FILE]

help2man writes the synopsis, the text and the options of a page. Lists of words and examples are passed as verbatim
blocks, to keep their lines. Commands whose help is not available (scripts without python3; starhist-mpi, --mpi, if
MPI does not start) have no page.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Titles in the help -> sections that manual pages have; all others become parts of NOTES.
SECTIONS = {
    "example": "EXAMPLES",
    "examples": "EXAMPLES",
    "start with": "EXAMPLES",
    "exit codes": "EXIT STATUS",
    "environment": "ENVIRONMENT",
}
LISTS = {"commands": "Commands", "positional arguments": "Arguments"}  # help2man makes lists of these


def output_of(program, *words):
    """Returns the output of the program, or None if it fails."""
    run = subprocess.run(
        [program, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "100", "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return run.stdout if run.returncode == 0 else None


def commands_of(main_help):
    """[(name, summary)] from the list of commands."""
    listed = main_help.split("\ncommands:\n", 1)[1].split("\n\n", 1)[0]
    return [tuple(re.split(r" {2,}", line.strip(), maxsplit=1)) for line in listed.split("\n")]


def verbatim(lines):
    """Lines in roff that are not filled."""
    text = "\n".join(lines).replace("\\", "\\e").replace("-", "\\-")
    return ".nf\n" + re.sub(r"^(?=[.'])", r"\\&", text, flags=re.M) + "\n.fi\n"


def titled(block):
    """(title, indented lines) of a block like "examples:\\n  starhist ...", or None."""
    lines = block.split("\n")
    if len(lines) > 1 and not lines[0].startswith(" ") and all(line.startswith(" ") for line in lines[1:]):
        return lines[0].removesuffix(":"), lines[1:]
    return None


def for_help2man(text):
    """Returns the help in help2man's form, and {section: roff} of the parts that help2man would reflow."""
    blocks, sections = [], {}
    for block in filter(None, re.sub(r"\n{2,}", "\n\n", text).strip().split("\n\n")):
        part = titled(block)
        if block.startswith("usage:"):
            blocks.append("Usage:" + " ".join(["", *block.removeprefix("usage:").split()]))
        elif block.startswith("  -"):
            blocks += ["Options:", block]
        elif part and part[1][0].startswith("  -"):
            if "Options:" not in blocks:
                blocks.append("Options:")
            blocks.append("\n".join(part[1]) if part[0] == "options" else block)
        elif part and part[0] in LISTS:
            blocks += [f"*{LISTS[part[0]]}*", "\n".join(part[1])]
        elif part:
            title, lines = part
            name = SECTIONS.get(title, "NOTES")
            heading = '.SS "' + title.replace('"', "\\(dq") + '"\n' if name == "NOTES" else ""
            sections[name] = sections.get(name, "") + heading + verbatim(lines)
        elif block.startswith(" "):
            blocks.append("\n".join(f"  $ {line.strip()}" for line in block.split("\n")))
        else:
            blocks.append(block)
    text = "\n\n".join(blocks) + "\n"
    return re.sub(r"^  -(\w) \[ --([\w-]+) \]", r"  -\1, --\2", text, flags=re.M), sections


def write_page(help2man, page, name, summary, text, version, see_also):
    """`name`.1 in the folder of `page`: help2man asks a program for its help, so it gets one that prints it."""
    text, sections = for_help2man(text)
    sections["SEE ALSO"] = ",\n".join(f".BR {other} (1)" for other in see_also) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / name
        program.write_text(f"#!/bin/sh\ncat '{folder}/'$1\n", encoding="utf-8")
        program.chmod(0o755)
        (program.parent / "--help").write_text(text, encoding="utf-8")
        (program.parent / "--version").write_text(f"{name} (starhist) {version}\n", encoding="utf-8")
        include = program.parent / "include"
        include.write_text("".join(f"[{title}]\n{roff}\n" for title, roff in sections.items()), encoding="utf-8")
        subprocess.run(
            [
                help2man,
                "--no-info",
                "--section=1",
                "--manual=starhist",
                f"--name={summary}",
                f"--include={include}",
                f"--output={page}",
                str(program),
            ],
            check=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--help2man", default="help2man", metavar="FILE")
    parser.add_argument("--mpi", metavar="FILE", help="the program starhist-mpi")
    options = parser.parse_args()
    main_help = output_of(options.program, "help")
    version = output_of(options.program, "version").split()[1]
    options.folder.mkdir(parents=True, exist_ok=True)
    for page in options.folder.glob("starhist*.1"):
        page.unlink()
    pages = {"starhist": ("exact pair-distance histograms and radial distribution functions", main_help)}
    for command, summary in commands_of(main_help):
        text = output_of(options.program, "help", command)
        if text is None:
            print(f"no manual page of starhist {command}: its help cannot be had", file=sys.stderr)
        else:
            pages[f"starhist-{command}"] = (summary, text)
    if options.mpi:
        text = output_of(options.mpi, "--help")
        if text is None:
            print("no manual page of starhist-mpi: its help cannot be had", file=sys.stderr)
        else:
            pages["starhist-mpi"] = ("distances in trajectories, counted on all ranks of an MPI job", text)
    for name, (summary, text) in pages.items():
        others = [other for other in pages if other != name] if name == "starhist" else ["starhist"]
        if name == "starhist-mpi":
            others += [page for page in ("starhist-rdf", "starhist-vanhove", "starhist-coordination") if page in pages]
        write_page(options.help2man, options.folder / f"{name}.1", name, summary, text, version, others)


if __name__ == "__main__":
    main()
