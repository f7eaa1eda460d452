"""Frames of a running simulation, received by MDAnalysis' IMDReader (2.10 or later) and imdclient."""

import MDAnalysis
import numpy

from file_frame import FileFrame, Reader

SECONDS = 590  # wait for a frame before the stream counts as ended; below starhist's own limit of 600 s


def imd_reader():
    try:
        from MDAnalysis.coordinates.IMD import HAS_IMDCLIENT, IMDReader
    except ImportError as error:
        version = getattr(MDAnalysis, "__version__", "of unknown version")
        raise ValueError(
            f"reading a running simulation needs MDAnalysis 2.10 or later and imdclient, but this is {version}: "
            "run `pip install MDAnalysis imdclient`, and set STARHIST_PYTHON to that Python"
        ) from error
    if not HAS_IMDCLIENT:
        raise ImportError("missing or too old", name="imdclient")
    return IMDReader


def reason_of(error):
    """Returns why the stream ended; imdclient keeps the reason in the causes of its exceptions."""
    while error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, TimeoutError):
        return f"no frame arrived for {SECONDS} s"
    return str(error) if isinstance(error, RuntimeError) else "the connection is closed"


class ImdStream(Reader):
    frames, length_unit, time_unit = 0, "A", "ps"  # the units of the protocol

    def __init__(self, source):
        if not hasattr(MDAnalysis, "Universe"):
            raise ImportError("it has no Universe", name="MDAnalysis")
        reader = imd_reader()
        self.box = None
        keep = reader._load_imdframe_into_ts

        def load(this, received):
            # MDAnalysis would convert the box to lengths and angles in single precision.
            self.box = None if received.box is None else numpy.array(received.box, dtype="f8")
            keep(this, received)

        self.reader = type("Reader", (reader,), {"_load_imdframe_into_ts": load})(
            source.path, n_atoms=source.atoms, convert_units=False, timeout=SECONDS
        )
        self.atoms = source.atoms
        self.current = 0
        if not self.reader._imdclient.get_imdsessioninfo().positions:
            raise ValueError("the simulation sends no positions")

    def read(self, index):
        """Returns frame `index`, counted from 0, or the reason why the stream ended. Frames can only be read in
        ascending order."""
        if index < self.current:
            raise ValueError(f"frame {index} has passed already")
        while self.current < index:
            try:
                self.reader._read_frame(self.current + 1)
            except (EOFError, OSError) as error:
                return reason_of(error)
            self.current += 1
        timestep = self.reader.ts
        step = timestep.data.get("step", 0)
        time = float(timestep.time) if "dt" in timestep.data else None
        box = self.box if self.box is not None and self.box.any() else None
        periodic = (True, True, True) if box is None else tuple(bool(edge.any()) for edge in box)
        return FileFrame(timestep.positions, box, int(step), time, periodic)
