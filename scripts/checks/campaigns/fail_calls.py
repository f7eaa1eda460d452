#!/usr/bin/env python3
"""Makes each call of a small run fail once: no wrong file, crash or hang is allowed, and a message is required.

    fail_calls.py --program build/starhist [--every 1] [--kinds open,write] [--scenes text]
                  [--call 17] [--seed 1] [--jobs 2]

A preloaded library (tests/faults/fail_*.c) counts the calls of a run without faults: calls on
files of the run (open, read, write, resize, sync, rename, unlink, lock, close, stat), the same
calls on all other paths and pipes ("write elsewhere"), the start of threads and processes, and
malloc by calling library. operator new counts as malloc. Then each call fails in a separate run:
once as a single failure, and once together with all later calls of its kind, as on a full disk
(for malloc, the latter for each tenth call). For malloc in libraries other than libstdc++, 500
random calls fail. Scenes: an HDF5 file, an XYZ file, and --resume after a failed run. Checks after
each run:

* it ends within two minutes with exit code 0, 1, 2, 3 or 4, and with a message unless the code is 0.
  If malloc of a library fails, that library may crash; so may PAPI, which StarPU starts, if it cannot
  read /proc. Such a signal is counted, but is not a finding;
* a result, if present, equals the result of a run without faults except for the provenance; exit
  code 0 requires a result and its summary;
* a .partial file is readable (`starhist info`);
* a run with --resume produces the same result, or a message why it cannot; then a run with --force
  succeeds.
"""

import collections
import concurrent.futures
import errno
import json
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import h5py

import kill_runs
from campaign_runs import ROOT, WATER, build_library, compare_results, environment, make_parser, rdf

MOST_SECONDS = 120  # more than a pause of a busy machine
MOST_LIBRARY_CALLS = 500
STEP_OF_ALL_LATER_MALLOC = 10
LIBRARY_KINDS = ("malloc HDF5", "malloc StarPU", "malloc others")
CRASHING_LIBRARY = "/libpapi.so"  # 7.1 uses the line that fgets() did not give
ERRORS = {
    "open": (errno.EMFILE, errno.EACCES),
    "read": (errno.EIO,),
    "write": (errno.ENOSPC, errno.EIO),
    "resize": (errno.ENOSPC,),
    "sync": (errno.EIO,),
    "rename": (errno.EXDEV, errno.EIO),
    "unlink": (errno.EACCES,),
    "lock": (errno.ENOLCK,),
    "close": (errno.EIO,),
    "stat": (errno.EIO,),
    "thread": (errno.EAGAIN,),
    "process": (errno.EMFILE,),
    "malloc": (errno.ENOMEM,),
}
Fault = collections.namedtuple("Fault", "scene kind call all")
Outcome = collections.namedtuple("Outcome", "code reached finding callers")


def counts_in(state):
    records = struct.iter_unpack("24sQ", state.read_bytes())
    return {name.rstrip(b"\0").decode(): count for name, count in records if name.strip(b"\0")}


def code_of(run):
    return signal.Signals(-run.returncode).name if run.returncode < 0 else run.returncode


def sentence(run):
    return re.search(r"^starhist: .", run.stderr, re.M) is not None


def equal_values(path_a, path_b):
    """Whether all data sets have equal values: HDF5 stores a chunk as it is where zlib has no
    memory."""
    with h5py.File(path_a, "r") as a, h5py.File(path_b, "r") as b:
        of_a, of_b = compare_results.objects(a), compare_results.objects(b)
        return of_a.keys() == of_b.keys() and all(
            not isinstance(item, h5py.Dataset) or item.shape is None or item[()].tobytes() == of_b[name][()].tobytes()
            for name, item in of_a.items()
        )


class Scene:
    """A kind of run: its input, and the files next to its output at the start."""

    def __init__(self, name, source, words=(), before=None):
        self.name = name
        self.source = source
        self.words = list(words)
        self.before = before
        self.reference = None
        self.counts = {}


