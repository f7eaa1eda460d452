"""The length unit in which a result is shown: --unit and --out-unit, as io/reader/units.hh has them."""
import argparse

from known_words import nearest_word

# All length units of which the size is known, in picometres, and how files spell them in lower case.
LENGTHS = {
    "A": (100.0, ("angstrom", "angstroms", "ang", "\u00c5ngstr\u00f6m", "\u00e5ngstr\u00f6m", "\u00c5", "\u00e5",
                  "\u212b")),
    "nm": (1e3, ("nanometer", "nanometers", "nanometre", "nanometres")),
    "pm": (1.0, ("picometer", "picometers", "picometre", "picometres")),
    "um": (1e6, ("micrometer", "micrometers", "micrometre", "micrometres", "micron", "microns", "\u00b5m", "\u03bcm")),
    "mm": (1e9, ("millimeter", "millimeters", "millimetre", "millimetres")),
    "cm": (1e10, ("centimeter", "centimeters", "centimetre", "centimetres")),
    "m": (1e12, ("meter", "meters", "metre", "metres")),
    "bohr": (52.9177210903, ("bohrs", "a0")),
}


REDUCED = ("sigma", "lj", "reduced")  # names for the length of reduced units
SPELLINGS = ({word: name for name, (_, words) in LENGTHS.items() for word in (name, *words)}
             | {name: name for name in REDUCED} | {"\u03c3": "sigma"})


class UnitError(Exception):
    """What the user can mend; printed without a traceback."""


class LengthConversion:
    """Converts what is measured in one length unit, `up` of the smallest, to one of `down` of it."""

    def __init__(self, up=1.0, down=1.0):
        self.up, self.down = max(1.0, up / down), max(1.0, down / up)

    def __call__(self, value):
        """Lengths of the decimal units are rounded once, as the program does it."""
        return value * self.up / self.down


class Unit(argparse.Action):
    """Keeps a unit that is known, and refuses others. Lengths are not shown in reduced units."""

    def __call__(self, parser, namespace, values, option_string=None):
        if spelling(values) not in (*LENGTHS, *REDUCED):
            reduced = "" if self.dest == "out_unit" else f"; in reduced units {', '.join(REDUCED)}"
            known = [word for word in SPELLINGS if self.dest != "out_unit" or SPELLINGS[word] not in REDUCED]
            nearest = nearest_word(values, known)
            parser.error(f"{option_string} {values!r} is no known unit of length (choose {', '.join(LENGTHS)}{reduced})"
                         + (f": did you mean {SPELLINGS[nearest]}?" if nearest else ""))
        setattr(namespace, self.dest, values)


def add_unit_options(parser):
    parser.add_argument("--unit", default="", metavar="UNIT", action=Unit,
                        help="length unit of files that do not say theirs: nm, A, sigma, ...")
    parser.add_argument("--out-unit", default="", metavar="UNIT", action=Unit,
                        help=f"convert lengths to this unit: {', '.join(LENGTHS)} (default: the file's)")


def spelling(unit):
    unit = unit.strip()
    # ASCII letters only are made small, as the program does.
    return SPELLINGS.get(unit, SPELLINGS.get("".join(c.lower() if c.isascii() else c for c in unit), unit))


def symbol(unit):
    """As figures have it."""
    return {"A": "\u00c5", "um": "\u00b5m", "sigma": "\u03c3"}.get(unit, unit)


def settled(path, own, given, wanted):
    """(unit in which lengths are shown, LengthConversion from the file's to it)

    own: the unit of the file `path`; given: --unit; wanted: --out-unit. "" is no unit. Raises UnitError.
    """
    own, given, wanted = spelling(own), spelling(given), spelling(wanted)
    if own and given and own != given:
        raise UnitError(f"{path}: has lengths in {own}, not in {given} (--unit is for files that do not say theirs; "
                        "--out-unit shows results in another one)")
    own = own or given
    if not wanted or wanted == own:
        return own, LengthConversion()
    if wanted not in LENGTHS:
        raise UnitError(f"--out-unit {wanted} is no length that is known (choose {', '.join(LENGTHS)})")
    if not own:
        raise UnitError(f"{path}: does not say its length unit, so nothing can be shown in {wanted} (--unit says it)")
    if own not in LENGTHS:
        raise UnitError(f"{path}: has lengths in {own}, a unit whose size is not known, so nothing can be shown in "
                        f"{wanted} (leave --out-unit out)")
    return wanted, LengthConversion(LENGTHS[own][0], LENGTHS[wanted][0])
