#!/usr/bin/env python3
"""Checks that includes point downwards, room by room, that third-party headers stay in their layers,
that the layers of the library do not change the calling process, that no folder has more than
MOST_FILES source files, and that source files have different names. A room is a folder in the table
of docs/developer/house.md, which lists the rooms that it may include. Some rooms must not include a third party even
indirectly (OUT_OF_REACH).

    scripts/checks/check_layers.py [ROOT]        prints offending lines, exit status 1 if any

   driver/mpi                                           MPI only here, over driver/ranks
              |
   driver/commands -> driver/options, driver/report     Boost.Program_options and yaml-cpp
              \\          |             only in driver/options/
             driver/run         driver/capi     the C library, without io/
              /       \\
          tasks/       io/            HDF5 and lzf only in io/, JSON only there and in
            |           |             driver/report/, libgromacs only in
            |           |             io/formats/gromacs/process/
        codelets/       |             StarPU only in codelets/*, perfmodels/, tasks/
         /     \\       |
  perfmodels/  codelets/kernels/      OpenMP only in codelets/kernels/cpu/ and tasks/
         \\       |      /
          codelets/core/
"""

import argparse
import collections
import pathlib
import re
import sys

CORE = "codelets/core/"
KERNELS = "codelets/kernels/"
GROMACS = "io/formats/gromacs/"
INSPECTION = "io/hdf5/inspection/"
# Page with the tables of rooms and of groups of rooms.
HOUSE = "docs/developer/house.md"
ANY_FORMAT = "io/formats/*"
LAYERS = [CORE, KERNELS, "codelets/", "perfmodels/", "tasks/", "io/", "driver/", "python/", "tests/"]
OPENMP_PLACES = [KERNELS + "cpu/", "tasks/", "tests/"]
# Who it is, the headers by which it is known, where they may appear.
THIRD_PARTIES = [
    ("HDF5", r"(hdf5|hdf5_hl|H5\w*)\.h$", ["io/", "tests/"]),
    ("zlib", r"zlib\.h$", ["io/", "tests/"]),
    ("libdeflate", r"libdeflate\.h$", ["io/hdf5/rows/"]),
    ("gemmi", r"gemmi/|tao/", ["io/formats/mmcif/"]),
    ("lzf", r"lzf\.h$", ["io/", "tests/"]),
    ("nlohmann/json", r"nlohmann/", ["io/", "driver/report/", "driver/reference.cc", "tests/"]),
    ("Boost.Sort", r"boost/sort/", [KERNELS + "clusters/"]),
    ("Boost.Program_options", r"boost/(?!sort/)", ["driver/options/"]),
    ("yaml-cpp", r"yaml-cpp/", ["driver/options/"]),
    ("StarPU", r"starpu\w*\.h$", ["codelets/", "perfmodels/", "tasks/", "tests/"]),
    ("MPI", r"mpi\.h$", ["driver/mpi/", "tests/"]),
    ("OpenMP", r"omp\.h$", OPENMP_PLACES),
    ("GROMACS", r"gromacs/", [GROMACS + "process/"]),
    ("nanobind", r"nanobind/|Python\.h$", ["python/"]),
    ("Catch2", r"catch2/", ["tests/"]),
]
# Rooms that no third party may reach, through whatever headers: room -> who.
OUT_OF_REACH = {
    "tasks/planning/": "StarPU",  # plans are made without devices
    "tasks/cutting/": "StarPU",
}
# The layers that programs link as a library.
LIBRARY = [
    "codelets/",
    "perfmodels/",
    "tasks/",
    "io/",
    "driver/lags/",
    "driver/axes/",
    "driver/run/",
    "driver/coordination/",
    "driver/capi/",
]
# Actions that the library leaves to the program, and the calls that perform them.
PROCESS_CALLS = [
    (
        "printing",
        r"(?<!\w)(std::)?(cout|cerr|clog|stdout|stderr)\b"
        r"|(?<![\w.>])(std::|::)?(v?printf|puts|putchar|perror)\s*\(",
    ),
    ("the environment", r"(?<![\w.>])(std::|::)?(setenv|unsetenv|putenv|clearenv)\s*\("),
    (
        "the end of the process",
        r"(?<![\w.>])(std::|::)?(_?exit|_Exit|quick_exit|atexit|abort"
        r"|terminate)\s*\(",
    ),
    (
        "signal handlers",
        r"(?<![\w.>])(std::|::)?(signal|sigaction|sigprocmask|pthread_sigmask"
        r"|raise)\s*\(",
    ),
]
# Folders and files of the library's layers to which that does not apply -> reason.
OWN_PROCESS = {
    CORE + "base/contract.cc": "a broken contract aborts, in builds with contracts",
    GROMACS + "process/": "the program starhist-gromacs, which the library starts",
    INSPECTION + "process/": "the program starhist-inspect, which the library starts",
    "driver/capi/examples/": "programs of users",
}
SOURCE_SUFFIXES = {".hh", ".cc", ".cu", ".cuh", ".h", ".hpp", ".cpp"}
# Source files of a folder that a reader can still take in; those of tests mirror the tree.
MOST_FILES = 30

