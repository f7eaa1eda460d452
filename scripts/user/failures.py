"""Messages in place of tracebacks, for failures that a script does not expect."""

import errno
import os
import signal
import sys
import traceback

TRACEBACK = "STARHIST_TRACEBACK"  # environment variable; if it is set, tracebacks are printed


def problem_of(error):
    """Returns an OSError as "FILE: reason", without its number and Python's own words; other errors as text."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    reason = "does not exist" if error.strerror == os.strerror(errno.ENOENT) else error.strerror
    return f"{os.fspath(error.filename)}: {reason}" if error.filename else reason


def report_failure(prog, kind, error, trace):
    """Prints one message about an uncaught exception. Interrupts end the process without a message, by
    the signal, as other programs do."""
    if os.environ.get(TRACEBACK):
        traceback.print_exception(kind, error, trace)
        return
    if issubclass(kind, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    if issubclass(kind, MemoryError):
        text = "not enough memory"
    else:
        last = traceback.extract_tb(trace)[-1] if trace else None
        place = f" in {os.path.basename(last.filename)}, line {last.lineno}" if last else ""
        text = (
            f"{kind.__name__}{place} ({problem_of(error)}): please report this, with the output of the same command "
            f"after export {TRACEBACK}=1"
        )
    print(f"{prog}: {text}", file=sys.stderr)


def report_failures(prog):
    """From now on, report_failure() reports uncaught exceptions. Unblocks SIGINT, which starhist
    blocks while Python starts (driver/program.cc)."""
    sys.excepthook = lambda *failure: report_failure(prog, *failure)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
