"""The table of settled differences: where a rival does not follow the format's documents."""

import csv
import os

TABLE = os.path.join(os.path.dirname(__file__), "settled.csv")


class Settled:
    """Rows of settled.csv: format, reader, field, condition and the reason.

    A condition is features of the file joined by " & ", each of which must hold, or empty.
    "a|b" in format, reader or field means either. "file NAME" is a feature of a file that
    was not generated; features.py finds its others.
    """

    def __init__(self):
        with open(TABLE, newline="") as file:
            self.rows = list(csv.DictReader(line for line in file if not line.startswith("#")))

    def row_for(self, form, reader, field, tags):
        """The row that settles a difference, or None."""

        def holds(row):
            wanted = [w for w in row["condition"].split(" & ") if w]
            return (
                form in row["format"].split("|")
                and reader in row["reader"].split("|")
                and field in row["field"].split("|")
                and all(w in tags for w in wanted)
            )

        return next(filter(holds, self.rows), None)