# Names that several files outside tests/ may have.
REPEATED_NAMES = {"main.cc", "__init__.py"}

LITERAL = re.compile(r'"(?:\\.|[^"\\])*"')
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
OPENMP_PRAGMA = re.compile(r'\s*#\s*pragma\s+omp\b|.*\b_Pragma\s*\(\s*"\s*omp\b')


def layer_of(path):
    return next((layer for layer in LAYERS if path.startswith(layer)), None)


def rooms_of(page):
    """Returns {room: rooms that it may include} of the tables in HOUSE. An entry "tasks/" is that room, and "tasks/*"
    also all rooms below it."""
    groups, rooms = {}, {}
    for group, room, cell in re.findall(r"^\| (?:\*(\w+)\*|`([^`]+)` \| [^|]*) \| ([^|]*) \|$", page, re.MULTILINE):
        entries = []
        for of_group, name in re.findall(r"\*(\w+)\*|`([^`]+)`", cell):
            entries += groups[of_group] if of_group else [entry_of(name)]
        if group:
            groups[group] = entries
        else:
            rooms[entry_of(room)] = entries
    return rooms


def entry_of(name):
    """ "codelets/kernels/cpu/" of the name ".../cpu"."""
    full = name.replace(".../", KERNELS)
    return full if full.endswith("*") else full + "/"


ROOMS = rooms_of((pathlib.Path(__file__).parents[2] / HOUSE).read_text())


def room_of(path):
    """Returns the room of a file, or None if its folder is not a room."""
    folder = path[: path.rfind("/") + 1]
    if folder.startswith("tests/"):
        return "tests/"
    return folder if folder in ROOMS or re.fullmatch(r"io/formats/\w+/", folder) else None


def may_include(room, other):
    """Whether files of `room` may include files of `other`. Most formats share the row ANY_FORMAT."""
    return room == other or any(
        entry == other or (entry.endswith("*") and other.startswith(entry[:-1]))
        for entry in ROOMS.get(room, ROOMS[ANY_FORMAT])
    )


def third_party_problem(path, name, allowed):
    """`allowed` entries are layers, or folders within one ("codelets/kernels/cpu/")."""
    if layer_of(path) in allowed or any(path.startswith(folder) for folder in allowed if folder not in LAYERS):
        return None
    return f"{name} belongs in {', '.join(allowed)} only"


def include_problem(root, path, quote, target):
    if layer_of(target):
        if quote == "<":
            return "our own headers are included with quotes"
        if not (root / target).is_file():
            return "file not found"
        if room_of(path) is None or room_of(target) is None:
            return f"folder is not a room (see {HOUSE})"
        if not may_include(room_of(path), room_of(target)):
            return f"{room_of(path)} may not include {room_of(target)}"
        return None
    if quote == '"':
        return "includes are written from the root, third-party headers in <>"
    for name, pattern, allowed in THIRD_PARTIES:
        if re.match(pattern, target):
            return third_party_problem(path, name, allowed)
    return None


def in_library(path):
    return path.startswith(tuple(LIBRARY)) and not path.startswith(tuple(OWN_PROCESS))


