"""Tests prove_bounds.py: constants of the sources are found or missed loudly, and one lemma follows
the constant in the source, where gappa is installed."""

import contextlib
import io
import pathlib
import shutil
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/checks"))
import prove_bounds  # noqa: E402
from bounds import gappa, sources  # noqa: E402


@contextlib.contextmanager
def changed(path, old, new):
    """A folder with the sources that are read, one of them changed."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in {path for path, _ in [*sources.CONSTANTS.values(), *sources.STATEMENTS]}:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
        text = (root / path).read_text(encoding="utf-8")
        assert old in text, f"{path} does not contain '{old}': adapt this test"
        (root / path).write_text(text.replace(old, new), encoding="utf-8")
        yield root


def quietly(*arguments):
    """Exit status and standard output of prove_bounds.py."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = prove_bounds.main(arguments)
    return status, out.getvalue() + err.getvalue()


class Sources(unittest.TestCase):
    def test_a_missing_constant_is_an_error_that_names_file_and_constant(self):
        error = r"fixed_lattice\.cc: 0 places .*'relative'.*adapt"
        with (
            changed(sources.LATTICE, "double error_rel = 6.5 * u;", "double error_rel = bound;") as root,
            self.assertRaisesRegex(sources.SourceError, error),
        ):
            sources.read(root)

    def test_a_constant_found_twice_is_an_error(self):
        with (
            changed(
                sources.FILTER,
                "roundings_of_quantised = 12.0;",
                "roundings_of_quantised = 12.0; roundings_of_quantised = 9.0;",
            ) as root,
            self.assertRaisesRegex(sources.SourceError, "2 places"),
        ):
            sources.read(root)

    def test_another_order_of_operations_is_an_error(self):
        with (
            changed(
                sources.FAST, "Ops::multiply_add(z, z, Ops::multiply_add(y, y, x * x))", "x * x + y * y + z * z"
            ) as root,
            self.assertRaisesRegex(sources.SourceError, "order of operations"),
        ):
            sources.read(root)

    def test_every_constant_has_the_value_of_the_source(self):
        constants = sources.read()
        self.assertEqual((float(constants["relative"]), float(constants["near relative"])), (6.5, 3.5))
        with changed(sources.LATTICE, "double error_rel = 6.5 * u;", "double error_rel = 6.0 * u;") as root:
            self.assertEqual(float(sources.read(root)["relative"]), 6.0)

    def test_numbers_for_gappa_make_claims_stronger(self):
        third = gappa.fractions.Fraction(1, 3)
        for away, smaller in ((False, True), (True, False)):
            mantissa, exponent = gappa.number(third, away).split("b")
            value = gappa.fractions.Fraction(int(mantissa)) * gappa.fractions.Fraction(2) ** int(exponent)
            self.assertEqual(value < third, smaller)
            self.assertLess(abs(value - third), third / 2**100)


@unittest.skipUnless(shutil.which("gappa"), "gappa is not installed")
class Proofs(unittest.TestCase):
    def test_a_bound_of_the_source_is_proved_and_a_lowered_one_is_not(self):
        status, out = quietly("--only", "diagonal", "--no-examples")
        self.assertEqual(status, 0, out)
        self.assertTrue(out.endswith("1 passed, 0 failed\n"), out)
        with changed(sources.LATTICE, "double error_rel = 6.5 * u;", "double error_rel = 6.0 * u;") as root:
            lowered = sources.read(root)
        with mock.patch.object(sources, "read", return_value=lowered):
            status, out = quietly("--only", "diagonal", "--no-examples")
        self.assertEqual(status, 1, out)
        self.assertTrue(out.endswith("0 passed, 1 failed\n"), out)

    def test_a_script_that_gappa_cannot_read_is_no_verdict(self):
        with self.assertRaises(gappa.Failure):
            gappa.proved("{ x in [0, 1] -> }")


class Program(unittest.TestCase):
    def test_without_gappa_it_is_skipped(self):
        with mock.patch.object(prove_bounds.shutil, "which", return_value=None):
            self.assertEqual(quietly()[0], 77)

    def test_names_of_lemmas_differ(self):
        names = [lemma.name for lemma in prove_bounds.all_lemmas(sources.read())]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
