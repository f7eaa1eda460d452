"""Checks for Python packages that the scripts need."""

import importlib
import signal
import sys


def require(command, *modules, exit_code=2):
    """Exits with a message and `exit_code` if one of the modules cannot be imported.

    The package of a module is python3-MODULE in Debian and Ubuntu and MODULE in PyPI.
    """
    reasons = {}
    # An interrupt within numpy's import would become an ImportError.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as reason:
            reasons[module] = str(reason)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if not reasons:
        return
    packages = " ".join(f"python3-{module}" for module in reasons)
    print(
        f"{command}: needs {' and '.join(reasons)} ({sys.executable} reports: {next(iter(reasons.values()))}): "
        f"install {packages} (Debian, Ubuntu), or run `pip install {' '.join(reasons)}` and set STARHIST_PYTHON "
        "to that Python",
        file=sys.stderr,
    )
    sys.exit(exit_code)
