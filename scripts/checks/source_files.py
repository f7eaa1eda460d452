"""Which source files a check is asked for, all or those that changed, and how each is compiled:
see check_headers.py and check_tidy.py."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("codelets", "perfmodels", "tasks", "io", "driver", "tests")
# compiled by nvcc; their includes exist only in a build for GPUs
OF_CUDA = ("codelets/kernels/cuda/", "tests/cuda/", "tests/capi_cuda/")
# Commits that are looked at where the branch is the origin's own.
COMMITS = 10
# Result of a check that was not begun.
LATE = object()


class CheckError(Exception):
    """The check cannot be made."""


def git(root, *arguments):
    """Returns the output of git without the last newline; None if it fails."""
    done = subprocess.run(["git", *arguments], cwd=root, check=False, text=True, capture_output=True)
    return done.stdout.rstrip("\n") if done.returncode == 0 else None


def base_of_changes(root):
    """The commit since which files count as changed: on a branch, where it left the origin's main
    branch; on the main branch itself, COMMITS commits or merges ago or the last tag, whichever is
    later. None where the history does not reach back so far."""
    head = git(root, "rev-parse", "HEAD")
    for main in ("origin/HEAD", "origin/main", "origin/master"):
        left = git(root, "merge-base", "HEAD", main)
        if left and left != head:
            return left
    line = git(root, "rev-list", "--first-parent", f"--max-count={COMMITS + 1}", "HEAD") or ""
    line = line.split()
    tag = git(root, "describe", "--tags", "--abbrev=0", "HEAD^")
    tagged = git(root, "rev-list", "-n", "1", tag) if tag else None
    if tagged in line:
        return tagged
    return line[-1] if len(line) > COMMITS else None


def changed_files(root, base):
    """Paths of files that differ from the commit `base`, committed or not, and that are there."""
    names = [
        git(root, "diff", "--name-only", "--diff-filter=d", base),
        git(root, "ls-files", "--others", "--exclude-standard"),
    ]
    if None in names:
        raise CheckError(f"git knows no commit '{base}': give one with --since, or --all")
    return {name for text in names for name in text.splitlines()}


def source_files(root, suffixes, base=None, folders=FOLDERS):
    """Paths of our source files, sorted; those that changed since `base` where it is given."""
    changed = changed_files(root, base) if base else None
    found = (
        file.relative_to(root).as_posix()
        for folder in folders
        for file in (root / folder).rglob("*")
        if file.suffix in suffixes
    )
    return sorted(path for path in found if changed is None or path in changed)


def latest_first(root, paths):
    """The paths, those that were committed last first; others that are not committed before."""

    def age(path):
        when = git(root, "log", "-1", "--format=%ct", "--", path)
        return -int(when) if when else float("-inf")

    return sorted(paths, key=lambda path: (age(path), path))


class CompileCommands:
    """The commands of a build folder's compile_commands.json."""

    def __init__(self, root, build):
        path = build / "compile_commands.json"
        if not path.is_file():
            raise CheckError(f"there is no {path} (configure first: cmake --preset default)")
        self.root = root
        self.commands = {}  # path of a .cc file below root -> (compiler, flags)
        for entry in json.loads(path.read_text("utf-8")):
            parts = self._parts(entry)
            for file in self._sources(pathlib.Path(entry["file"])):
                if file.suffix == ".cc" and root in file.parents:
                    self.commands[file.relative_to(root).as_posix()] = parts

    @staticmethod
    def _sources(file):
        """The sources compiled together in this file (STARHIST_UNITY), or the file itself."""
        if file.parent.name != "Unity":
            return [file]
        return [pathlib.Path(path) for path in re.findall(r'#include "([^"]*)"', file.read_text("utf-8"))]

    @staticmethod
    def _parts(entry):
        words = entry.get("arguments") or shlex.split(entry["command"])
        if "ccache" in pathlib.Path(words[0]).name:
            words = words[1:]
        flags, rest = [], iter(words[1:])
        for word in rest:
            if word in ("-o", "-include", "-MF", "-MT", "-MQ"):  # -include: precompiled headers
                next(rest)
            elif word in ("-isystem", "-I", "-D"):
                flags += [word, next(rest)]
            elif word.startswith("-") and word not in ("-c", "-MD", "-MMD", "-Winvalid-pch"):
                flags.append(word)
        return words[0], flags

    def of(self, path):
        """Returns (compiler, flags) of a file; for a header, the flags of the nearest source file: with the same
        name, in the same folder, or in the next folder above. None for a source file that the build does not
        compile."""
        if path.endswith(".cc"):
            return self.commands.get(path)

        def nearness(other):
            return (
                path.rsplit(".", 1)[0] == other.rsplit(".", 1)[0],
                len(os.path.commonpath([path, other])),
                -other.count("/"),
                other,
            )

        return self.commands[max(self.commands, key=nearness)]


def check_files(description, suffixes, check, folders=FOLDERS, arguments=None):
    """Main function of checks of single files. check(commands, path) returns the problems of a file as text, "" if
    there are none, None if this build does not compile it."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=pathlib.Path, help="build folder (default: build)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="all files (default)")
    which.add_argument(
        "--changed", action="store_true", help="those that changed on this branch, or lately on the main branch"
    )
    which.add_argument("--since", metavar="COMMIT", help="those that differ from COMMIT")
    parser.add_argument(
        "--minutes", type=float, metavar="M", help="begin no file after so long; files committed last come first"
    )
    parser.add_argument("paths", nargs="*", metavar="FILE", help="these, as written from the root")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    try:
        base = options.since or (base_of_changes(root) if options.changed else None)
        if options.changed and base is None:
            print("the history does not show the changes: checking all files")
        paths = options.paths or source_files(root, suffixes, base, folders)
        commands = CompileCommands(root, (options.build or root / "build").resolve())
    except CheckError as error:
        print(f"error: {error}")
        return 1
    if options.minutes is not None:
        paths = latest_first(root, paths)
    since = f", changed since {git(root, 'rev-parse', '--short', base)}" if base else ""
    return _report(commands, paths, check, since, options.minutes)


def _report(commands, paths, check, since, minutes=None):
    wrong = left_out = late = 0
    end = time.monotonic() + 60 * minutes if minutes is not None else float("inf")

    def check_in_time(path):
        return check(commands, path) if time.monotonic() < end else LATE

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        ours = [path for path in paths if not path.startswith(OF_CUDA)]
        for path, problem in zip(ours, threads.map(check_in_time, ours)):
            if problem is LATE:
                late += 1
            elif problem is None:
                left_out += 1
            elif problem:
                wrong += 1
                print(f"{path}:\n{problem.rstrip()}\n", flush=True)
    left_out += len(paths) - len(ours)
    if late:
        print(f"{late} files were left for want of time (--all or --changed checks them)")
    print(
        f"{len(paths) - left_out - late} files checked{since}, {wrong} to fix; "
        f"{left_out} that this build does not compile"
    )
    return 1 if wrong else 0
