"""GAMESS from a stream of text, such as a decompressed file, whose frames MDAnalysis would look for in bytes."""

import re

from MDAnalysis.coordinates.GMS import GMSReader
from MDAnalysis.lib.util import openany

FIRST_LINES = {"optimize": ".NSERCH=", "surface": ".COORD 1="}  # of a frame, by the kind of run


class GamessText(GMSReader):
    def _read_out_n_frames(self):
        first = re.compile(FIRST_LINES[self.runtyp])
        self._offsets = []
        with openany(self.filename) as text:
            place = text.tell()
            while line := text.readline():
                if first.match(line):
                    self._offsets.append(place)
                place = text.tell()
        return len(self._offsets)
