"""The life of StarPU in a process of Python: start, rest, threads, forks, Ctrl-C, end."""

import itertools
import multiprocessing
import os
import pathlib
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import starhist

POSITIONS = np.random.default_rng(2).random((500, 3))
SETTINGS = {"r_max": 0.5, "bins": 50}
# Of a count that takes over ten minutes; below 1 s unless other programs have the cores.
INTERRUPT_SECONDS = 60
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
# Time of a core for each worker, whatever other programs do; a task alone takes 0.3 s and more.
INTERRUPT_CPU_SECONDS = 1.5 if SANITIZED else 0.15


def run(code, *, signal_after=None, **environment):
    """Runs `code` in a process of its own; with a signal so many seconds after it has printed."""
    # In a separate process group, as a shell would start it.
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )  # fmt: skip
    waited = None
    if signal_after is not None:
        process.stdout.readline()
        time.sleep(signal_after)
        process.send_signal(signal.SIGINT)
        waited = time.monotonic()
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err, None if waited is None else time.monotonic() - waited


def count():
    return starhist.rdf(POSITIONS, box=[1, 1, 1], **SETTINGS).counts


def test_workers_sleep_between_calls():
    count()
    time.sleep(0.2)
    before = time.process_time()
    time.sleep(1.0)
    assert time.process_time() - before < 0.01
    count()


def test_nothing_else_of_the_process_changes():
    code = """
import os, signal, starhist, numpy as np
before = {**os.environ, "STARPU_SILENT": "1"}, [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGSEGV)]
starhist.rdf(np.zeros((3, 3)), box='none', r_max=1, bins=1)
after = dict(os.environ), [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGSEGV)]
assert before == after
"""
    status, out, err, _ = run(code)
    assert (status, out, err) == (0, "", "")


def test_start_and_shutdown(tmp_path):
    code = """
import starhist, numpy as np
for wrong in ({"workers": -2}, {"gpus": -2}):
    try:
        starhist.start(**wrong)
    except ValueError as error:
        assert "-2" in str(error), error
    else:
        print("taken:", wrong)
starhist.start(workers=1, scheduler="eager", gpus=0)
try:
    starhist.start()
except RuntimeError as error:
    print("refused:", error)
print(starhist.workers())
counter = starhist.Counter(r_max=1, bins=1)
counter.add(np.zeros((3, 3)))
first = counter.result()
starhist.shutdown()
try:
    counter.add(np.zeros((3, 3)))
except RuntimeError as error:
    print("ended:", error)
first.save(r"%s")
print(starhist.rdf(np.zeros((4, 3)), box='none', r_max=1, bins=1).counts, first.counts)
""" % (tmp_path / "first.h5")
    status, out, err, _ = run(code)
    assert status == 0, err
    lines = out.splitlines()
    assert "refused: StarPU is running already" in lines[0]
    assert lines[1] == "1"
    assert "ended: StarPU was shut down" in lines[2]
    assert lines[3] == "[[6]] [[3]]"
    assert dict(starhist.load(tmp_path / "first.h5")._file.__dict__)


def test_daemon_threads_may_count_when_the_process_ends():
    code = """
import threading, time, numpy as np, starhist
threading.excepthook = lambda args: None  # the thread hears that StarPU has stopped
positions = np.random.default_rng(0).random((%d, 3))
def count():
    while True:
        counter = starhist.Counter(r_max=0.3, bins=50)
        for _ in range(20):
            counter.add(positions, [1, 1, 1])
        counter.result()
starhist.workers()
for _ in range(4):
    threading.Thread(target=count, daemon=True).start()
time.sleep(%f)
"""
    for particles, seconds in itertools.product((300, 6000), (0.1, 0.25, 0.4)):
        status, out, err, _ = run(code % (particles, seconds))
        assert (status, out, err) == (0, "", ""), (particles, seconds)


def test_an_interrupted_add_counts_its_frame_wholly_or_not_at_all():
    code = """
import random, signal, numpy as np, starhist
def stop(*_):
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, stop)
random.seed(1)
positions = np.random.default_rng(0).random((20, 3))
counter = starhist.Counter(["A"] * 20, names=["A", "B"], r_max=0.5, bins=5, frames_per_block=10**6)
labels = {name: np.array([name] * 20) for name in "AB"}
counter.add(positions, [1, 1, 1])
for k in range(100):
    try:  # again and again, as an exception in a destructor is lost
        signal.setitimer(signal.ITIMER_REAL, 1e-4 + 3e-4 * random.random(), 0.1)
        while True:
            counter.add(positions, [1, 1, 1], species=labels["AB"[k % 2]])
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
    before = counter.result().counts
    counter.add(positions, [1, 1, 1])
    added = (counter.result().counts - before).sum(axis=1) > 0
    assert added.tolist() in ([True, False, False], [False, False, True]), added
    assert [bool(counter._labels[0])] == [added.tolist()[2]], (k, counter._labels, added)
result = counter.result()
print(counter.frames == result.frames)
"""
    status, out, err, _ = run(code)
    assert (status, out) == (0, "True\n"), err


