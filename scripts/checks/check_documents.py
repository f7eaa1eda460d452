#!/usr/bin/env python3
"""Executes the commands of Markdown pages and compares their output with the pages.

    scripts/checks/check_documents.py --program build [PAGE...]
    scripts/checks/check_documents.py --program build --update docs/tutorial/water.md

Default pages: README.md, docs/tutorial/*.md, docs/how-to/*.md. Executed parts of a page:

* Fenced blocks of the language `console`. A line that begins with `$ ` is a command, lines that
  begin with `> ` continue it, all further lines are its output (standard output and error).
  A line `...` stands for any lines, `[...]` within a line for any text. Times, rates and worker
  shares are not compared: see MEASURED. The exit status must be 0.
* Blocks `{code-block}` with the option `:caption: FILE` are written to FILE.
* Pictures `![...](PATH.svg)` are compared, curve by curve, with the file of that name that the
  commands have made.

Each page has a separate folder that contains only the files of SAMPLES. All its commands run in one
Bash, so variables and `cd` persist. Prints a line per page; the last line is `N passed, N failed`.
Exit status: 0 all passed, 1 not, 77 skipped because Python lacks h5py or Matplotlib.
"""

import argparse
import difflib
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from document_figures import compare_figures
from document_pages import Command, File, Page, PageError

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEFAULT_PAGES = ["README.md", "docs/tutorial/*.md", "docs/how-to/*.md"]
SAMPLES = {
    "water.h5": "water.h5",
    "nacl.h5": "nacl-triclinic-npt.h5",
    "spc.xtc": "spc.xtc",
    "spc.tpr": "spc.tpr",
    "nickel.gr": "nickel.gr",
    "peptide.gro": "peptide.gro",
    "peptide.xtc": "peptide.xtc",
    "silica-measured.dat": "silica-measured.dat",
    "silica.lammpstrj.gz": "silica.lammpstrj.gz",
    "water-214.gro": "water-214.gro",
    "water-spce.xtc": "water-spce.xtc",
    "water-tip3p.xtc": "water-tip3p.xtc",
}  # name in the page's folder: name in tests/data
TIME_LIMIT = 300  # seconds, of all commands of a page

# Text that differs between runs and machines, and its replacement.
MEASURED = [
    (re.compile(pattern), replacement)
    for pattern, replacement in [
        (r"\b\d+(\.\d+)? s\b", "# s"),
        (r"\b\d+(\.\d+)? 10\^9 pairs/s", "# 10^9 pairs/s"),
        (r"\bbusy \d+(\.\d+)? %", "busy # %"),
        (r"\b\d+ tasks\b", "# tasks"),
        (r"\bkernel \w+", "kernel #"),
        (r"\bcpu variant: \w+", "cpu variant: #"),
        (r"\(unix time\): \d+", "(unix time): #"),
        (r"\s+$", ""),
    ]
]


def unmeasured(line):
    """Returns the line without parts that differ from run to run."""
    for pattern, replacement in MEASURED:
        line = pattern.sub(replacement, line)
    return line


def line_pattern(line):
    """A regular expression for the lines that an expected line stands for."""
    return r"[^\n]*".join(re.escape(unmeasured(text)) for text in line.split("[...]"))


