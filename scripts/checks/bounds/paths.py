"""The operations of the kernels in their order. `a`: one of the readings in arithmetic.py.
sources.STATEMENTS holds the statements of the code that these follow."""


def sum_of_squares(a, x, y, z):
    """fast_distance.hh, near_images.inl.hh."""
    return a.multiply_add(z, z, a.multiply_add(y, y, a.multiply(x, x)))


def isotropic(a, q, scale):
    """AnyImage with Metric::isotropic: integers q, scale of the squares."""
    x, y, z = (a.convert(k) for k in q)
    return a.multiply(sum_of_squares(a, x, y, z), scale)


def diagonal(a, q, row):
    x, y, z = (a.multiply(a.convert(k), c) for k, c in zip(q, row))
    return sum_of_squares(a, x, y, z)


def triangular(a, q, row):
    """The components of the displacement; row: xx, yx, yy, zx, zy, zz."""
    u, v, w = (a.convert(k) for k in q)
    x = a.multiply_add(u, row[0], a.multiply_add(v, row[1], a.multiply(w, row[3])))
    y = a.multiply_add(v, row[2], a.multiply(w, row[4]))
    return x, y, a.multiply(w, row[5])


def facet_products(a, d, h):
    """best_gain(): products of the displacement with rows, and sums of two of them."""
    x, y, z = d
    d1 = a.multiply(h[0], x)
    d2 = a.multiply_add(h[2], y, a.multiply(h[1], x))
    d3 = a.multiply_add(h[5], z, a.multiply_add(h[4], y, a.multiply(h[3], x)))
    return d1, d2, d3, a.add(d1, d2), a.add(d1, d3), a.add(d2, d3)


def limit_of_squares(a, k, twice_rel, twice_abs):
    return a.multiply(k, a.multiply_add(k, twice_rel, twice_abs))


def near_image(a, row, column):
    """NearestImage: positions of a row's image and a column, which are rounded first."""
    return sum_of_squares(a, *(a.subtract(a.convert(p), a.convert(q)) for p, q in zip(row, column)))
