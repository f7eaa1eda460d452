"""Desmond's DMS (SQLite): positions as doubles, the cell as a matrix."""

import pathlib
import sqlite3

import numpy

from file_frame import MATRIX, FileFrame, join_sites
from frame_readers.names import NamedFile
from refused import Refused


def opened(path):
    return sqlite3.connect(pathlib.Path(path).absolute().as_uri() + "?mode=ro&immutable=1", uri=True)


class Desmond(NamedFile):
    frames, length_unit = 1, "A"

    @classmethod
    def structure(cls, source):
        """Adds insertion codes and the molecules of virtual sites without bonds, which MDAnalysis does not read."""
        table = super().structure(source)
        database = opened(source.path)
        columns = {row[1] for row in database.execute("PRAGMA table_info(particle)")}
        code = "insertion" if "insertion" in columns else "''"
        rows = database.execute(
            f"SELECT chain, segid, resid, {code}, resname, anum = 0 AND mass = 0 FROM particle ORDER BY id"
        ).fetchall()
        codes = [str(row[3] or "").strip() for row in rows]
        if any(codes):
            table["insertion_code"] = codes
        if table.get("molecule"):
            bonded = {atom for bond in database.execute("SELECT p0, p1 FROM bond") for atom in bond}
            is_site = [bool(row[-1]) and place not in bonded for place, row in enumerate(rows)]
            join_sites(table["molecule"], [row[:-1] for row in rows], is_site)
        return table

    def __init__(self, source):
        super().__init__(source)
        database = opened(source.path)
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
