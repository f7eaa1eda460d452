"""Signals at the edges of a run.

A run that is asked to stop while a frame cannot be read ends after 20 seconds, and goes on; the same signal twice
in a moment counts once; one that comes after the result, while the process ends, leaves the exit code.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["STARHIST_PROGRAM"]
sys.path.insert(0, str(ROOT / "scripts/checks"))
FRAMES = 4000


def write_frames(path):
    """More than is read ahead."""
    with open(path, "w", encoding="ascii") as file:
        for frame in range(FRAMES):
            file.write(f'100\nLattice="3 0 0 0 3 0 0 0 3" Time={frame}\n')
            file.writelines(f"Ar {k * 0.03:.5f} {frame % 300 * 0.01:.5f} {k % 7}\n" for k in range(100))


def build(source, folder):
    """A library to be preloaded; None without a C compiler."""
    library = folder / source.replace(".c", ".so")
    command = ["cc", "-shared", "-fPIC", "-o", library, ROOT / "tests/faults" / source]
    return library if subprocess.run(command, check=False).returncode == 0 else None


def send_twice(run, number):
    """The signal, and again as soon as it is received, unless this takes so long that it is another request."""
    begin = time.monotonic()
    run.send_signal(number)
    pending = pathlib.Path(f"/proc/{run.pid}/status")
    while int(pending.read_text().split("ShdPnd:")[1].split()[0], 16) and time.monotonic() - begin < 0.1:
        pass
    if time.monotonic() - begin < 0.1:
        run.send_signal(number)


def check_signal_after_result(folder, words, environment):
    ended = folder / "ended"
    run = subprocess.Popen(
        words,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(
            environment, LD_PRELOAD=str(build("pause_at_exit.c", folder)), STARHIST_PAUSE_AT_EXIT=f"starhist:{ended}"
        ),
    )
    while not ended.exists() and run.poll() is None:
        time.sleep(0.001)
    run.send_signal(signal.SIGUSR1)
    error = run.communicate(timeout=100)[1]
    assert run.returncode == 0, f"exit code {run.returncode} after a signal that came after the result: {error}"


def main():
    if b"__asan_init" in pathlib.Path(PROGRAM).read_bytes():
        print("SKIPPED: the address sanitizer must be the first library")
        return 77
    import compare_results

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        library = build("slow_read.c", folder)
        if library is None:
            print("SKIPPED: there is no C compiler")
            return 77
        write_frames(folder / "frames.xyz")
        gate = folder / "gate"
        environment = dict(os.environ, STARPU_NCPU="1", STARPU_NCUDA="0", STARPU_SILENT="1", STARPU_WORKERS_NOBIND="1")

        def words(output, *more):
            return [
                PROGRAM,
                "rdf",
                folder / "frames.xyz",
                "--r-max",
                "1.2",
                "--bins",
                "100",
                "--block",
                "10",
                "--memory",
                "0.05",
                "--checkpoint",
                "0.05",
                "-q",
                "-o",
                folder / output,
                *more,
            ]

        run = subprocess.Popen(
            words("out.h5"),
            stderr=subprocess.PIPE,
            text=True,
            env=dict(environment, LD_PRELOAD=str(library), STARHIST_SLOW_READ=str(gate)),
        )
        while not (folder / "out.h5.partial").exists() and run.poll() is None:
            time.sleep(0.001)
        gate.touch()
        time.sleep(1)  # frames read so far are counted
        begin = time.monotonic()
        send_twice(run, signal.SIGTERM)
        error = run.communicate(timeout=100)[1]
        seconds = time.monotonic() - begin
        gate.unlink()
        print(f"exit code {run.returncode} after {seconds:.1f} s: {error}")
        assert run.returncode == 4 and 20 <= seconds < 40, "it does not end after 20 s"
        assert "stopped mid-frame" in error and "--resume" in error, "the sentence is missing"
        assert not (folder / "out.h5").exists() and (folder / "out.h5.partial").exists()
        subprocess.run(words("out.h5", "--resume"), env=environment, check=True)
        check_signal_after_result(folder, words("alone.h5"), environment)
        differences = list(compare_results.differences(folder / "out.h5", folder / "alone.h5"))
        assert not differences, differences[:5]
    return 0


if __name__ == "__main__":
    sys.exit(main())
