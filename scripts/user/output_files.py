"""Output files of scripts: never overwrite an input, and are written completely or not at all."""

import contextlib
import errno
import io
import os
import pathlib
import stat
import time

from output_kinds import no_folder

TIME_FOR_READER = 10  # longest wait for a program that opens a named pipe for reading [s]


def _is_same(a, b):
    """Whether two paths refer to the same regular file, also through links, or would if it existed."""
    try:
        there = os.stat(a)
    except OSError:
        return not os.path.exists(b) and os.path.realpath(a) == os.path.realpath(b)
    try:
        return stat.S_ISREG(there.st_mode) and os.path.samestat(there, os.stat(b))
    except OSError:
        return False


def path_conflict(written, read):
    """Returns a message if an output would overwrite an input or another output; "" otherwise.

    written, read: [(path, option; "" for a positional argument)].
    """
    for k, (path, option) in enumerate(written):
        for other, source in read:
            if _is_same(path, other):
                return (
                    f"{option} '{path}' would overwrite '{other}', which {source + ' reads' if source else 'is read'}"
                    " (choose another name for the output)"
                )
        for other, source in written[:k]:
            if _is_same(path, other):
                return (
                    f"{option} '{path}' and {source} '{other}' would overwrite each other (choose another name "
                    "for one of them)"
                )
    return ""


def _write_to_pipe(path, content):
    """Writes to a named pipe. Raises OSError if no program reads it within TIME_FOR_READER."""
    end = time.monotonic() + TIME_FOR_READER
    while True:
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() >= end:
                raise OSError(
                    errno.ENXIO,
                    f"no program has opened this pipe for reading within {TIME_FOR_READER} s: "
                    "start the program that reads it first",
                    os.fspath(path),
                ) from None
        time.sleep(0.02)
    os.set_blocking(pipe, True)
    with open(pipe, "wb") as file:
        file.write(content)


def _with_remedy(error, path):
    """The error of writing to `path`, with a remedy in its text."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    remedy = "make room, or write to another disk" if full else "choose another name or folder"
    return OSError(error.errno, f"{os.strerror(error.errno)}: {remedy}", os.fspath(path))


def write_whole_file(path, content):
    """Writes bytes, or text as UTF-8, to a temporary file, and renames it once it is complete and on disk. An existing
    file is kept until then, and if anything fails. Writes devices and pipes directly. Raises OSError, also
    for a pipe that no program reads."""
    content = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    if pathlib.Path(path).is_fifo():
        _write_to_pipe(path, content)
        return
    target = pathlib.Path(os.path.realpath(path))
    direct = os.fspath(path).startswith(("/dev/", "/proc/")) or (target.exists() and not target.is_file())
    if direct:
        try:
            pathlib.Path(path).write_bytes(content)
        except OSError as error:
            raise _with_remedy(error, path) from None
        return
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, no_folder(target.parent), os.fspath(path))
    aside = target.with_name(f".starhist-{os.getpid()}.new")
    try:
        with open(aside, "xb") as file:
            if target.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno:
            raise _with_remedy(error, path) from None
        raise


def write_figure(figure, paths, dpi):
    """Writes a Matplotlib figure to each of the files, in the format of its suffix (default: PNG). SVG files contain
    no date, so that equal figures give equal files. Raises OSError, and ValueError for an unknown suffix."""
    for path in paths:
        form = pathlib.Path(path).suffix[1:].lower() or "png"
        image = io.BytesIO()
        # Formats such as JPEG accept no metadata, not even an empty dictionary.
        figure.savefig(image, format=form, dpi=dpi, **({"metadata": {"Date": None}} if form == "svg" else {}))
        write_whole_file(path, image.getvalue())
