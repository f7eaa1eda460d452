"""A bound of the code with the scripts that prove it."""

import dataclasses
import fractions
import typing

from .gappa import FLOAT, interval, script


@dataclasses.dataclass
class Lemma:
    """`bound` is the constant of the source, in the unit of `claim`; `reserve` the part of it that no
    operation needs. Gappa must prove bound - reserve, and must not prove one `step` less."""

    name: str
    claim: str
    bound: fractions.Fraction
    step: fractions.Fraction
    scripts: typing.Callable  # bound -> text for Gappa, or {variant: text}
    reserve: fractions.Fraction = fractions.Fraction(0)
    # bound -> an input whose error exceeds it, as text, or None if not found or not searched
    example: typing.Callable = lambda bound: None

    @property
    def needed(self):
        return self.bound - self.reserve

    @property
    def lowered(self):
        return self.needed - self.step


def decimal(text):
    return fractions.Fraction(text)


VARIANTS = {"fused": True, "not fused": False}


def square_within(name, error):
    """Goal: the root of `name` = (squared distance, exact one) is off by at most `error`, relative.
    Written for squares, as the root is monotonic."""
    computed, exact = name
    return f"{computed} -/ {exact} in {interval((1 - error) ** 2 - 1, (1 + error) ** 2 - 1)}"


def roundings_within(count, bound):
    """Script: `count` roundings change a term by at most `bound`, relative."""
    names = [f"e{k}" for k in range(count)]
    factors = " * ".join(f"(1 + {n})" for n in names)
    return script(
        [f"f = {factors} - 1;"],
        [f"{n} in {interval(-FLOAT, FLOAT, away=True)}" for n in names],
        [f"f in {interval(-bound, bound)}"],
    )
