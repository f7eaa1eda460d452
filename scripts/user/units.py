"""Length units of shown results: --unit and --out-unit. The program defines them in codelets/core/base/units.hh."""

import argparse

from known_words import nearest_word

# Length units that the program converts, and how files spell them in lower case.
LENGTHS = {
    "A": ("angstrom", "angstroms", "ang", "\u00c5ngstr\u00f6m", "\u00e5ngstr\u00f6m", "\u00c5", "\u00e5", "\u212b"),
    "nm": ("nanometer", "nanometers", "nanometre", "nanometres"),
    "pm": ("picometer", "picometers", "picometre", "picometres"),
    "um": ("micrometer", "micrometers", "micrometre", "micrometres", "micron", "microns", "\u00b5m", "\u03bcm"),
    "mm": ("millimeter", "millimeters", "millimetre", "millimetres"),
    "cm": ("centimeter", "centimeters", "centimetre", "centimetres"),
    "m": ("meter", "meters", "metre", "metres"),
    "bohr": ("bohrs", "a0"),
}


REDUCED = ("sigma", "lj", "reduced")  # names of the length of reduced units; results have the first
SPELLINGS = (
    {word: name for name, words in LENGTHS.items() for word in (name, *words)}
    | dict.fromkeys(REDUCED, REDUCED[0])
    | {"\u03c3": "sigma"}
)


class Unit(argparse.Action):
    """Accepts known units. --out-unit does not accept reduced units."""

    def __call__(self, parser, namespace, values, option_string=None):
        if spelling(values) not in (*LENGTHS, *REDUCED):
            reduced = "" if self.dest == "out_unit" else f"; in reduced units {', '.join(REDUCED)}"
            known = [word for word in SPELLINGS if self.dest != "out_unit" or SPELLINGS[word] not in REDUCED]
            nearest = nearest_word(values, known)
            parser.error(
                f"{option_string} {values!r} is not a known unit of length (choose {', '.join(LENGTHS)}{reduced})"
                + (f": did you mean {SPELLINGS[nearest]}?" if nearest else "")
            )
        setattr(namespace, self.dest, values)


def add_reading_options(parser):
    """Adds --unit, --out-unit and --allow-external; reading_of() their values."""
    parser.add_argument(
        "--unit",
        default="",
        metavar="UNIT",
        action=Unit,
        help="length unit of files that do not specify one: nm, A, sigma, ...",
    )
    parser.add_argument(
        "--out-unit",
        default="",
        metavar="UNIT",
        action=Unit,
        help=f"convert lengths to this unit: {', '.join(LENGTHS)} (default: the file's)",
    )
    parser.add_argument("--allow-external", action="store_true", help="read HDF5 files that store data in other files")


def reading_of(options):
    """Returns arguments of asking(): the values of add_reading_options()."""
    return {name: getattr(options, name) for name in ("allow_external", "unit", "out_unit")}


def spelling(unit):
    unit = unit.strip()
    # As in the program, only ASCII letters are converted to lower case.
    return SPELLINGS.get(unit, SPELLINGS.get("".join(c.lower() if c.isascii() else c for c in unit), unit))


def symbol(unit):
    """Returns the unit as written in figures."""
    return {"A": "\u00c5", "um": "\u00b5m", "sigma": "\u03c3"}.get(unit, unit)
