"""Starts and stops StarPU in a Python process.

StarPU starts at the first use. Its workers sleep about 10 ms after the last call. At the end of the
process StarPU stops and saves its performance models. Python keeps its signal handlers.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from typing import Protocol

from . import _core, _settings


class _User(Protocol):
    def _end_histogram(self) -> None: ...


_lock = threading.Lock()
_context: _core.Context | None = None
_process = 0
_ends = False  # true once the process ends
_MOST = 2**31 - 1  # largest int of C
_users: weakref.WeakSet[_User] = weakref.WeakSet()

# StarPU 1.3 reads this variable when it starts; it then respects taskset and batch systems, as 1.4 always does.
_WHILE_STARTING = {"STARPU_WORKERS_GETBIND": "1"}
# StarPU reads this variable whenever a task has no model; unless it is set, StarPU prints a warning.
_FROM_NOW_ON = {"STARPU_SILENT": "1"}


def check_process() -> None:
    """Raises RuntimeError in a process that was forked after StarPU had started."""
    if _context is not None and os.getpid() != _process:
        raise RuntimeError(
            "this process was forked after the first use of starhist (a fork does not copy StarPU's threads): "
            "start processes by multiprocessing.get_context('spawn'), or fork before the first use"
        )


def start(workers: int = -1, scheduler: str = "", gpus: int = -1) -> None:
    """Start StarPU, which otherwise starts at the first use.

    Sets STARPU_SILENT=1 in os.environ unless the variable is set, so that StarPU does not print.

    Parameters
    ----------
    workers : int
        Number of CPU threads that count, 0 or more; -1: one for each core that the process may use.
    scheduler : str
        StarPU's name of a scheduler, such as "lws"; "": chosen automatically.
    gpus : int
        Largest number of GPUs to use, in a module built with CUDA; -1: all usable GPUs; 0: CPUs only.

    Raises
    ------
    TypeError
        If a number is not an integer, or the scheduler is not a string.
    ValueError
        If a number is below -1.
    RuntimeError
        If StarPU is running already, cannot start, or the process was forked after the first use.
    """
    workers = _settings.integer(workers, "workers", -1, _MOST)
    gpus = _settings.integer(gpus, "gpus", -1, _MOST)
    if not isinstance(scheduler, str):
        raise TypeError(f"scheduler is {scheduler!r}: pass StarPU's name of a scheduler, such as 'lws'")
    scheduler = _settings.text(scheduler, "scheduler")
    with _lock:
        check_process()
        if _context is not None:
            raise RuntimeError("StarPU is running already: call starhist.shutdown() first, which ends all counters")
        _start(workers, gpus, scheduler)


def _start(workers: int, gpus: int, scheduler: str) -> _core.Context:
    """Starts StarPU, which is not running. The caller holds _lock."""
    global _context, _process
    if _ends:
        raise RuntimeError("the process ends, and StarPU has stopped")
    for name, value in _FROM_NOW_ON.items():
        os.environ.setdefault(name, value)
    set_here = [name for name in _WHILE_STARTING if name not in os.environ]
    os.environ.update({name: _WHILE_STARTING[name] for name in set_here})
    try:
        _context = _core.Context(workers, gpus, scheduler)
    finally:
        for name in set_here:
            os.environ.pop(name, None)
    _process = os.getpid()
    return _context


def context() -> _core.Context:
    """Returns StarPU's context; starts StarPU if it is not running. Threads may call this simultaneously."""
    check_process()
    running = _context
    if running is None:
        with _lock:
            running = _context if _context is not None else _start(-1, -1, "")
    return running


def workers() -> int:
    """Number of threads and GPU streams that count; starts StarPU.

    Returns
    -------
    int

    Examples
    --------
    >>> import starhist
    >>> starhist.workers() > 0
    True
    """
    return context().workers()


def register(user: _User) -> None:
    """Registers `user`, whose histogram is released before StarPU stops."""
    if _ends:
        raise RuntimeError("the process ends, and StarPU has stopped")
    _users.add(user)


def shutdown() -> None:
    """Stop StarPU and save its performance models; also done at the end of the process.

    All counters end, and their counts are lost. The next use starts StarPU again.
    """
    global _context
    if _context is None or os.getpid() != _process:
        return
    for user in list(_users):
        user._end_histogram()
    with _lock:
        _context = None


def _end_process() -> None:
    """Stops StarPU and refuses later starts: daemon threads may call this module until the process is gone."""
    global _ends
    _ends = True
    shutdown()
    if os.getpid() == _process:
        _core.wait_for_calls()


atexit.register(_end_process)
