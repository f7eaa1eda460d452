"""Numbers with standard errors as text."""

import math


def with_error(value, error):
    """Returns text such as "0.276 ± 0.012": two digits of the error, and the value to the same decimal place. Without
    an error the value has four digits."""
    if error is None or not math.isfinite(error) or error <= 1e-12 * abs(value):
        return f"{value:.4g}"
    digits = min(12, max(0, 1 - math.floor(math.log10(error))))
    return f"{value:.{digits}f} ± {error:.{digits}f}"
