#!/usr/bin/env python3
"""Mutation testing: changes operators, comparisons and constants of the counting code, and runs the tests.

    run_mutants.py [--work FOLDER] [--seed 1] [--most N] [--only REGEX] [--repeat FILE] [--jobs 2]

Each mutant is one change in one of the files below (pair_bin, the minimum image, bins, the error
bounds of the kernels, sums of counts, and merging of results), in a copy of the source tree with a
separate build that checks array bounds. The tests listed for the file are built and run until one
fails.

* killed: a test failed, crashed or timed out, or a static_assert rejected the mutant;
* survived: all of these tests passed. Each survivor must be in run_mutants_survivors.txt, with the
  reason why no test can or need distinguish it from the original;
* not compiled: not counted.

Exit status 1 if less than 95 % are killed, or a survivor has no reason. Without --most, a run takes
about two hours on two cores.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
REASONS = ROOT / "scripts/checks/campaigns/run_mutants_survivors.txt"

CORE = ("test_core", "*")
KERNELS = ("test_kernels", "~[slow]")
MERGED = [("test_program", "merge*,*merged*")]
# File -> test programs to build and run until one fails.
SUBJECTS = {
    "codelets/core/counting/pair_bin.hh": [CORE, KERNELS],
    "codelets/core/counting/bins.hh": [CORE, KERNELS],
    "codelets/core/counting/bin_position.hh": [CORE, KERNELS],
    "codelets/core/counting/bins.cc": [CORE],
    "codelets/core/counting/histogram.cc": [CORE],
    "codelets/core/geometry/minimum_image.hh": [CORE, KERNELS],
    "codelets/core/geometry/lattice.cc": [CORE, KERNELS],
    "codelets/kernels/error_bounds/displacement_error.cc": [KERNELS],
    "codelets/kernels/error_bounds/image_errors.cc": [KERNELS],
    "codelets/kernels/error_bounds/image_errors.hh": [KERNELS],
    "codelets/kernels/cpu/cpu_merge_counts.cc": [KERNELS],
    "driver/commands/merge/merge_command.cc": MERGED,
    "driver/commands/merge/mergeable_layouts.cc": MERGED,
    "driver/commands/merge/merged_results.cc": MERGED,
    "driver/commands/merge/same_settings.cc": MERGED,
}


def tests_of(path):
    """Returns the tests of a file: first the quick test file of the same name, then the tests in SUBJECTS."""
    nearest = f"[#{pathlib.Path(path).stem}.test]"
    return [(target, nearest) for target, _ in SUBJECTS[path][:1]] + SUBJECTS[path]


# A pattern of code, and its replacement. clang-format puts blanks around binary operators.
CHANGES = [
    (r" < (?!<)", [" <= ", " >= "]),
    (r" > (?!>)", [" >= ", " <= "]),
    (r" <= ", [" < ", " > "]),
    (r" >= ", [" > ", " < "]),
    (r" == ", [" != "]),
    (r" != ", [" == "]),
    (r" && ", [" || "]),
    (r" \|\| ", [" && "]),
    (r" \+ ", [" - "]),
    (r" - ", [" + "]),
    (r" \* ", [" / "]),
    (r" / ", [" * "]),
    (r" \+= ", [" -= "]),
    (r" -= ", [" += "]),
    (r" & ", [" | "]),
    (r" \| ", [" & "]),
    (r"(?<=[(,= ])-(?=[a-z(])", [""]),
    (r"(?<=[(,= ])!(?=[a-z(])", [""]),
    (r"\bstd::min\b", ["std::max"]),
    (r"\bstd::max\b", ["std::min"]),
    (r"\btrue\b", ["false"]),
    (r"\bfalse\b", ["true"]),
]
NUMBER = re.compile(r"(?<![\w.'])(0x[0-9a-fA-F.]+p[-+]?\d+|\d[\d']*(?:\.\d+)?(?:e[-+]?\d+)?)([FfULul]*)(?![\w.])")


def without_comments_and_texts(text):
    """The same length, with blanks for comments, literals of text and preprocessor lines."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|^[ \t]*#[^\n]*', re.S | re.M)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def changed_numbers(match):
    number, suffix = match.groups()
    if "." in number or ("e" in number and not number.startswith("0x")) or "p" in number:
        zero = float.fromhex(number) == 0 if number.startswith("0x") else float(number) == 0
        return ["1.0" + suffix] if zero else ["0.0" + suffix, f"(2.0{suffix} * {number}{suffix})"]
    return ["1" + suffix] if number == "0" else [f"({number}{suffix} + 1)", f"({number}{suffix} - 1)"]


