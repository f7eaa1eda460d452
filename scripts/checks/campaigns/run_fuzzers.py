#!/usr/bin/env python3
"""Passes generated and damaged input to the parsers of starhist, and looks for crashes.

    run_fuzzers.py [--runs N] [--seconds S] [--targets lammps,xyz] [--findings FOLDER]

Builds the preset `fuzz` (Clang with libFuzzer, address and undefined-behaviour sanitizers) and
runs every target of tests/fuzz for N executions, but at most S seconds; HDF5 files (the target
hdf5, with a separate driver) get --hdf5-runs. Where Clang cannot compile gemmi (with libstdc++ 12
in C++20), the target mmcif of the preset asan-ubsan gets damaged copies of its corpus instead.
A finding is a crash, a sanitizer report, an unexpected exception, or an input that takes 20 seconds.
libFuzzer and the target hdf5 keep its input in FOLDER: fix the code, and move the input to
tests/fuzz/crashers/TARGET, where CTest replays it. Inputs that libFuzzer adds to the corpora stay
in FOLDER/corpus, where the next run starts.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTS = ROOT / "tests/fuzz"
HDF5 = ("h5md", "cadishi", "result")
# Stacks of allocations of one frame and few released blocks more than double the speed. Huge
# allocations fail as without sanitizers: the HDF5 library checks them.
ENVIRONMENT = dict(
    os.environ,
    STARPU_SILENT="1",
    ASAN_OPTIONS="malloc_context_size=1:quarantine_size_mb=1:allocator_may_return_null=1",
    UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1",
)


def targets():
    """Names of all targets; libFuzzer targets come first."""
    names = sorted(path.stem.removeprefix("fuzz_") for path in TESTS.glob("fuzz_*.cc"))
    return [name for name in names if name != "input"] + ["hdf5"]


def build():
    subprocess.run([ROOT / "scripts/setup/install_packages.sh", "clang", "libclang-rt-dev"], check=True)
    path = "/usr/bin:/bin:" + os.environ["PATH"]  # as scripts/setup/build.sh does
    commands = [["cmake", "--preset", "fuzz"], ["cmake", "--build", "--preset", "fuzz"]]
    commands += [
        ["cmake", "--preset", "asan-ubsan"],
        ["cmake", "--build", "--preset", "asan-ubsan", "-t", "fuzz_mmcif"],
    ]
    for command in commands:
        subprocess.run(command, cwd=ROOT, check=True, env=dict(os.environ, PATH=path), stdout=subprocess.DEVNULL)


def folders(*names):
    """Corpora and crashers of these names."""
    places = [TESTS / kind / name for name in names for kind in ("corpus", "crashers")]
    return [str(place) for place in places if place.is_dir()]


def count_files(places):
    return sum(1 for place in places for path in pathlib.Path(place).rglob("*") if path.is_file())


class Run:
    """A target that runs: its executions, the size of its corpus in the end, its findings."""

    def __init__(self, name, arguments):
        self.name = name
        self.findings_folder = arguments.findings / name
        self.findings_folder.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        if name == "hdf5":
            places = self.hdf5(arguments)
        elif (arguments.build / f"fuzz_{name}").exists():
            places = self.libfuzzer(arguments)
        else:
            places = self.damaged_copies(arguments)
        self.seconds = time.monotonic() - start
        self.corpus = count_files(places)

    def call(self, command, executions, log):
        with open(log, "w", encoding="utf-8") as file:
            status = subprocess.run(
                command, env=ENVIRONMENT, stdout=file, stderr=file, cwd=self.findings_folder, check=False
            ).returncode
        text = log.read_text(encoding="utf-8", errors="replace")
        found = re.search(executions, text)
        self.executions = int(found[1]) if found else 0
        self.findings = 0 if status == 0 else 1
        return text

    def libfuzzer(self, arguments):
        kept = arguments.findings / "corpus" / self.name
        kept.mkdir(parents=True, exist_ok=True)
        self.call(
            [
                arguments.build / f"fuzz_{self.name}",
                f"-runs={arguments.runs}",
                f"-max_total_time={arguments.seconds}",
                f"-seed={arguments.seed}",
                "-entropic=0",  # its statistics would take a third of the time, and find no more
                "-timeout=20",
                "-rss_limit_mb=2048",
                "-print_final_stats=1",
                f"-artifact_prefix={self.findings_folder}/",
                kept,
                *folders(self.name),
            ],
            r"stat::number_of_executed_units:\s*(\d+)",
            arguments.findings / f"{self.name}.log",
        )
        return [kept, *folders(self.name)]

    def damaged_copies(self, arguments):
        runs = min(arguments.runs, arguments.seconds * 300 or arguments.runs)
        self.call(
            [ROOT / f"build-asan/fuzz_{self.name}", "--runs", str(runs), *folders(self.name)],
            r"(\d+) damaged copies",
            arguments.findings / f"{self.name}.log",
        )
        return folders(self.name)

    def hdf5(self, arguments):
        text = self.call(
            [
                arguments.build / "fuzz/fuzz_hdf5",
                "--runs",
                str(arguments.hdf5_runs),
                "--seconds",
                str(arguments.seconds),
                "--seed",
                str(arguments.seed),
                "--findings",
                self.findings_folder,
                *folders(*HDF5),
            ],
            r"(\d+) files in",
            arguments.findings / "hdf5.log",
        )
        found = re.search(r"(\d+) findings", text)
        self.findings = int(found[1]) if found else 1
        return folders(*HDF5)

    def row(self):
        return (
            f"{self.name:<10} {self.executions:>10} {self.seconds:>8.0f} "
            f"{self.executions / self.seconds:>12.0f} {self.corpus:>7} {self.findings:>9}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=1000000, help="executions of a target")
    parser.add_argument("--hdf5-runs", type=int, default=100000, help="HDF5 files")
    parser.add_argument("--seconds", type=int, default=0, help="for a target; 0: no limit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--targets", default=",".join(targets()))
    parser.add_argument("--build", type=pathlib.Path, help="existing build folder (default: build one)")
    parser.add_argument("--findings", type=pathlib.Path, help="by default build-fuzz/findings")
    arguments = parser.parse_args()
    names = arguments.targets.split(",")
    if unknown := set(names) - set(targets()):
        parser.error(f"no such targets: {', '.join(sorted(unknown))}")
    if arguments.build is None:
        build()
    arguments.build = (arguments.build or ROOT / "build-fuzz").resolve()
    arguments.findings = (arguments.findings or arguments.build / "findings").resolve()
    print(
        f"{'target':<10} {'executions':>10} {'seconds':>8} {'per second':>12} {'corpus':>7} {'findings':>9}", flush=True
    )
    runs = []
    for name in names:
        runs.append(Run(name, arguments))
        print(runs[-1].row(), flush=True)
        if runs[-1].findings or not runs[-1].executions:
            print(f"           see {arguments.findings / name}.log", flush=True)
    findings = sum(run.findings for run in runs)
    idle = [run.name for run in runs if not run.executions]
    print(
        f"{sum(run.executions for run in runs)} executions in "
        f"{sum(run.seconds for run in runs):.0f} s, {findings} findings"
        + (f"; without executions: {', '.join(idle)}" if idle else "")
    )
    sys.exit(1 if findings or idle else 0)


if __name__ == "__main__":
    main()
