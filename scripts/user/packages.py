"""What the scripts need beside Python itself."""

import importlib
import sys


def require(command, *modules, exit_code=2):
    """Ends `command` with a sentence and `exit_code` where one of the modules cannot be imported.

    A module is called python3-MODULE in Debian and Ubuntu and MODULE in PyPI.
    """
    reasons = {}
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as reason:
            reasons[module] = str(reason)
    if not reasons:
        return
    packages = " ".join(f"python3-{module}" for module in reasons)
    print(
        f"{command}: needs {' and '.join(reasons)} ({sys.executable} says: {next(iter(reasons.values()))}): "
        f"install {packages} (Debian, Ubuntu), or name with STARHIST_PYTHON a Python where "
        f"`pip install {' '.join(reasons)}` has put them",
        file=sys.stderr,
    )
    sys.exit(exit_code)
