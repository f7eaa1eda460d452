"""The life of StarPU in a process of Python.

It starts at the first use. Its workers sleep some 10 ms after the last call. At the end of the
process it stops, and saves what it has measured. Signals stay with Python.
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
_ends = False  # the process
_MOST = 2**31 - 1  # the extension takes an int of C
_users: weakref.WeakSet[_User] = weakref.WeakSet()

# StarPU 1.3 reads it while it starts, and respects taskset and batch systems, as 1.4 does anyway.
_WHILE_STARTING = {"STARPU_WORKERS_GETBIND": "1"}
# It reads this one whenever it has no model of a task, and would say so on standard error.
_FROM_NOW_ON = {"STARPU_SILENT": "1"}


def check_process() -> None:
    """Raises RuntimeError in a process that was forked from the one that has started StarPU."""
    if _context is not None and os.getpid() != _process:
        raise RuntimeError(
            "this process was forked from one that uses starhist, and the threads of StarPU are not in "
            "it: start processes by multiprocessing.get_context('spawn'), or fork before the first use"
        )


def start(workers: int = -1, scheduler: str = "", gpus: int = -1) -> None:
    """Start StarPU, which otherwise starts at the first use.

    It sets STARPU_SILENT=1 in os.environ where that is not set, so that StarPU does not print.

    Parameters
    ----------
    workers : int
        Number of threads that count; -1: one for each core that the process may use.
    scheduler : str
        StarPU's name of a scheduler; "": a suitable one.
    gpus : int
        Number of GPUs at most, of a module that was built with CUDA; -1: all that work; 0: none.

    Raises
    ------
    TypeError, ValueError
        For what is no whole number, or below -1.
    RuntimeError
        Where it runs already, or cannot start.
    """
    global _context, _process
    workers = _settings.integer(workers, "workers", -1, _MOST)
    gpus = _settings.integer(gpus, "gpus", -1, _MOST)
    if not isinstance(scheduler, str):
        raise TypeError(f"scheduler is {scheduler!r}: give StarPU's name of one, such as 'lws'")
    scheduler = _settings.text(scheduler, "scheduler")
    with _lock:
        check_process()
        if _ends:
            raise RuntimeError("the process ends, and StarPU has stopped")
        if _context is not None:
            raise RuntimeError("StarPU runs already: call starhist.shutdown() before, which ends all counters")
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


def context() -> _core.Context:
    """StarPU, which is started where it does not run."""
    check_process()
    if _context is None:
        start()
    assert _context is not None
    return _context


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
    """Has `user` give its histogram back before StarPU stops."""
    if _ends:
        raise RuntimeError("the process ends, and StarPU has stopped")
    _users.add(user)


def shutdown() -> None:
    """Stop StarPU, and save its performance models; done at the end of the process too.

    Counters end with it. The next use starts it again.
    """
    global _context
    if _context is None or os.getpid() != _process:
        return
    for user in list(_users):
        user._end_histogram()
    with _lock:
        _context = None


def _end_process() -> None:
    """Stops StarPU for good: threads that are daemons may call this module until the process is gone."""
    global _ends
    _ends = True
    shutdown()


atexit.register(_end_process)
