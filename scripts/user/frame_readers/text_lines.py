"""Reads lines of text files, compressed or not, and numbers in fixed columns; messages contain line numbers."""

import bz2
import codecs
import gzip
import io
import itertools
import lzma
import re

import numpy

from frame_readers.zstd_stream import ZstdStream
from refused import Refused

LONGEST = 1 << 20  # largest line of a text file [bytes]


def open_packed(path):
    """Opens a file as a stream of bytes, decompressed according to its suffix."""
    ending = path.rpartition(".")[2].lower()
    if ending == "zst":
        return io.BufferedReader(ZstdStream(path))
    return {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}.get(ending, open)(path, "rb")


def digits_of(field):
    """Numbers of decimals and of digits of the exponent of a number."""
    decimals, exponent = re.search(r"(?:\.(\d*))?(?:[eEdD][-+]?(\d*))?$", field).groups("")
    return len(decimals), len(exponent)


class TextLines:
    """Reads lines one by one. `number`: number of lines read so far. `ended`: whether a line break ends the last one."""

    def __init__(self, path):
        self.path, self.number, self.ended = path, 0, True
        self.stream = open_packed(path)

    def next(self):
        """Returns the next line without its line break; None after the last line."""
        line = self.stream.readline(LONGEST)
        if len(line) == LONGEST:
            raise Refused(
                f"line {self.number + 1} has more than {LONGEST} characters (the file is not text of this format)"
            )
        if self.number == 0:
            line = line.removeprefix(codecs.BOM_UTF8)
        self.number += bool(line)
        self.ended = line.endswith((b"\n", b"\r")) if line else self.ended
        return line.decode("latin-1").rstrip("\r\n") if line else None

    def needed(self, what):
        """Returns the next line; raises Refused at the end of the file."""
        line = self.next()
        if line is None:
            raise Refused(f"ends after line {self.number}, before {what} (it is cut short: copy it again)")
        return line

    def skip(self, count):
        """Skips lines; returns whether there were enough."""
        before = self.number
        for line in itertools.islice(self.stream, count):
            self.number += 1
            self.ended = line.endswith((b"\n", b"\r"))
        return self.number == before + count

    def place(self):
        return self.stream.tell(), self.number

    def go(self, place):
        offset, self.number = place
        try:
            self.stream.seek(offset)
        except (OSError, ValueError):  # not seekable
            self.stream = open_packed(self.path)
            self.stream.seek(offset)

    def is_over(self, line):
        """Whether the file ends with this line: None, or the first of blank lines. Refuses text behind blank lines,
        which would be left out."""
        blank = line is not None and not line.strip()
        while line is not None and not line.strip():
            line = self.next()
        if blank and line is not None:
            self.refuse("follows a blank line, where the file should end (remove blank lines between frames)")
        return blank or line is None

    def heads(self):
        """Yields offset and first line of each frame; the caller skips the rest of a frame."""
        while True:
            place = self.place()
            line = self.next()
            if self.is_over(line):
                return
            yield place, line

    def refuse(self, problem):
        raise Refused(f"line {self.number}: {problem}")

    def refuse_cut(self, is_short):
        """Refuses the line just read if it is short and ends the file without a line break."""
        if not self.ended and is_short:
            self.refuse(
                "ends the file without a line break, perhaps within a number (copy the file again; if the line is "
                "whole, add a line break)"
            )

    def whole_reals(self, what, count):
        """Returns the numbers of the next line. At the end of a file without a line break, the last number must have
        as many digits as one of the others, because it may be cut."""
        line = self.needed(what)
        values = real_fields(line, self, what, count)
        if not self.ended and not line.endswith((" ", "\t")):
            *others, last = map(digits_of, line.split())
            self.refuse_cut(any(own < min(digits) for own, *digits in zip(last, *others)))
        return values


def cut_within(frame):
    """Returns the note on a file that ends within this frame."""
    return f"ends within frame {frame}; the frames before it are read"


def leave_out_cut_frame(file):
    """Removes the last of `file.places` if its frame ends the file without a line break and cannot be read."""
    if not file.lines.ended:
        try:
            file.read(len(file.places) - 1)
        except Refused:
            if len(file.places) == 1:
                raise
            file.places.pop()
            file.truncation = cut_within(len(file.places))


def number_of(text, lines, what):
    """Returns a real number from a text; refuses other text, with the line number."""
    try:
        return float(text)
    except ValueError:
        return lines.refuse(f"{what} is expected, but '{text.strip()[:40]}' is not a number (copy the file again)")


def whole_number_of(text, lines, what):
    try:
        return int(text)
    except ValueError:
        return lines.refuse(f"{what} is expected, but '{text.strip()[:40]}' is not a whole number")


def real_fields(line, lines, what, count=None):
    """Returns the blank-separated numbers of a line; refuses a line that does not have `count` of them."""
    values = [number_of(field, lines, what) for field in line.split()]
    if count is not None and len(values) != count:
        lines.refuse(f"has {len(values)} numbers, where {what} has {count}")
    return values


def is_reals(line, count):
    """Whether a line consists of exactly this number of real numbers."""
    fields = line.split()
    try:
        return len(fields) == count and all(map(numpy.isfinite, map(float, fields)))
    except ValueError:
        return False


def fixed_fields(line, width):
    """Returns the fields of a Fortran line, of `width` characters each."""
    line = line.rstrip()
    return [line[k : k + width] for k in range(0, len(line), width)]


def fixed_reals(lines, count, width, per_line, what):
    """Reads `count` numbers from lines of `per_line` columns of `width` characters, as in Fortran's (6F12.7)."""
    fields, left = [], count
    while left > 0:
        line = lines.needed(what)
        row = fixed_fields(line, width)
        due = min(left, per_line)
        if len(row) != due:
            lines.refuse(f"has {len(row)} columns of {width} characters, where {what} has {due}")
        lines.refuse_cut(len(row[-1]) < width)
        fields += row
        left -= due
    try:
        return numpy.array(fields, dtype=f"S{width}").astype("f8")
    except ValueError:
        bad = next(k for k, field in enumerate(fields) if not is_reals(field, 1))
        lines.number -= -(-count // per_line) - bad // per_line - 1
        return lines.refuse(
            f"{what} is expected, but '{fields[bad].strip()}' is not a number (stars stand for numbers that did not fit)"
        )
