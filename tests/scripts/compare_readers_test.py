"""scripts/checks/compare_readers.py: generated files repeat, and differences are seen."""

import os
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("SKIPPED: numpy is missing")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "scripts", "checks"))

from readers.differences import compare
from readers.features import FEATURES
from readers.make_binary import xtc_integers
from readers.make_biomol import hybrid36, make_pdb
from readers.make_lammps import make_dump
from readers.make_xyz import make_extxyz
from readers.reading import FrameData, Reading, partition
from readers.settled import Settled


def reading(**kwargs):
    frame = {
        "positions": np.array([[0.1, 0.2, 0.3], [1, 2, 3]]),
        "matrix": np.diag([4.0, 5, 6]),
        "periodic": (True, True, False),
        "step": 3,
        "time": 0.5,
        **kwargs,
    }
    return Reading([FrameData(**frame)], {"name": ["O", "H"], "residue": [("A", 1), ("B", 1)]})


def fields(expected, seen, must_have=False):
    return sorted(d.field for d in compare(expected, seen, must_have)[1])


class CompareReaders(unittest.TestCase):
    def test_equal_readings_have_no_difference(self):
        self.assertEqual(fields(reading(), reading()), [])

    def test_each_field_that_differs_is_named(self):
        self.assertEqual(fields(reading(), reading(step=4)), ["step"])
        self.assertEqual(fields(reading(), reading(time=0.25)), ["time"])
        self.assertEqual(fields(reading(), reading(periodic=(True,) * 3)), ["periodic axes"])
        self.assertEqual(fields(reading(), reading(matrix=np.diag([4.0, 5.5, 6]))), ["box matrix"])
        self.assertEqual(fields(reading(), reading(positions=np.zeros((3, 3)))), ["number of particles"])
        # The last bit of a position counts.
        moved = np.array([[np.nextafter(0.1, 1), 0.2, 0.3], [1, 2, 3]])
        self.assertEqual(fields(reading(), reading(positions=moved)), ["positions"])

    def test_edges_of_open_axes_do_not_count(self):
        self.assertEqual(fields(reading(), reading(matrix=np.diag([4.0, 5, 99]))), [])

    def test_a_turned_cell_differs_only_where_its_matrix_is_compared(self):
        turned = np.diag([4.0, 5, 6])[:, [1, 0, 2]]
        self.assertEqual(fields(reading(), reading(matrix=turned)), ["box matrix"])
        self.assertEqual(fields(reading(), reading(matrix=turned, oriented=False)), [])

    def test_rows_are_matched_by_id(self):
        one, other = reading(ids=[7, 3]), reading(ids=[3, 7])
        other.frames[0].positions = one.frames[0].positions[::-1]
        self.assertEqual(fields(one, other), [])

    def test_residues_are_compared_as_groups(self):
        merged = reading()
        merged.columns["residue"] = [0, 0]
        self.assertEqual(fields(reading(), merged), ["residue"])
        self.assertEqual(partition("abac"), [0, 1, 0, 2])

    def test_a_field_that_is_missing_counts_where_it_must_not(self):
        without = reading()
        del without.columns["name"]
        self.assertEqual(fields(reading(), without), [])
        self.assertEqual(fields(reading(), without, must_have=True), ["name"])

    def test_a_seed_gives_the_same_file_again(self):
        with tempfile.TemporaryDirectory() as folder:
            for make in (make_dump, make_extxyz, make_pdb):
                first = make(5, os.path.join(folder, "first")).path
                again = make(5, os.path.join(folder, "again")).path
                with open(first) as a, open(again) as b:
                    self.assertEqual(a.read(), b.read())

    def test_integers_of_xtc_round_as_its_library_does(self):
        # In double, 1.3045f * 1000 is 1304.49998; in single precision it is 1304.5.
        positions = np.array([[1.3045, -2.8075, 0.25]], "f4")
        self.assertEqual(xtc_integers(positions).tolist(), [[1305, -2808, 250]])

    def test_hybrid36_continues_decimal_numbers(self):
        # From the definition: 9999 is followed by A000, zzzz is the last of four columns.
        self.assertEqual(
            [hybrid36(4, n) for n in (-3, 9999, 10000, 10035, 10036, 1223056)],
            ["  -3", "9999", "A000", "A00Z", "A010", "a000"],
        )

    def test_the_first_row_that_differs_is_shown(self):
        other = reading()
        other.columns = {"name": ["O", "C"], "residue": [0, 0]}
        shown = {d.field: (d.expected, d.seen) for d in compare(reading(), other)[1]}
        self.assertEqual(
            shown, {"name": ("row 1: 'H'", "'C'"), "residue": ("row 1: a group of its own", "row 1: with row 0")}
        )

    def test_boxes_without_a_periodic_axis_are_equal(self):
        free = (False, False, False)
        turned = reading(periodic=free, matrix=np.eye(3), oriented=False)
        self.assertEqual(fields(reading(periodic=free), turned), [])

    def test_features_of_others_files_are_found_in_the_text(self):
        texts = {
            "pdb": ["ATOM      1  O   TIP3W   1       1.000   1.000   1.000", "ENDMDL", "END"],
            "gro": ["two", "2", "99999SOL     OW    1   0.1 0.2 0.3", "    0SOL     OW    3   0.1 0.2 0.3", "1 1 1"],
            "dump": ["ITEM: BOX BOUNDS pp pp pp", "0 1", "0 1", "-1 1", "ITEM: ATOMS id xs ys zs"],
            "data": ["Atoms # atomic", "", "1 1 0.5 0.5 0.5 0 1 0"],
        }
        expected = {
            "pdb": {"residue names of four letters", "without elements", "END after ENDMDL"},
            "gro": {"numbers beyond 99999", "atom numbers other than 1 to N"},
            "dump": {"origin", "scaled"},
            "data": {"image flags"},
        }
        for form, lines in texts.items():
            self.assertEqual(set(FEATURES[form](lines)), expected[form])

    def test_settled_rows_need_their_condition(self):
        settled = Settled()
        self.assertTrue(settled.row_for("dump", "ASE", "positions", {"scaled", "origin"}))
        self.assertIsNone(settled.row_for("dump", "ASE", "positions", {"scaled"}))
        self.assertIsNone(settled.row_for("dump", "starhist", "positions", {"scaled", "origin"}))


if __name__ == "__main__":
    unittest.main()
