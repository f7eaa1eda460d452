#!/usr/bin/env python3
"""Damages shapes, types, values and names in result files, and passes the files to every reader of results.

    mutate_results.py [--count 10000] [--seconds S] [--seed 1] [--program build/starhist]

The files are results of rdf (also of open boxes, in a plane, by a second axis and of many pairs), vanhove and
coordination. Each is passed to plot, peaks, report, info, export, analyze and, if the Python module is built next to
the program, to starhist.load(), load_vanhove() and load_coordination(). A reader may use the file, or refuse it with exit code 1 and a message that names
the file. A traceback, a signal, more than 1 GB of memory or more than 10 s of CPU time is a failure, and the file is kept.
Exit status: 0 no failures, 1 failures, 77 skipped because Python lacks h5py or Matplotlib.
"""

import contextlib
import gc
import importlib.util
import io
import itertools
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from campaign_runs import ROOT, WATER, make_parser

sys.path.insert(0, str(ROOT / "scripts/user"))

MOST_KIB, MOST_SECONDS, PATIENCE = 1_000_000, 10.0, 120
HUGE = 2**31
LOADERS = ("load", "load_vanhove", "load_coordination")
NAMES = ["", "a,b", "O-O", "$\\frac$", "<b>", "x" * 70_000, "\x1b[2J", "\u202e", "n\u00e9", "O around H", "line\nbreak"]


def items_of(file):
    """Paths of all groups and datasets."""
    found = []
    file.visit(found.append)
    return found


def replacement(rng, dataset, numpy, h5py):
    """(shape, type, value or None) of a dataset in place of `dataset`."""
    shape, kind = dataset.shape or (), dataset.dtype
    extreme = [numpy.nan, numpy.inf, -1, 0, 2**63, 1e300, 5e-324]
    way = rng.randrange(6)
    if way == 0:  # another shape, without data
        shapes = [
            (),
            (0,),
            (1,),
            (HUGE,),
            (HUGE, HUGE),
            (*shape, 1),
            shape[::-1],
            shape[1:],
            (HUGE, *shape[1:]),
            tuple(n + 1 for n in shape),
            (*shape[:-1], 0),
        ]
        return rng.choice(shapes), kind, None
    if way == 1:  # another type
        return shape, rng.choice(["i1", "i4", "u8", "f2", "f4", "f8", ">f8", "S3", "c16", "V5", [("a", "f8")]]), None
    if way == 2:
        return shape, h5py.string_dtype(), None
    if way == 3 and kind.kind in "iufb":
        return shape, "f8", rng.choice(extreme)
    if way == 4:
        return (rng.choice([1, 3]),), h5py.string_dtype(), rng.choice(NAMES)
    return (HUGE,), rng.choice(["u8", "S8"]), None


def set_attribute(rng, attributes, numpy):
    name = rng.choice(list(attributes) or ["new"])
    value = rng.choice([*NAMES, numpy.nan, -1, 2**63, numpy.zeros(3), numpy.zeros((0,)), b"\xff\xfe", None])
    if value is None:
        attributes.pop(name, None)
    elif len(str(value)) < 60_000:
        attributes[name] = numpy.bytes_(value) if isinstance(value, bytes) else value


def mutate(rng, path, numpy, h5py):
    """Changes one to three things in the HDF5 file."""
    with h5py.File(path, "r+") as file:
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            name = rng.choice(items_of(file) or ["/"])
            item, way = file[name], rng.randrange(10)
            if way == 0:
                del file[name]
            elif way == 1:
                del file[name]
                file[name] = h5py.SoftLink("/" + rng.choice([name, "nowhere", "observables"]))
            elif way <= 3:
                set_attribute(rng, item.attrs, numpy)
            elif isinstance(item, h5py.Dataset):
                kind = item.dtype
                if way == 4 and kind.kind in "uif" and item.size:
                    flat = item[()].reshape(-1) if item.shape else numpy.array([item[()]])
                    with numpy.errstate(all="ignore"):
                        flat[rng.randrange(flat.size)] = numpy.array(rng.choice([0, 1, 7, 127]), kind)
                    item[...] = flat.reshape(item.shape)
                    continue
                shape, new_kind, value = replacement(rng, item, numpy, h5py)
                attributes = dict(item.attrs)
                del file[name]
                chunks = tuple(min(n, 64) or 1 for n in shape) if shape else None
                made = file.create_dataset(
                    name, shape, new_kind, chunks=chunks, maxshape=tuple([None] * len(shape)) if shape else None
                )
                if value is not None and made.size:
                    made[...] = value
                made.attrs.update({key: each for key, each in attributes.items() if isinstance(each, (str, bytes))})
            else:
                del file[name]
                file[name] = numpy.zeros(3)