def mutants_of(path):
    """Pairs of (name, text of the whole file). Equal names get the number of the place."""
    text = (ROOT / path).read_text()
    code = without_comments_and_texts(text)
    places = []
    for pattern, replacements in CHANGES:
        for match in re.finditer(pattern, code):
            places += [(match.start(), match.end(), new) for new in replacements]
    for match in NUMBER.finditer(code):
        places += [(match.start(), match.end(), new) for new in changed_numbers(match)]
    seen = collections.Counter()
    for start, end, new in sorted(set(places)):
        begin = text.rfind("\n", 0, start) + 1
        stop = text.find("\n", end)
        line = text[begin:start] + new + text[end:stop]
        name = f"{path}: {text[begin:stop].strip()} -> {line.strip()}"
        seen[name] += 1
        yield (name if seen[name] == 1 else f"{name} (place {seen[name]})", text[:start] + new + text[end:])


class Build:
    """A copy of the source tree, with the targets of all tests built once."""

    def __init__(self, folder, jobs):
        self.source = folder / "source"
        self.build = folder / "build"
        self.jobs = str(jobs)
        self.patience = 600.0  # seconds that the tests of one program may take
        names = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split(
            "\n"
        )
        for name in filter(None, names):
            target = self.source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():
                shutil.copy(ROOT / name, target)
        subprocess.run(
            [
                "cmake",
                "-S",
                self.source,
                "-B",
                self.build,
                "-G",
                "Ninja",
                "-DCMAKE_BUILD_TYPE=Release",
                "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -D_GLIBCXX_ASSERTIONS "
                "-fsanitize=bounds -fsanitize-undefined-trap-on-error",
                "-DSTARHIST_CUDA=OFF",
                "-DSTARHIST_WERROR=OFF",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        targets = sorted({target for tests in SUBJECTS.values() for target, _ in tests})
        subprocess.run(
            ["cmake", "--build", self.build, "-j", self.jobs, "--target", "starhist", *targets],
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def passes(self, tests):
        """ "survived", "killed by TARGET" or "not compiled"."""
        environment = dict(os.environ, STARPU_WORKERS_NOBIND="1", STARPU_SILENT="1")
        for target, names in tests:
            made = subprocess.run(
                ["cmake", "--build", self.build, "-j", self.jobs, "--target", target],
                capture_output=True,
                text=True,
                check=False,
            )
            if made.returncode != 0:
                return "killed by static_assert" if "static assertion" in made.stdout else "not compiled"
            try:
                ran = subprocess.run(
                    [self.build / target, names, "--filenames-as-tags", "--abort"],
                    cwd=self.source,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=self.patience,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return f"killed by the time of {target}"
            if ran.returncode != 0:
                return f"killed by {target}"
        return "survived"


def reasons():
    lines = REASONS.read_text().splitlines() if REASONS.exists() else []
    return [line for line in lines if line and not line.startswith(("#", "  "))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--work", default="build-mutants", help="folder of the copy and its build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, help="as many mutants, drawn at random")
    parser.add_argument("--only", default="", help="files whose path has this")
    parser.add_argument(
        "--repeat",
        metavar="FILE",
        help="mutants that FILE names: run_mutants_survivors.txt, or lines of an earlier campaign",
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print the mutants without testing them")
    given = parser.parse_args()
    mutants = [
        (path, name, text) for path in SUBJECTS if re.search(given.only, path) for name, text in mutants_of(path)
    ]
    if given.repeat:
        repeated = pathlib.Path(given.repeat).read_text().splitlines()
        lines = {re.sub(r"^[\d/]+ [a-z_ ]+: ", "", line) for line in repeated}
        mutants = [mutant for mutant in mutants if mutant[1] in lines]
    if given.list:
        for _, name, _ in mutants:
            print(name)
        return 0
    if given.most and given.most < len(mutants):
        mutants = random.Random(given.seed).sample(mutants, given.most)
    begin = time.time()
    build = Build(pathlib.Path(given.work).resolve(), given.jobs)
    longest = 0.0
    for test in sorted({test for path, _, _ in mutants for test in SUBJECTS[path]}):
        start = time.time()
        if build.passes([test]) != "survived":
            sys.exit(f"run_mutants: the tests {test} fail without any change")
        longest = max(longest, time.time() - start)
    build.patience = max(60.0, 5 * longest)
    explained = reasons()
    results = {}
    unexplained = []
    for number, (path, name, text) in enumerate(mutants, 1):
        target = build.source / path
        original = target.read_text()
        target.write_text(text)
        try:
            result = build.passes(tests_of(path))
        finally:
            target.write_text(original)
        results.setdefault(result, []).append(name)
        if result == "survived" and name not in explained:
            unexplained.append(name)
        print(f"{number}/{len(mutants)} {result}: {name}", flush=True)
    survived = len(results.get("survived", []))
    killed = sum(len(names) for result, names in results.items() if result.startswith("killed"))
    share = killed / max(killed + survived, 1)
    for name in unexplained:
        print(f"no reason given: {name}")
    print(
        f"seed {given.seed}: {killed + survived} mutants, {killed} killed ({100 * share:.1f} %), "
        f"{survived} survived, {len(unexplained)} of them without a reason; "
        f"{len(results.get('not compiled', []))} not compiled; {time.time() - begin:.0f} s"
    )
    return 0 if share >= 0.95 and not unexplained else 1


if __name__ == "__main__":
    sys.exit(main())
