"""Reads files with starhist itself: `info --json` and `convert`, each with a time limit."""

import json
import os
import re
import subprocess
import sys

import numpy as np

from readers.reading import FrameData, Reading

SECONDS = 300
STRUCTURES = ("tpr", "prmtop")  # formats without frames


class Refused(Exception):
    """The program does not read the file, and its message."""


class Crashed(Exception):
    """The program ended otherwise than with a message."""


def run(program, arguments):
    """Standard output; raises Refused or Crashed."""
    # The package that it reads some formats with is of the same environment.
    environment = {"STARHIST_PYTHON": sys.executable, **os.environ}
    try:
        done = subprocess.run(
            [program, *arguments], capture_output=True, text=True, timeout=SECONDS, check=False, env=environment
        )
    except subprocess.TimeoutExpired as error:
        raise Crashed(f"no end after {SECONDS} s") from error
    message = done.stderr.strip()
    if done.returncode < 0 or "Traceback" in message or "terminate called" in message:
        raise Crashed(f"exit code {done.returncode}: {message[-300:]}")
    if done.returncode != 0:
        raise Refused(message)
    return done.stdout


def reason(message, path):
    """Returns the message without parts specific to this file, to group messages by."""
    text = message.splitlines()[0] if message else "no message"
    text = text.removeprefix("starhist: ").replace(path, "FILE")
    text = text.replace(os.path.basename(path), "FILE")
    return re.sub(r"-?\d[\d.e+-]*", "#", text)[:200]


def converted_frames(path):
    """Frames of H5MD as `convert` writes it, without steps and times."""
    import h5py

    frames = []
    with h5py.File(path, "r") as file:
        group = file["particles/all"]
        positions = group["position/value"][:]
        periodic = tuple(word in (b"periodic", "periodic") for word in group["box"].attrs["boundary"])
        edges = group["box/edges/value"][:] if "edges" in group["box"] else [None] * len(positions)
        ids = group["id"][:].tolist() if "id" in group else None
        for frame_positions, matrix in zip(positions, edges):
            frames.append(
                FrameData(
                    np.asarray(frame_positions, float),
                    ids=ids,
                    periodic=periodic,
                    matrix=None if matrix is None else np.asarray(matrix),
                )
            )
    return frames


def described(program, path, *options):
    return json.loads(run(program, ["info", "--json", "--particles", "--frames", "all", path, *options]))


def columns_of(document):
    columns = dict(document.get("particles", {}))
    for field in ("residue", "molecule"):
        columns[field] = columns.get(f"{field}_index")
    return columns


def read_frames(program, path, scratch, document):
    """All frames; one by one where their numbers of particles differ."""
    counts = {frame["particles"] for frame in document["frames"]}
    if len(counts) == 1:
        run(program, ["convert", path, "-o", scratch, "-f"])
        return converted_frames(scratch)
    frames = []
    for k in range(len(document["frames"])):
        run(program, ["convert", path, "-o", scratch, "-f", "--first", str(k), "--last", str(k)])
        frames += converted_frames(scratch)
    return frames


def read(program, path, scratch):
    """(reading, columns of its converted file or None). Raises Refused or Crashed."""
    document = described(program, path)
    frames = read_frames(program, path, scratch, document)
    for frame, described_frame in zip(frames, document["frames"]):
        frame.step = described_frame["step"]
        frame.time = described_frame["time"]
        box = described_frame["box"]
        same = tuple(box["periodic"]) == frame.periodic and (
            frame.matrix is None or np.array_equal(box["matrix"], frame.matrix)
        )
        if not same:
            raise Crashed(f"info --json and convert disagree about the box: {box}, {frame.matrix}, {frame.periodic}")
    reading = Reading(frames, columns_of(document), document["length_unit"], document["time_unit"])
    again = None
    if document["frame_count"] and len({f["particles"] for f in document["frames"]}) == 1:
        again = Reading([], columns_of(described(program, scratch)))
    return reading, again


def write_points(path, count):
    """An XYZ file whose atoms get their names from a structure."""
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{count}\n\n" + "".join(f"X {k} 0 0\n" for k in range(count)))


def read_structure(program, path, folder):
    """The reading of a file without frames, as the structure of a file that has its number of atoms."""
    points = os.path.join(folder, "points.xyz")
    write_points(points, 1)
    try:
        document = described(program, points, "--structure", path)
    except Refused as refused:
        count = re.search(r"the structure .* has (\d+), ", str(refused))
        if not count:
            raise
        write_points(points, int(count[1]))
        document = described(program, points, "--structure", path)
    return Reading([], columns_of(document))