def import_module(folder):
    """The Python module of a build; None if it is not built for this Python."""
    sys.path.append(str(folder))
    try:
        import starhist

        return starhist
    except ImportError as error:
        print(f"without starhist.load(): {error}", flush=True)
        return None


def in_a_child(function, argument):
    """(exit code, standard error, resources) of a process that returns function(argument) as its exit code."""
    with tempfile.TemporaryFile() as log:
        child = os.fork()
        if child == 0:
            try:
                os.dup2(log.fileno(), 2)
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                signal.alarm(PATIENCE)
                os._exit(function(argument))
            finally:
                os._exit(71)
        _, status, used = os.wait4(child, 0)
        log.seek(0)
        return os.waitstatus_to_exitcode(status), log.read().decode(errors="replace"), used


def problem_of(code, message, path):
    """The problem of this exit code and message of a reader, or ""."""
    if code not in (0, 1) or "Traceback" in message:
        return f"exit code {code}: {message[-1500:]}"
    if code == 1 and os.path.basename(path) not in message:
        return f"a message that does not name the file: {message[-500:]}"
    return ""


def too_much(used):
    """The memory and time of a process and its children if they exceed a limit, or ""."""
    seconds = used.ru_utime + used.ru_stime
    return f"{used.ru_maxrss} KiB, {seconds:.1f} s" if used.ru_maxrss > MOST_KIB or seconds > MOST_SECONDS else ""


def remembering(run):
    """`run`, but a command with the same arguments is answered from memory."""
    answers = {}

    def answer(command, **options):
        key = tuple(map(os.fspath, command))
        if key not in answers:
            answers[key] = run(command, **options)
        return answers[key]

    return answer


class Readers:
    """Calls readers in processes that are forked after importing the packages of the scripts.

    Readers in Python share a process at first, in which a command of the program runs only once for all of them;
    after any problem there, each of them runs again in a separate process, which decides.
    """

    def __init__(self, program, folder, undamaged):
        import peaks
        import plot_rdf
        import report
        from figures import rdf_figures  # noqa: F401  imported once for all children

        self.scripts = {"plot": plot_rdf, "peaks": peaks, "report": report}
        self.program, self.folder = program, folder
        os.environ["STARHIST_PROGRAM"] = program
        self.module = import_module(pathlib.Path(program).parent / "python")
        self._draw_once(str(undamaged))
        gc.freeze()  # a collection in a child would copy all pages of the packages

    def _draw_once(self, path):
        """Calls the scripts in this process, so that fonts and parsed texts are known to all children."""
        nowhere = io.StringIO()
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            failed = [words for words in self.python_calls(path)[: len(self.scripts)] if self._python_child(words)]
        if failed:
            sys.exit(f"with an undamaged result these fail: {failed}\n{nowhere.getvalue()}")

    def python_calls(self, path):
        """Words of each reader that is written in Python."""
        return [
            ["plot", path, "--peaks", "-o", str(self.folder / "out.svg")],
            ["peaks", path, "--format", "json"],
            ["report", path, "-o", str(self.folder / "out.html")],
            *([loader, path] for loader in (LOADERS if self.module else ())),
        ]

    def problems(self, path):
        """Pairs of the words of a reader and its problem, of those that have one with this file."""
        calls = [
            [words[0], path, *words[1:]]
            for words in (["info"], ["export", "--quantity", "counts"], ["export", "--arrays"], ["analyze"])
        ]
        if not self._well_together(path):
            calls += self.python_calls(path)
        return [(words, problem) for words in calls if (problem := self.problem(words))]

    def _load(self, function, path):
        """Exit code of a process that loads a result with this function of the module."""
        try:
            getattr(self.module, function)(path)
        except (OSError, ValueError) as error:
            print(error, file=sys.stderr)
            return 1
        return 0

    def _python_child(self, words):
        """Exit code of a reader in Python, in this process."""
        sys.argv = words
        try:
            code = self.scripts[words[0]].main() if words[0] in self.scripts else self._load(*words)
        except SystemExit as end:
            code = end.code
            if isinstance(code, str):
                print(code, file=sys.stderr)
                code = 1
        except BaseException:
            traceback.print_exc()
            code = 70
        sys.stderr.flush()
        return code or 0

    def _child(self, words):
        if words[0] in (*LOADERS, *self.scripts):
            return self._python_child(words)
        os.execv(self.program, [self.program, *words])

    def _children(self, path):
        """0 if each reader in Python used the file or refused it well, in this process."""
        subprocess.run = remembering(subprocess.run)
        for words in self.python_calls(path):
            start = os.lseek(2, 0, os.SEEK_CUR)
            code = self._python_child(words)
            message = os.pread(2, 2**20, start).decode(errors="replace")
            if problem_of(code, message, path):
                return 70
        return 0

    def _well_together(self, path):
        """Whether no reader in Python has a problem, by a process for all of them."""
        code, _, used = in_a_child(self._children, path)
        return code == 0 and not too_much(used)

    def problem(self, words):
        """Returns the problem of a reader with its file, or ""."""
        code, message, used = in_a_child(self._child, words)
        return problem_of(code, message, words[1]) or too_much(used)


