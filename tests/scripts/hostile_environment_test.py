"""starhist where HOME cannot be written, memory is limited, or files cannot be locked."""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["STARHIST_PROGRAM"]
WATER = ROOT / "tests/data/water.h5"
failures = 0


def sanitized():
    """Whether the program has the address sanitizer, which must be the first library."""
    return b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()


def run(folder, changes=None, memory_kib=None, without=()):
    environment = dict(
        os.environ,
        STARPU_SILENT="1",
        STARPU_WORKERS_NOBIND="1",
        STARPU_NCPU="2",
        STARPU_HOME=str(folder),
        **(changes or {}),
    )
    for name in without:
        environment.pop(name, None)

    def limit():
        if memory_kib:
            resource.setrlimit(resource.RLIMIT_AS, (memory_kib * 1024,) * 2)

    return subprocess.run(
        [PROGRAM, "rdf", WATER, "--r-max", "1", "--bins", "10", "--last", "1", "-q", "-f", "-o", folder / "out.h5"],
        env=environment,
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=120,
    )


def check(name, done, code, *words):
    global failures
    missing = [word for word in words if word not in done.stderr]
    if done.returncode not in (code if isinstance(code, tuple) else (code,)) or missing:
        failures += 1
        print(f"{name}: exit code {done.returncode}, missing {missing}:\n{done.stderr}")


def homes(folder):
    no_models = ("STARPU_HOME", "STARPU_PERF_MODEL_DIR")
    temporary = folder / "tmp"
    temporary.mkdir()
    for home in ("/proc/nowhere", "/dev/null"):
        done = run(folder, {"HOME": home, "TMPDIR": str(temporary)}, without=no_models)
        check(f"HOME={home}", done, 0, f"{home}/.starpu/sampling cannot be written", str(temporary))
    long = folder / ("h" * 200)
    long.mkdir()
    done = run(folder, {"HOME": str(long), "TMPDIR": str(temporary)}, without=no_models)
    check("a HOME of 200 letters", done, 0, "is too long for StarPU", str(temporary))
    done = run(folder, {"TMPDIR": str(temporary)}, without=no_models + ("HOME",))
    check("no HOME", done, 0, "HOME is not set")
    if list(temporary.iterdir()):
        check("the temporary folder is removed", done, -1)
    home = folder / "home"
    home.mkdir()
    done = run(folder, {"HOME": str(home)}, without=no_models)
    check("a good HOME", done, 0)
    # StarPU of Debian 13 has words of its own.
    if "starhist" in done.stderr or not (home / ".starpu/sampling").is_dir():
        check("nothing is said of a good HOME", done, -1)
    done = run(folder, {"HOME": "/proc/nowhere", "TMPDIR": "/proc/nowhere"}, without=no_models)
    check("no folder at all", done, 2, "set STARPU_HOME")


def memory(folder):
    codes = []
    for kib in (60_000, 80_000, 100_000, 120_000, 150_000, 200_000, 300_000, 500_000, 1_000_000, 2_000_000, 4_000_000):
        done = run(folder, memory_kib=kib)
        codes.append(done.returncode)
        # If memory does not even suffice for the libraries, the loader exits with 127.
        # StarPU does not check all its allocations. A fault has the status of its signal, after a message
        # (docs/reference/exit-codes.md).
        check(f"ulimit -v {kib}", done, (0, 2, 127, -signal.SIGSEGV))
        if done.returncode in (2, -signal.SIGSEGV):
            check(f"ulimit -v {kib}", done, done.returncode, "starhist: ", "memory")
    if codes[-1] != 0 or 2 not in codes:
        check(f"exit codes {codes}", done, -1)


def locks(folder):
    library = folder / "no_locks.so"
    subprocess.run(
        [
            os.environ.get("CC", "cc"),
            "-shared",
            "-fPIC",
            "-O1",
            "-o",
            library,
            ROOT / "tests/faults/no_locks.c",
            "-ldl",
        ],
        check=True,
    )
    preload = {"LD_PRELOAD": str(library), "HDF5_USE_FILE_LOCKING": "TRUE"}
    check("the library alone", run(folder, preload), 0)
    done = run(folder, dict(preload, STARHIST_NO_LOCKS="flock"))
    check(
        "an input without locks",
        done,
        1,
        "water.h5: HDF5 cannot lock it",
        "has no locks",
        "HDF5_USE_FILE_LOCKING=FALSE",
    )
    done = run(folder, dict(preload, STARHIST_NO_LOCKS="fcntl"))
    check("an output without locks", done, 1, "out.h5 cannot be locked", "has no locks")


with tempfile.TemporaryDirectory() as name:
    homes(pathlib.Path(name))
    if sanitized():
        print("not tested with the address sanitizer: preloaded libraries, memory limits")
    else:
        memory(pathlib.Path(name))
        locks(pathlib.Path(name))
sys.exit(1 if failures else 0)