def matches(expected, actual):
    """Whether the lines `actual` match the lines `expected`."""
    pattern = "".join(r"(?:[^\n]*\n)*?" if line == "..." else line_pattern(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(unmeasured(line) + "\n" for line in actual)) is not None


def updated(expected, actual):
    """Lines for the page: `actual`, shortened by `...` where `expected` is; None if that is unclear."""

    def kept(old, new):  # the page's lines where they fit: no new times for old ones
        return [before if matches([before], [after]) else after for before, after in zip(old, new)]

    gaps = expected.count("...")
    if gaps == 0:
        return kept(expected, actual) + actual[len(expected) :]
    gap = expected.index("...")
    head, tail = expected[:gap], expected[gap + 1 :]
    if gaps > 1 or len(actual) < len(head) + len(tail):
        return None
    return [*kept(head, actual), "...", *kept(tail, actual[len(actual) - len(tail) :])]


def environment(program, home):
    """Variables of the commands: two CPU workers, StarPU's and Matplotlib's files in `home`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("STARPU_", "STARHIST_", "OMP_", "MPL", "PYTHON"))
    }
    (home / "bin").mkdir(parents=True, exist_ok=True)
    python = home / "bin" / "python3"  # the one that runs this script has the modules
    if not python.exists():
        python.symlink_to(sys.executable)
    return dict(
        kept,
        PYTHONPATH=str(program / "python"),
        PATH=f"{program}:{home / 'bin'}:{os.environ['PATH']}",
        HOME=str(home),
        MPLCONFIGDIR=str(home / "matplotlib"),
        MPLBACKEND="Agg",
        LC_ALL="C.UTF-8",
        STARPU_NCPU="2",
        STARPU_NCUDA="0",
        STARPU_WORKERS_NOBIND="1",
    )


def bash_script(page, mark):
    """All actions of the page; a line `MARK NUMBER STATUS` ends each one's output."""
    lines = []
    for number, action in enumerate(page.actions):
        if isinstance(action, File):
            lines += [f"cat > '{action.name}' <<'{mark}'", *action.lines, mark]
        else:
            lines += ["{", *action.words, "} </dev/null"]
        lines.append(f'printf "\\n{mark} {number} $?\\n"')
    return "\n".join(lines) + "\n"


def run_page(page, folder, variables):
    """[(output lines, exit status)] of the page's actions; fewer where one ended the shell."""
    mark = "end-of-command-4a7c"
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        try:
            subprocess.run(
                ["bash", "-c", bash_script(page, mark)],
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=TIME_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            pass  # the command that timed out has no mark
        output.seek(0)
        text = output.read()
    results, start = [], 0
    for found in re.finditer(rf"\n{mark} \d+ (\d+)\n", text):
        lines = text[start : found.start()].split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        results.append((lines, int(found.group(1))))
        start = found.end()
    return results, text[start:].splitlines()


def difference(expected, actual):
    """The differing lines, as `diff -u` shows them."""
    lines = difflib.unified_diff(
        expected,
        [old if unmeasured(old) == unmeasured(new) else new for old, new in zip(expected, actual)]
        + actual[len(expected) :],
        "page",
        "program",
        lineterm="",
    )
    return ["    " + line for line in lines]


def check_commands(page, results, rest, update):
    """Problems of the page's commands, as lines; changes the page when `update`."""
    problems = []
    for number, action in enumerate(page.actions):
        where = f"{page.path}:{action.line}"
        if number >= len(results):
            problems += [
                f"{where}: no command comes after this one, which ends the shell or takes "
                f"more than {TIME_LIMIT} s in all: {action.title}",
                *["    " + line for line in rest[-20:]],
            ]
            break
        actual, status = results[number]
        if status:
            problems += [f"{where}: exit status {status}: {action.title}", *["    " + line for line in actual[-20:]]]
        elif isinstance(action, Command) and not matches(action.expected, actual):
            new = updated(action.expected, actual) if update else None
            if new is None:
                problems += [f"{where}: another output: {action.title}", *difference(action.expected, actual)]
            else:
                action.expected = new
                page.changed = True
    return problems


def check_pictures(page, folder, update):
    """Problems of the page's pictures, as lines; replaces the page's pictures when `update`."""
    problems = []
    for line, path in page.pictures:
        made, shown = folder / path.name, page.path.parent / path
        if not made.exists():
            problems.append(f"{page.path}:{line}: no command makes {path.name}")
            continue
        problem = compare_figures(shown, made)
        if problem and update:
            shown.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(made, shown)
        elif problem:
            problems.append(f"{page.path}:{line}: {path}: {problem}")
    return problems


def needs_module(page):
    """Whether a file of the page imports the module for Python."""
    return any(isinstance(action, File) and "import starhist" in action.lines for action in page.actions)


def simulates(page):
    """Whether a command of the page is `starhist simulate`."""
    return any(
        isinstance(action, Command) and any("starhist simulate" in word for word in action.words)
        for action in page.actions
    )


def can_simulate(program):
    """Whether starhist finds starhist-simulate: in its folder, or in the build folder of the preset simgrid."""
    return any((folder / "starhist-simulate").exists() for folder in (program, program.parent / "build-simgrid"))


def check_page(path, program, data, home, update):
    """Returns (problems, summary) of one page; None if it has no commands."""
    page = Page(path)
    if not page.actions:
        return None
    if needs_module(page) and not list((program / "python/starhist").glob("_core*.so")):
        print(f"left out: {path}: the module for Python is not built (scripts/setup/build_python.sh)")
        return None
    if simulates(page) and not can_simulate(program):
        print(f"left out: {path}: starhist-simulate is not built (scripts/setup/build.sh simgrid)")
        return None
    with tempfile.TemporaryDirectory(prefix="starhist-page-") as name:
        folder = pathlib.Path(name)
        for sample, source in SAMPLES.items():
            if (data / source).exists():
                shutil.copyfile(data / source, folder / sample)
        results, rest = run_page(page, folder, environment(program, home))
        problems = check_commands(page, results, rest, update)
        problems += check_pictures(page, folder, update)
    if page.changed:
        page.save()
    commands = sum(isinstance(action, Command) for action in page.actions)
    return problems, f"{commands} commands, {len(page.pictures)} pictures"


def pages_to_check(given):
    if given:
        return given
    return [pathlib.Path(os.path.relpath(path)) for pattern in DEFAULT_PAGES for path in sorted(ROOT.glob(pattern))]


def make_parser(description, files, program, update):
    """Returns the parser of a check of documents. files: their destination; program, update: help of these options."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(files, nargs="*", type=pathlib.Path, metavar=files.removesuffix("s").upper())
    parser.add_argument("--program", type=pathlib.Path, required=True, metavar="FOLDER", help=program)
    parser.add_argument(
        "--data",
        type=pathlib.Path,
        default=ROOT / "tests" / "data",
        metavar="FOLDER",
        help="where the samples are (default: tests/data)",
    )
    parser.add_argument("--update", action="store_true", help=update)
    return parser


def check_all(paths, check, options):
    """Checks documents one by one and prints the outcomes; 1 if one fails. check: like check_page()."""
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="starhist-home-") as home:
        for path in paths:
            start = time.monotonic()
            try:
                outcome = check(path, options.program.resolve(), options.data, pathlib.Path(home), options.update)
            except PageError as error:
                outcome = [str(error)], "cannot be read"
            if outcome is None:
                continue
            problems, summary = outcome
            print(
                "\n".join(
                    problems
                    + [f"{'FAILED' if problems else 'passed'}: {path}: {summary}, {time.monotonic() - start:.1f} s"]
                ),
                flush=True,
            )
            passed, failed = passed + (not problems), failed + bool(problems)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = make_parser(
        __doc__, "pages", "folder that holds starhist", "write the program's output and pictures into the pages"
    )
    options = parser.parse_args()
    if not os.access(options.program / "starhist", os.X_OK):
        parser.error(f"no program starhist in {options.program}")
    return check_all(pages_to_check(options.pages), check_page, options)


if __name__ == "__main__":
    for module in ("h5py", "matplotlib"):  # the commands of the pages need both
        if importlib.util.find_spec(module) is None:
            print(f"SKIPPED: no module {module}")
            sys.exit(77)
    sys.exit(main())