class Campaign:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.library = build_library(folder / "fail_calls.so", sorted((ROOT / "tests/faults").glob("fail_*.c")))
        self.files = folder / "files"
        self.files.mkdir()
        self.environment = environment(
            STARPU_NCPU="1", STARHIST_CPU_VARIANT="baseline", STARPU_HOME=str(folder / "home")
        )
        self.environment.pop("STARPU_PERF_MODEL_DIR", None)
        (folder / "home").mkdir()

    def place(self, scene):
        """Returns a new folder for a run, with its initial files and StarPU's performance models."""
        place = pathlib.Path(tempfile.mkdtemp(dir=self.files))
        for file in sorted(scene.before.iterdir()) if scene.before else ():
            shutil.copy(file, place)
        return place

    def run(self, scene, place, words=(), changes=None):
        settings = "--r-max 1 --bins 50 --block 2 --last 8 --checkpoint 0.01 --json".split()
        options = [*settings, place / "out.json", *scene.words, *words]
        return self.start(rdf(self.program, [scene.source], place / "out.h5", *options), changes)

    def start(self, command, changes=None):
        variables = dict(self.environment, **(changes or {}))
        with subprocess.Popen(
            command, env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        ) as process:
            try:
                out, errors = process.communicate(timeout=MOST_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # its children hold the pipes too
                raise
        return subprocess.CompletedProcess(command, process.returncode, out, errors)

    def preload(self, number, kind=None, call=0, all_later=False):
        changes = {
            "LD_PRELOAD": str(self.library),
            "STARHIST_FAULT_FILES": f"{self.files}/",
            "STARHIST_FAULT_STATE": str(self.folder / f"{number}.state"),
        }
        if kind:
            errors = ERRORS[kind.split()[0]]
            changes.update(
                STARHIST_FAULT_KIND=kind,
                STARHIST_FAULT_CALL=str(call),
                STARHIST_FAULT_ERROR=str(errors[(call + all_later) % len(errors)]),
                STARHIST_FAULT_LOG=str(self.folder / f"{number}.log"),
            )
            if all_later:
                changes["STARHIST_FAULT_ALL"] = "1"
        return changes

    def measure(self, scene):
        """The result without faults, and the calls of two runs: threads make them vary."""
        scene.reference = self.folder / f"{scene.name}.h5"
        for number in range(3):
            place = self.place(scene)
            done = self.run(scene, place, changes=self.preload("count"))
            if done.returncode != 0:
                sys.exit(f"a run without faults ends with {code_of(done)}: {done.stderr}")
            for kind, count in counts_in(self.folder / "count.state").items():
                if number > 0:  # the first run makes StarPU's models
                    scene.counts[kind] = max(scene.counts.get(kind, 0), count)
            shutil.copy(place / "out.h5", scene.reference)
            (self.folder / "count.state").unlink()
            shutil.rmtree(place)

    def wrong_result(self, scene, place):
        try:
            found = list(compare_results.differences(place / "out.h5", scene.reference))
            if found and equal_values(place / "out.h5", scene.reference):
                found = [line for line in found if "the chunk at" not in line]
        except OSError as error:
            return f"the result cannot be read: {error}"
        return f"a wrong result: {found[:3]}" if found else None

    def finding_of_end(self, scene, place, done, may_crash=False):
        """Returns the problem of a run that has ended, or ""; starts no other run."""
        crashed = may_crash and done.returncode < 0
        if done.returncode not in (0, 1, 2, 3, 4) and not crashed:
            return f"ends with {code_of(done)}"
        if done.returncode != 0 and not crashed and not sentence(done):
            return "no sentence"
        if (place / "out.h5").exists():
            return self.wrong_result(scene, place)
        return "no result" if done.returncode == 0 else None

    def finding_of_summary(self, place, done):
        if done.returncode != 0:
            return None
        try:
            json.loads((place / "out.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            return f"the summary: {error}"
        return None

    def finding_of_rest(self, scene, place):
        """Returns the problem of the files left by a run, or "": resumes without faults."""
        left = {file.name for file in place.iterdir()}
        if "out.h5.partial" in left:
            done = self.start([self.program, "info", str(place / "out.h5.partial")])
            if done.returncode != 0:
                return f"the partial file cannot be read: {done.stderr}"
        if "out.h5" in left or not left - {"out.json"}:
            return None
        done = self.run(scene, place, [] if "--resume" in scene.words else ["--resume"])
        if done.returncode != 0:
            if done.returncode != 1 or not sentence(done) or "another run" in done.stderr:
                return f"--resume ends with {code_of(done)}: {done.stderr}"
            for file in place.glob("out.h5*"):
                if file.name in ("out.h5.partial", "out.h5.checkpoint"):
                    file.unlink()
            if scene.before:
                return f"--resume ends with {code_of(done)}: {done.stderr}"
            done = self.run(scene, place, ["--force"])
        finding = self.finding_of_end(scene, place, done)
        return f"the run after it: {finding}: {done.stderr}" if finding else None

    def try_fault(self, fault):
        scene = fault.scene
        place = self.place(scene)
        number = place.name
        home = self.folder / f"{number}.home"
        shutil.copytree(self.folder / "home", home)
        changes = dict(self.preload(number, fault.kind, fault.call, fault.all), STARPU_HOME=str(home))
        state, log = self.folder / f"{number}.state", self.folder / f"{number}.log"
        code, text = "hangs", ""
        try:
            done = self.run(scene, place, changes=changes)
            code, text = code_of(done), done.stderr
            may_crash = fault.kind in LIBRARY_KINDS or CRASHING_LIBRARY in text_of(log)
            finding = (
                self.finding_of_end(scene, place, done, may_crash)
                or self.finding_of_summary(place, done)
                or self.finding_of_rest(scene, place)
            )
        except subprocess.TimeoutExpired as error:
            finding = f"does not end within {error.timeout} s"
        reached = state.exists() and counts_in(state)[fault.kind] >= fault.call
        callers = text_of(log).splitlines()
        if finding:
            finding += f"\n  {text.strip()[:600]}"
        for rest in (place, home):
            shutil.rmtree(rest)
        for rest in (state, log):
            rest.unlink(missing_ok=True)
        return Outcome(code, reached, finding, callers)


def text_of(file):
    return file.read_text(encoding="utf-8") if file.exists() else ""


def scenes_in(campaign, names):
    """The scenes of those names, with their references and numbers of calls."""
    water = campaign.files / "water.h5"
    text = campaign.files / "atoms.xyz"
    shutil.copy(WATER, water)
    kill_runs.write_xyz(text, 8)
    found = [Scene("hdf5", water), Scene("text", text)]
    for scene in found:
        campaign.measure(scene)
    if "resume" in names:
        # Files left by a run whose disk is full after two thirds of its writes.
        left = campaign.folder / "left"
        place = campaign.place(found[0])
        campaign.run(
            found[0], place, changes=campaign.preload("left", "write", found[0].counts["write"] * 2 // 3, True)
        )
        shutil.copytree(place, left)
        found.append(Scene("resume", water, ["--resume"], left))
        campaign.measure(found[-1])
    return [scene for scene in found if scene.name in names]


def faults_of(scenes, arguments):
    chance = random.Random(arguments.seed)
    for scene in scenes:
        kinds = [kind for kind in scene.counts if arguments.kinds is None or kind in arguments.kinds]
        for kind in kinds:
            if kind in LIBRARY_KINDS:
                continue
            calls = (
                [arguments.call]
                if arguments.call
                else range(
                    1 + chance.randrange(min(arguments.every, scene.counts[kind] or 1)),
                    scene.counts[kind] + 1,
                    arguments.every,
                )
            )
            step = STEP_OF_ALL_LATER_MALLOC if kind.startswith("malloc") else 1
            for number, call in enumerate(calls):
                for all_later in (False, True) if number % step == 0 else (False,):
                    yield Fault(scene, kind, call, all_later)
        library_calls = [
            Fault(scene, kind, call, False)
            for kind in kinds
            if kind in LIBRARY_KINDS
            for call in range(1, scene.counts[kind] + 1)
        ]
        if arguments.call:
            yield from (fault for fault in library_calls if fault.call == arguments.call)
            continue
        most = -(-MOST_LIBRARY_CALLS // arguments.every)
        yield from chance.sample(library_calls, min(most, len(library_calls)))


def described(fault, outcome):
    which = f"call {fault.call}" + (" and all later ones" if fault.all else "")
    return "\n".join([f"{fault.scene.name}, {fault.kind}, {which}: {outcome.finding}", *outcome.callers[:12]])


def print_table(scenes, outcomes):
    print(f"{'scene':8}{'kind':20}{'calls':>7}{'runs':>7}{'missed':>8}{'findings':>10}  exit codes")
    kinds = list(dict.fromkeys((fault.scene.name, fault.kind) for fault in outcomes))
    for scene in scenes:
        for kind in (kind for name, kind in kinds if name == scene.name):
            here = [outcome for fault, outcome in outcomes.items() if fault.scene is scene and fault.kind == kind]
            codes = collections.Counter(str(outcome.code) for outcome in here)
            print(
                f"{scene.name:8}{kind:20}{scene.counts[kind]:7}{len(here):7}"
                f"{sum(not outcome.reached for outcome in here):8}"
                f"{sum(outcome.finding is not None for outcome in here):10}  "
                + ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
            )


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--every", type=int, default=1, help="only each N-th call of a kind")
    parser.add_argument("--kinds", type=lambda text: text.split(","))
    parser.add_argument("--scenes", type=lambda text: text.split(","), default=["hdf5", "text", "resume"])
    parser.add_argument("--call", type=int, help="only the call of that number")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    start = time.monotonic()
    outcomes = {}
    with tempfile.TemporaryDirectory() as temporary:
        campaign = Campaign(arguments.program, pathlib.Path(temporary))
        scenes = scenes_in(campaign, arguments.scenes)
        faults = list(faults_of(scenes, arguments))
        # Not threads: two that open HDF5 files can wait for each other forever in h5py.
        with concurrent.futures.ProcessPoolExecutor(arguments.jobs, multiprocessing.get_context("fork")) as pool:
            begun = {pool.submit(campaign.try_fault, fault): fault for fault in faults}
            for done in concurrent.futures.as_completed(begun):
                fault = begun[done]
                outcomes[fault] = done.result()
                if outcomes[fault].finding:
                    print(described(fault, outcomes[fault]), flush=True)
    print_table(scenes, outcomes)
    failed = sum(outcome.finding is not None for outcome in outcomes.values())
    print(f"{time.monotonic() - start:.0f} s")
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