def test_a_signal_handler_closes_the_counter_that_counts():
    code = """
import signal, time, numpy as np, starhist
counter = starhist.Counter(r_max=2.0, bins=10_000)
giant = np.random.default_rng(0).random((1_500_000, 3), dtype=np.float32)
handled = []
def close(*_):
    try:
        counter.result()
    except RuntimeError as error:
        handled.append("only close() works" in str(error))
    counter.close()
    handled.append(time.monotonic())
signal.signal(signal.SIGALRM, close)
signal.setitimer(signal.ITIMER_REAL, 1.5)
begin = time.monotonic()
try:
    while True:
        counter.add(giant)
except RuntimeError as error:
    print(handled[0], handled[1] - begin < 9, counter._histogram is None)
"""
    status, out, err, _ = run(code)
    assert (status, out) == (0, "True True True\n"), err


def test_interrupt_of_a_closed_histogram():
    code = """
import starhist
counter = starhist.Counter(r_max=0.5, bins=5)
histogram = counter._histogram
counter.close()
histogram.interrupt()
print(histogram.frames)
"""
    status, out, err, _ = run(code)
    assert (status, out) == (0, "0\n"), err


def test_threads_may_start_starpu_at_the_same_time():
    code = """
import threading, numpy as np, starhist
positions = np.random.default_rng(0).random((50, 3))
threads = 8
begin = threading.Barrier(threads)
results, errors = [], []
def count():
    begin.wait()
    try:
        results.append(starhist.rdf(positions, box=[1, 1, 1], r_max=0.5, bins=5).frames)
    except Exception as error:
        errors.append(error)
for _ in range(3):
    started = [threading.Thread(target=count) for _ in range(threads)]
    for thread in started: thread.start()
    for thread in started: thread.join()
    starhist.shutdown()
print(results.count(1), errors)
"""
    status, out, err, _ = run(code)
    assert (status, out) == (0, "24 []\n"), err


@pytest.mark.parametrize("number, end", [(500, "counter.result(); counter.close()"), (10_000, "del counter")])
def test_histograms_leave_no_memory_behind(number, end):
    """Also 10 000 that are begun and dropped."""
    code = f"""
import ctypes, numpy as np, starhist
class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]
mallinfo2 = ctypes.CDLL(None).mallinfo2
mallinfo2.restype = Info
positions = np.random.default_rng(0).random((50, 3))
def used_after(histograms):
    for _ in range(histograms):
        counter = starhist.Counter(r_max=0.5, bins=5)
        counter.add(positions, [1, 1, 1])
        {end}
    return mallinfo2().uordblks
first = used_after(100)
print(used_after({number}) - first)
"""
    status, out, err, _ = run(code)
    assert (status, err) == (0, "")
    assert int(out) < 100_000  # 3.7 kB each before


