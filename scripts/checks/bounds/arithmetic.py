"""Three interpretations of one sequence of operations: text for Gappa, NumPy numbers, and counts of
roundings. paths.py defines the code paths of the kernels once for all of them.

`fused`: multiply_add() rounds once; otherwise its product is rounded as well.
"""

import numpy


class Symbols:
    """Definitions of a Gappa script. Every result is the name of a definition; with `rounding`
    None the operations are exact."""

    def __init__(self, rounding, fused=True, prefix="t"):
        self.rounding, self.fused, self.prefix = rounding, fused, prefix
        self.lines = []

    def define(self, text):
        name = f"{self.prefix}{len(self.lines)}"
        self.lines.append(f"{name} = {text};")
        return name

    def rounded(self, text):
        return self.define(f"{self.rounding}({text})" if self.rounding else text)

    def convert(self, x):
        return self.rounded(x) if self.rounding else x

    def multiply(self, x, y):
        return self.rounded(f"{x} * {y}")

    def add(self, x, y):
        return self.rounded(f"{x} + {y}")

    def subtract(self, x, y):
        return self.rounded(f"{x} - {y}")

    def multiply_add(self, x, y, z):
        if self.fused:
            return self.rounded(f"{x} * {y} + {z}")
        return self.add(self.multiply(x, y), z)


class Floats:
    """float32 of NumPy. Products of two floats are exact in double precision; a fused operation
    may round twice once in 2^29 cases."""

    def __init__(self, fused=True):
        self.fused = fused

    def convert(self, x):
        return numpy.asarray(x, dtype=numpy.float64).astype(numpy.float32)

    def multiply(self, x, y):
        return x * y

    def add(self, x, y):
        return x + y

    def subtract(self, x, y):
        return x - y

    def multiply_add(self, x, y, z):
        if not self.fused:
            return x * y + z
        wide = numpy.float64
        return (x.astype(wide) * y.astype(wide) + z.astype(wide)).astype(numpy.float32)


class Roundings:
    """Largest number of roundings that each input has passed, as a factor 1 + delta each: the
    exact identity fl(x + y) = x (1 + delta) + y (1 + delta). A value is {input: count}."""

    def __init__(self, fused=True):
        self.fused = fused

    @staticmethod
    def merged(x, y, more):
        return {key: max(x.get(key, 0), y.get(key, 0)) + more for key in {**x, **y}}

    def convert(self, x):
        return self.merged(x, {}, 1)

    def multiply(self, x, y):
        """The product of sums of terms, of which one has only one term."""
        return {f"{a}*{b}": x[a] + y[b] + 1 for a in x for b in y}

    def add(self, x, y):
        return self.merged(x, y, 1)

    subtract = add

    def multiply_add(self, x, y, z):
        product = self.multiply(x, y)
        if self.fused:
            product = {key: count - 1 for key, count in product.items()}
        return self.add(product, z)
