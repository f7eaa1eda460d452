"""Looks for inputs whose error exceeds a bound, in float32 of NumPy: at random, near the worst
case. Components next to a power of two from above lose most to each rounding, and the other two
are small, so that their sums are rounded at the largest number."""

import numpy

from .arithmetic import Floats

TRIALS = 4_000_000


def generator():
    return numpy.random.default_rng(20)


def mantissas(rng, count):
    return 1 + rng.random(count) * 2.0**-7


def components(rng, count, exponent):
    """A component next to 2^exponent and two that are a thousand times smaller."""
    return [
        mantissas(rng, count) * 2.0**exponent,
        *((1 + rng.random(count)) * 2.0 ** (exponent - 10) for _ in range(2)),
    ]


def isotropic_inputs(rng, count):
    """Arguments of paths.isotropic: three integers and a float scale."""
    q = [numpy.rint(x) for x in components(rng, count, 30)]
    return (q, (mantissas(rng, count) * 2.0**-40).astype(numpy.float32))


def diagonal_inputs(rng, count):
    q = [numpy.rint(x) for x in components(rng, count, 30)]
    return (q, [(mantissas(rng, count) * 2.0**-20).astype(numpy.float32) for _ in range(3)])


def component_inputs(rng, count):
    return tuple(x.astype(numpy.float32) for x in components(rng, count, 10))


def image_inputs(rng, count):
    """Rows and columns in double precision, columns near the centre: 2 u h is below 0.001 u d."""
    return (components(rng, count, 10), components(rng, count, -1))


class Exact(Floats):
    """The same in 80-bit arithmetic."""

    def convert(self, x):
        return numpy.asarray(x, dtype=numpy.longdouble)

    def multiply(self, x, y):
        return self.convert(x) * self.convert(y)

    def multiply_add(self, x, y, z):
        return self.multiply(x, y) + z


def squares(path, inputs, error):
    """An input for which the root of the square is off by more than `error`, relative, or None."""
    rng = generator()
    arguments = inputs(rng, TRIALS)
    for fused in (True, False):
        computed = path(Floats(fused), *arguments).astype(numpy.longdouble)
        exact = path(Exact(), *arguments)
        off = numpy.sqrt(computed / exact) - 1
        worst = int(numpy.argmax(abs(off)))
        if abs(off[worst]) > float(error) * (1 + 1e-9):
            numbers = []
            for argument in arguments:
                numbers += [a[worst] for a in argument] if isinstance(argument, list) else [argument[worst]]
            return (
                f"{', '.join(f'{float(n):.9g}' for n in numbers)}: off by {abs(off[worst]) * 2**24:.3f} u"
                f" ({'fused' if fused else 'not fused'})"
            )
    return None
