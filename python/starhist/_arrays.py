"""Converts positions and boxes that users pass into NumPy arrays for the extension."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._gpu_arrays import REMEDY, GpuArray, as_gpu_array, on_gpu

NONE, LENGTHS, ANGLES, MATRIX = range(4)
"""Box kinds; values of the C library's starhist_box_kind."""

_PLAIN = {float, int, bool, str, np.float64, np.float32, np.int64, np.int32, np.str_, type(None)}
"""Types whose values have neither mask nor unit nor items."""

_EXACT = {np.dtype(np.float16): np.float32, np.dtype(np.float32): np.float32}


def _name(value: object) -> str:
    kind = type(value)
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}"


def _refuse_gpu(value: Any, subject: str) -> None:
    if on_gpu(value):
        raise TypeError(f"{subject} are on a GPU ({_name(value)}), but must be in main memory: {REMEDY}")


_WITH_UNITS = (("magnitude", "units"), ("value", "unit"), ("value", "units"))
"""Attributes of quantities with units: (number, unit), as pint, Astropy and OpenMM name them."""


def _refuse_mask_and_units(value: Any, subject: str) -> None:
    """Raises TypeError for masked arrays and quantities with units, also inside lists: NumPy would silently
    drop the mask or the unit."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{subject} are a masked array (a masked value has no distance): leave those particles "
            "out, or pass x.data or x.filled(...)"
        )
    for numbers, unit in _WITH_UNITS:
        if hasattr(value, numbers) and hasattr(value, unit):
            raise TypeError(
                f"{subject} have units ({getattr(value, unit)}), which starhist does not convert: pass numbers "
                f"in the unit of r_max, as in x.to('nm').{numbers}"
            )
    if isinstance(value, (list, tuple)):
        kinds = set(map(type, value))
        if kinds <= _PLAIN:
            return
        if any(issubclass(kind, (list, tuple, np.ndarray)) for kind in kinds):
            for item in value:
                _refuse_mask_and_units(item, subject)
            return
        for kind in kinds - _PLAIN:  # scalars: checking one of each type is enough
            _refuse_mask_and_units(next(item for item in value if type(item) is kind), subject)
    elif isinstance(value, np.ndarray) and value.dtype.kind == "O":
        _refuse_mask_and_units(value.ravel().tolist(), subject)


def as_array(value: Any, subject: str) -> npt.NDArray[Any]:
    """Returns `value` as a NumPy array with unchanged data type, without a copy if possible.

    Raises TypeError, with `subject` as the subject of the message, for masked arrays, quantities with
    units, arrays on a GPU and values that NumPy cannot convert.
    """
    _refuse_mask_and_units(value, subject)
    if type(value) is np.ndarray:
        return value
    _refuse_gpu(value, subject)
    if getattr(value, "requires_grad", False):
        value = value.detach()
    if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):
        try:
            return np.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError):
            pass  # for example, a read-only array
    try:
        return np.asarray(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{subject} are not an array of numbers ({_name(value)}): {error}") from None


def _as_real(value: Any, subject: str) -> npt.NDArray[Any]:
    array = as_array(value, subject)
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        raise TypeError(f"{subject} have data type {array.dtype}: pass float32 or float64 (x.astype(float))")
    return array


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[1] != 3:
        remedy = "pass particles x 3, in the unit of r_max"
        if len(shape) == 2 and shape[0] == 3:
            remedy = "pass particles x 3: its transpose x.T"
        elif len(shape) == 3 and shape[2] == 3:
            remedy = "pass one frame at a time; starhist.rdf() accepts frames x particles x 3"
        raise ValueError(f"positions have the shape {shape}: {remedy}")


def is_gpu_array(value: Any) -> bool:
    """Whether `value` is an array in GPU memory that has the attribute ndim."""
    return type(value) is not np.ndarray and hasattr(value, "ndim") and on_gpu(value)


def as_gpu_positions(value: Any) -> GpuArray | None:
    """Returns positions that are in GPU memory, shape (particles, 3), float32 or float64, with any strides.

    Returns None for positions in main memory.

    Raises
    ------
    TypeError
        If this build has no CUDA, or the data type is not float32 or float64.
    ValueError
        If the shape is not (particles, 3), or all elements share one address (strides 0).
    """
    if type(value) is np.ndarray or not on_gpu(value):
        return None
    if not _core.counts_on_gpus:
        raise TypeError(
            f"positions are on a GPU ({_name(value)}), but this build of starhist counts on CPUs: {REMEDY}, "
            "or build it with CUDA"
        )
    array = as_gpu_array(value, "positions")
    _check_shape(array.shape)
    if array.type not in ("f4", "f8"):
        raise TypeError(
            f"positions on a GPU have data type {array.type}: pass float32 or float64 (torch: "
            "x.float(), CuPy and JAX: x.astype('float32'))"
        )
    along_particles, along_components = array.strides
    if array.shape[0] > 0 and not (along_particles or along_components):
        raise ValueError(
            "positions on a GPU repeat one number for all elements (strides 0): pass x.contiguous() or x.copy()"
        )
    return array


def as_positions(value: Any) -> npt.NDArray[Any]:
    """Returns positions as an array of shape (particles, 3), float32 or float64, with any strides.

    Integers and other byte orders are converted, which is exact below 2^53. Raises TypeError for
    other data types, ValueError for other shapes.
    """
    array = _as_real(value, "positions")
    _check_shape(array.shape)
    dtype = array.dtype
    if dtype.char not in "fd" or not dtype.isnative:
        array = array.astype(_EXACT.get(dtype.newbyteorder("="), np.float64))
    along_particles, along_components = array.strides
    odd = along_particles % array.itemsize or along_components % array.itemsize
    if odd or not (along_particles or along_components):  # field of a record array; one number broadcast to all
        array = array.copy()
    return array


class Box(NamedTuple):
    """A box in the form that the extension accepts: a kind (NONE, LENGTHS, ANGLES or MATRIX) and its
    0, 3, 6 or 9 numbers."""

    kind: int
    numbers: npt.NDArray[np.float64]


OPEN = Box(NONE, np.empty(0))


def as_box(value: Any, periodic: tuple[bool, bool, bool] = (True, True, True)) -> Box:
    """Returns a Box from None, 3 lengths, 3 lengths and 3 angles [degrees], 9 numbers or a 3 x 3 matrix.

    An edge that is not periodic may have length 0. Raises TypeError for values that are not numbers,
    ValueError for other shapes and for angles in radians.
    """
    if value is None:
        return OPEN
    array = _as_real(value, "the numbers of the box")
    numbers = np.ascontiguousarray(array, dtype=np.float64)
    if numbers.shape == (3,):
        return Box(LENGTHS, numbers)
    if numbers.shape == (9,) or numbers.shape == (3, 3):
        return Box(MATRIX, numbers.reshape(9))
    if numbers.shape == (6,):
        if np.all((numbers[3:] > 0) & (numbers[3:] <= np.pi)):
            raise ValueError(
                f"the angles of the box are {numbers[3:].tolist()}, which looks like radians: "
                "pass degrees (numpy.degrees)"
            )
        without_length = ~np.array(periodic) & (numbers[:3] == 0)
        if without_length.any():  # only the direction of an open edge matters
            numbers = np.concatenate([np.where(without_length, 1.0, numbers[:3]), numbers[3:]])
        return Box(ANGLES, numbers)
    raise ValueError(
        f"the box has the shape {numbers.shape}: pass None, 3 lengths, 3 lengths and 3 angles in "
        "degrees, or the 3 x 3 matrix whose rows are the edges"
    )


def edges_of(box: Box) -> npt.NDArray[np.float64]:
    """Returns the edges of a periodic box as rows. Angles as in Box::from_lengths_and_angles() of the program."""
    if box.kind == LENGTHS:
        return np.diag(box.numbers)
    if box.kind == MATRIX:
        return box.numbers.reshape(3, 3)
    a, b, c, *angles = box.numbers.tolist()
    if not all(0.0 < angle < 180.0 for angle in angles):
        raise ValueError(f"the angles of the box are {angles}: pass degrees between 0 and 180")
    alpha, beta, gamma = (0.0 if angle == 90.0 else math.cos(angle * math.pi / 180.0) for angle in angles)
    sine = math.sqrt(1.0 - gamma * gamma)
    y = (alpha - beta * gamma) / sine
    square = 1.0 - beta * beta - y * y
    if not square > 0.0:
        raise ValueError(f"box angles {angles} do not close to a cell")
    return np.array([[a, 0.0, 0.0], [b * gamma, b * sine, 0.0], [c * beta, c * y, c * math.sqrt(square)]])
