"""Runs Gappa on scripts with goals, and writes numbers for it."""

import fractions
import math
import re
import subprocess

FLOAT = fractions.Fraction(1, 2**24)  # unit roundoff u
DOUBLE = fractions.Fraction(1, 2**53)  # U

# Rounding without underflow (assumption A4).
FORMATS = "@r = float<24,-1000,ne>;\n@d = float<53,-3000,ne>;\n"


class Failure(Exception):
    """Gappa could not read a script: a fault of the script, not of a bound."""


def number(value, away=False):
    """Text of a number for Gappa with 120 bits, rounded towards zero, so that a claim gets
    stronger, or `away` from it, for hypotheses."""
    value = fractions.Fraction(value)
    if value == 0:
        return "0"
    size = abs(value)
    shift = 120 - (
        math.floor(size).bit_length() if size >= 1 else -((size.denominator // size.numerator).bit_length() - 1)
    )
    scaled = size * fractions.Fraction(2) ** shift
    mantissa = math.ceil(scaled) if away else math.floor(scaled)
    while mantissa % 2 == 0:
        mantissa //= 2
        shift -= 1
    return f"{'-' if value < 0 else ''}{mantissa}b{-shift}"


def interval(low, high, away=False):
    return f"[{number(low, away)}, {number(high, away)}]"


def script(definitions, hypotheses, goals, hints=""):
    """Text of a script. All goals have to be proved."""
    implied = "".join(f"  {h} ->\n" for h in hypotheses)
    joined = " /\\\n  ".join(goals)
    return FORMATS + "\n".join(definitions) + "\n{\n" + implied + "  " + joined + "\n}\n" + hints


def proved(text):
    """Whether Gappa proves all goals of a script."""
    # Disable the automatic dichotomy: it takes minutes for a false claim.
    run = subprocess.run(
        ["gappa", "-Eno-auto-dichotomy"], input=text, capture_output=True, text=True, timeout=120, check=False
    )
    if run.returncode == 0:
        return True
    if re.search("some (properties|enclosures) were not satisfied|no contradiction was found", run.stderr):
        return False
    raise Failure(f"gappa failed on a script:\n{run.stderr}\n{text}")
