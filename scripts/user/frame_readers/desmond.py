"""Desmond's DMS (SQLite): positions as doubles, the cell as a matrix."""

import pathlib
import sqlite3

import numpy

from file_frame import MATRIX, FileFrame
from frame_readers.names import NamedFile
from refused import Refused


class Desmond(NamedFile):
    frames, length_unit = 1, "A"

    def __init__(self, source):
        super().__init__(source)
        database = sqlite3.connect(pathlib.Path(source.path).as_uri() + "?mode=ro&immutable=1", uri=True)
        self.positions = numpy.array(
            database.execute("SELECT x, y, z FROM particle ORDER BY id").fetchall(), dtype="f8"
        ).reshape(-1, 3)
        # MDAnalysis reads names in the order in which SQLite stores them.
        ids = [number for (number,) in database.execute("SELECT id FROM particle")]
        indexes = database.execute(
            "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name = 'particle' AND sql IS NOT NULL"
        ).fetchone()[0]
        if ids != sorted(ids) or indexes:
            raise Refused(
                "has a table particle in another order than its ids, or with an index, so that names and positions may "
                "come in different orders (write it anew, with id as the primary key)"
            )
        has_cell = database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'global_cell'").fetchone()[0]
        rows = database.execute("SELECT x, y, z FROM global_cell ORDER BY id").fetchall() if has_cell else []
        self.cell = numpy.array(rows, dtype="f8")
        self.atoms = len(self.positions)

    def read(self, _index):
        """Vectors of zero belong to axes that do not repeat."""
        frame = FileFrame(self.positions, box_source=MATRIX)
        if self.cell.size not in (0, 9):
            frame.box_refusal = f"its global_cell has {len(self.cell)} vectors, and not 3"
        elif self.cell.any():
            frame.box, frame.periodic = self.cell, tuple(bool(row.any()) for row in self.cell)
        return frame