def make_results(program, folder):
    """Small results of all kinds, with and without the optional records."""
    random_numbers = random.Random(7)
    frame = "".join(f"N{k} {' '.join(f'{random_numbers.uniform(0, 9):.3f}' for _ in range(3))}\n" for k in range(14))
    (folder / "many.xyz").write_text(f'14\nLattice="9 0 0 0 9 0 0 0 9"\n{frame}', encoding="utf-8")
    bins = ["--r-max", "1", "--bins", "40"]
    six_frames = [str(WATER), "--last", "5"]
    blocks = [*six_frames, "--block", "2"]
    g = ["rdf", *blocks, *bins]
    made = []
    for name, words in (
        ("g", g),
        ("open", ["rdf", str(WATER), "--last", "3", "--block", "2", "--box", "none", *bins]),
        ("plane", [*g, "--plane", "xy"]),
        ("heights", [*g, "--plane", "xy", "--axis2", "dz", "--axis2-bins", "8"]),
        ("axis2", [*g, "--axis2", "cos(z)", "--axis2-bins", "8"]),
        ("many", ["rdf", str(folder / "many.xyz"), "--all-pairs", *bins]),
        ("lags", ["vanhove", *blocks, "--lags", "0,1,2", *bins]),
        ("neighbours", ["coordination", *blocks, "--cutoff", "O-H=0.245,O-O=0.35"]),
        ("records", ["coordination", *six_frames, "--cutoff", "O-H=0.245", "--per-frame", "--per-particle"]),
    ):
        made.append(folder / f"{name}.h5")
        subprocess.run([program, *words, "-o", str(made[-1]), "-q"], check=True)
    return made


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="files (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time (default: no limit)")
    options = parser.parse_args()
    if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy", "matplotlib")):
        print("SKIPPED: h5py, numpy or matplotlib is missing")
        return 77
    import h5py
    import numpy

    files, failures, end = 0, 0, time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="starhist-mutants-") as name:
        folder = pathlib.Path(name)
        results = make_results(options.program, folder)
        readers = Readers(options.program, folder, results[0])
        for number in itertools.count():
            if files == options.count or time.monotonic() > end:
                break
            rng = random.Random(f"{options.seed} {number}")
            path = folder / f"mutant-{options.seed}-{number}.h5"
            shutil.copy(rng.choice(results), path)
            try:
                mutate(rng, path, numpy, h5py)
            except (OSError, KeyError, ValueError, TypeError, RuntimeError, OverflowError):
                path.unlink()  # HDF5 does not write such a file
                continue
            files += 1
            for words, problem in readers.problems(str(path)):
                failures += 1
                kept = pathlib.Path(tempfile.gettempdir()) / path.name
                shutil.copy(path, kept)
                print(f"{kept}: starhist {' '.join(words)}: {problem}", flush=True)
            path.unlink()
    print(f"{files} files, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