def process_problem(line):
    """Returns `line` without comments and without the contents of quotes."""
    code = LITERAL.sub('""', line).split("//")[0]
    for name, pattern in PROCESS_CALLS:
        if re.search(pattern, code):
            return f"{name} is the program's business, not the library's"
    return None


def line_problem(root, path, line):
    include = INCLUDE.match(line)
    if include:
        if include.group(2) == "iostream" and in_library(path):
            return "printing is the program's business: <istream> and <ostream> have the types"
        return include_problem(root, path, *include.groups())
    if OPENMP_PRAGMA.match(line):
        return third_party_problem(path, "OpenMP", OPENMP_PLACES)
    return process_problem(line) if in_library(path) else None


def full_folders(root):
    """Folders outside tests/ with too many source files, as (folder, number of files)."""
    folders = collections.Counter(
        file.parent.relative_to(root).as_posix() + "/"
        for layer in {layer.split("/")[0] for layer in LAYERS} - {"tests"}
        for file in (root / layer).rglob("*")
        if file.suffix in SOURCE_SUFFIXES
    )
    return sorted((folder, files) for folder, files in folders.items() if files > MOST_FILES)


def repeated_names(root):
    """Names of several source files outside tests/, as (name, paths)."""
    paths = collections.defaultdict(list)
    for layer in sorted({layer.split("/")[0] for layer in LAYERS} - {"tests"} | {"scripts"}):
        for file in sorted((root / layer).rglob("*")):
            if file.suffix in SOURCE_SUFFIXES | {".py"} and file.name not in REPEATED_NAMES:
                paths[file.name].append(file.relative_to(root).as_posix())
    return sorted((name, found) for name, found in paths.items() if len(found) > 1)


def absent_rooms(root):
    """Rooms of the table that are not folders."""
    return [room for room in ROOMS if room != ANY_FORMAT and not (root / room).is_dir()]


def includes_of(root, path):
    """Returns the includes of a file: (line number, line, target)."""
    file = root / path
    if not file.is_file():
        return []
    return [
        (number, line.strip(), match.group(2))
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if (match := INCLUDE.match(line))
    ]


def way_to(root, path, pattern, seen):
    """Returns the chain of includes from `path` to a header that `pattern` matches; [] if there is no chain."""
    seen.add(path)
    for _, _, target in includes_of(root, path):
        if re.match(pattern, target):
            return [target]
        if target not in seen and layer_of(target):
            way = way_to(root, target, pattern, seen)
            if way:
                return [target, *way]
    return []


def reach_problems(root, path):
    """Returns the includes of a file that lead to headers out of its room's reach."""
    name = OUT_OF_REACH.get(room_of(path))
    if name is None:
        return []
    pattern = next(pattern for who, pattern, _ in THIRD_PARTIES if who == name)
    problems = []
    for number, line, target in includes_of(root, path):
        way = [target] if re.match(pattern, target) else way_to(root, target, pattern, {path})
        if way:
            problems.append((path, number, line, f"{room_of(path)} may not reach {name} ({' > '.join(way)})"))
    return problems


def check(root):
    """Offending lines as (path, line number, line, problem); and how many files there are."""
    offences, files = [], 0
    for folder in sorted({layer.split("/")[0] for layer in LAYERS}):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SOURCE_SUFFIXES:
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text().splitlines(), 1):
                problem = line_problem(root, path, line)
                if problem:
                    offences.append((path, number, line.strip(), problem))
            offences += reach_problems(root, path)
    return offences, files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    root = parser.parse_args().root
    offences, files = check(root)
    for path, number, line, problem in offences:
        print(f"{path}:{number}: {line}   <- {problem}")
    full = full_folders(root)
    for folder, number in full:
        print(f"{folder}: {number} source files, more than {MOST_FILES}   <- split it by subject")
    repeated = repeated_names(root)
    for name, paths in repeated:
        print(f"{name}: {', '.join(paths)}   <- name each file by its content")
    absent = absent_rooms(root)
    for room in absent:
        print(f"{HOUSE}: {room}   <- this folder does not exist")
    print(
        f"{files} source files, {len(offences)} offending lines, {len(full)} folders too full, {len(repeated)} repeated names"
    )
    return 1 if offences or full or repeated or absent or not files else 0


if __name__ == "__main__":
    sys.exit(main())