def test_the_end_of_a_process_that_counts(tmp_path):
    """It ends as usual, and the models of StarPU are saved."""
    code = """
import starhist, numpy as np
counter = starhist.Counter(r_max=0.2, bins=100)
for _ in range(40):
    counter.add(np.random.default_rng(0).random((3000, 3)), [1, 1, 1])
counter.result()
counter.add(np.random.default_rng(0).random((3000, 3)), [1, 1, 1])
"""
    environment = {"STARPU_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "STARPU_CALIBRATE": "1"}
    status, out, err, _ = run(code, **environment)
    assert (status, out, err) == (0, "", "")
    assert list((tmp_path / ".starpu/sampling/codelets").rglob("*count*")), "no models"


@pytest.mark.parametrize(
    "call", ["counter.add(giant)", "counter.add(giant); counter.result()", "starhist.rdf(giant, **settings)"]
)
def test_interrupt(call):
    code = f"""
import signal, starhist, numpy as np, time
giant = np.random.default_rng(0).random((1_500_000, 3), dtype=np.float32)
settings = {{"r_max": 2.0, "bins": 10_000}}
counter = starhist.Counter(**settings)
counter.add(giant[:10])
counter.result()
def interrupt(*_):
    global begin
    begin = time.process_time()
    raise KeyboardInterrupt
signal.signal(signal.SIGINT, interrupt)
print("begun", flush=True)
try:
    while True:
        {call}
except KeyboardInterrupt:
    seconds = (time.process_time() - begin) / starhist.workers()
    print("interrupted" if seconds < {INTERRUPT_CPU_SECONDS} else seconds, flush=True)
counter.reset()
counter.add(giant[:10])
print(counter.result().counts.sum())
"""
    status, out, err, seconds = run(code, signal_after=1.5)
    assert status == 0, err
    assert out == "interrupted\n45\n"
    assert seconds < INTERRUPT_SECONDS  # also to count again, and to end


def test_interrupt_ends_a_script():
    code = """
import starhist, numpy as np
giant = np.random.default_rng(0).random((1_500_000, 3), dtype=np.float32)
starhist.workers()
print("begun", flush=True)
starhist.rdf(giant, box="none", r_max=2.0, bins=10_000)
"""
    status, _, err, seconds = run(code, signal_after=1.5)
    assert status in (1, 130, -signal.SIGINT)
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert seconds < INTERRUPT_SECONDS


def test_threads():
    counts = count()
    results = []

    def work():
        for _ in range(10):
            results.append(count())

    shared = starhist.Counter(**SETTINGS)

    def add():
        for _ in range(10):
            shared.add(POSITIONS, [1, 1, 1])

    threads = [threading.Thread(target=target) for target in (work, add, work, add)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 20
    for result in results:
        np.testing.assert_array_equal(result, counts)
    np.testing.assert_array_equal(shared.result().counts, 20 * counts)
    assert shared.result().frames == shared.frames == 20


def test_other_threads_run_while_frames_are_counted():
    positions = np.random.default_rng(0).random((60_000, 3))
    counter = starhist.Counter(r_max=2.0, bins=1000)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    counter.add(positions)
    counter.result()
    end = time.monotonic()
    done.set()
    thread.join()
    inside = [t for t in ticks if begin <= t <= end]
    assert end - begin > 0.1
    assert len(inside) > 5


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_gets_an_exception():
    count()
    counter = starhist.Counter(**SETTINGS)
    counter.add(POSITIONS)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        told = []
        for call in (count, starhist.workers, counter.result, lambda: counter.add(POSITIONS), counter.reset):
            try:
                call()
                told.append("nothing")
            except RuntimeError as error:
                told.append("spawn" if "spawn" in str(error) else str(error))
        counter.close()
        starhist.shutdown()
        os.write(write, ",".join(told).encode())
        os._exit(0)
    os.close(write)
    _, status = os.waitpid(child, 0)
    assert os.read(read, 10_000).decode() == "spawn,spawn,spawn,spawn,spawn"
    os.close(read)
    assert status == 0
    assert counter.result().frames == 1


def test_a_child_forked_before_the_first_use():
    code = """
import multiprocessing, starhist, numpy as np
def work(n):
    return int(starhist.rdf(np.zeros((n, 3)), box='none', r_max=1, bins=1).counts.sum())
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(work, [2, 3, 4]))
"""
    status, out, err, _ = run(code)
    assert (status, out) == (0, "[1, 3, 6]\n"), err


def spawned(n):
    return int(starhist.rdf(np.zeros((n, 3)), box="none", r_max=1, bins=1).counts.sum())


def test_multiprocessing_with_spawn():
    count()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(spawned, [2, 3, 4]) == [1, 3, 6]


USES = {
    "starhist": "assert starhist.rdf(np.zeros((3, 3)), box='none', r_max=1, bins=1).counts.sum() == 3",
    "h5py": f"assert len(h5py.File({str(pathlib.Path(__file__).parents[1] / 'data/water.h5')!r})['particles']) == 1",
    "MDAnalysis": "MDAnalysis.Universe.empty(2)",
    "torch": "assert float(torch.ones(3).sum()) == 3",
}


@pytest.mark.parametrize("order", list(itertools.permutations(["starhist", "h5py", "MDAnalysis"])) + [("torch", "starhist"), ("starhist", "torch")], ids="-".join)  # fmt: skip
def test_import_orders(order):
    for module in order:
        pytest.importorskip(module)
    code = "import numpy as np\n" + "".join(f"import {module}\n" for module in order)
    code += "".join(USES[module] + "\n" for module in [*order, *reversed(order)])
    status, _, err, _ = run(code)
    assert status == 0, err


def test_the_extension_has_no_hdf5():
    starhist.workers()
    code = "import starhist; starhist.workers(); print(open('/proc/self/maps').read())"
    status, out, err, _ = run(code)
    assert status == 0, err
    assert "_core" in out and "libhdf5" not in out


@pytest.mark.skipif(SANITIZED, reason="the address sanitizer keeps memory that is freed")
def test_memory_does_not_grow():
    def rounds(n):
        for _ in range(n):
            counter = starhist.Counter(r_max=0.5, bins=20_000)
            for _ in range(20):
                counter.add(POSITIONS, [1, 1, 1])
            counter.result()

    rounds(20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rounds(60)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000  # kB
