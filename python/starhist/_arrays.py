"""Positions and boxes of users as arrays of NumPy that the extension takes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._gpu_arrays import REMEDY, GpuArray, as_gpu_array, on_gpu

NONE, LENGTHS, ANGLES, MATRIX = range(4)
"""Kinds of boxes, as starhist_box_kind of the C library numbers them."""

_PLAIN = {float, int, bool, str, np.float64, np.float32, np.int64, np.int32, np.str_, type(None)}
"""Types of items that have neither mask nor unit nor items of their own."""

_EXACT = {np.dtype(np.float16): np.float32, np.dtype(np.float32): np.float32}


def _name(value: object) -> str:
    kind = type(value)
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}"


def _refuse_gpu(value: Any, what: str) -> None:
    if on_gpu(value):
        raise TypeError(f"{what} are on a GPU ({_name(value)}), and starhist takes them from main memory: {REMEDY}")


_WITH_UNITS = (("magnitude", "units"), ("value", "unit"), ("value", "units"))
"""Attributes of quantities: numbers and unit."""


def _refuse_mask_and_units(value: Any, what: str) -> None:
    """Raises TypeError for what NumPy would make plain numbers of, also inside of lists."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{what} are a masked array (a masked value has no distance): leave those particles "
            "out, or give x.data or x.filled(...)"
        )
    for numbers, unit in _WITH_UNITS:
        if hasattr(value, numbers) and hasattr(value, unit):
            raise TypeError(
                f"{what} have units ({getattr(value, unit)}), and starhist does not convert: give numbers "
                f"in the unit of r_max, as in x.to('nm').{numbers}"
            )
    if isinstance(value, (list, tuple)):
        kinds = set(map(type, value))
        if kinds <= _PLAIN:
            return
        if any(issubclass(kind, (list, tuple, np.ndarray)) for kind in kinds):
            for item in value:
                _refuse_mask_and_units(item, what)
            return
        for kind in kinds - _PLAIN:  # scalars: one of each type tells of all
            _refuse_mask_and_units(next(item for item in value if type(item) is kind), what)
    elif isinstance(value, np.ndarray) and value.dtype.kind == "O":
        _refuse_mask_and_units(value.ravel().tolist(), what)


def as_array(value: Any, what: str) -> npt.NDArray[Any]:
    """`value`, without a copy where that is possible, of whatever numbers it has."""
    _refuse_mask_and_units(value, what)
    if type(value) is np.ndarray:
        return value
    _refuse_gpu(value, what)
    if getattr(value, "requires_grad", False):
        value = value.detach()
    if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):
        try:
            return np.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError):
            pass  # such as an array that is not to be written to
    try:
        return np.asarray(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what} are no array of numbers ({_name(value)}): {error}") from None


def _as_real(value: Any, what: str) -> npt.NDArray[Any]:
    array = as_array(value, what)
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        raise TypeError(f"{what} are of type {array.dtype}: give numbers of float32 or float64 (x.astype(float))")
    return array


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[1] != 3:
        remedy = "give particles x 3, in the unit of r_max"
        if len(shape) == 2 and shape[0] == 3:
            remedy = "give particles x 3: its transpose x.T"
        elif len(shape) == 3 and shape[2] == 3:
            remedy = "give one frame at a time; starhist.rdf() takes frames x particles x 3"
        raise ValueError(f"positions have the shape {shape}: {remedy}")


def is_gpu_array(value: Any) -> bool:
    """Whether it is an array in the memory of a GPU with as many dimensions as it says."""
    return type(value) is not np.ndarray and hasattr(value, "ndim") and on_gpu(value)


def as_gpu_positions(value: Any) -> GpuArray | None:
    """Positions in the memory of a GPU as particles x 3 of float32 or float64, with any strides; None:
    they are not there."""
    if type(value) is np.ndarray or not on_gpu(value):
        return None
    if not _core.counts_on_gpus:
        raise TypeError(
            f"positions are on a GPU ({_name(value)}), and this build of starhist counts on CPUs: {REMEDY}, "
            "or build it with CUDA"
        )
    array = as_gpu_array(value, "positions")
    _check_shape(array.shape)
    if array.type not in ("f4", "f8"):
        raise TypeError(
            f"positions on a GPU are of type {array.type}: give numbers of float32 or float64 (torch: "
            "x.float(), CuPy and JAX: x.astype('float32'))"
        )
    along_particles, along_components = array.strides
    if array.shape[0] > 0 and not (along_particles or along_components):
        raise ValueError("positions on a GPU are one number for all (strides 0): give x.contiguous() or x.copy()")
    return array


def as_positions(value: Any) -> npt.NDArray[Any]:
    """Positions as particles x 3 of float32 or float64, with any strides.

    Integers and other byte orders are converted, which is exact below 2^53.
    """
    array = _as_real(value, "positions")
    _check_shape(array.shape)
    dtype = array.dtype
    if dtype.char not in "fd" or not dtype.isnative:
        array = array.astype(_EXACT.get(dtype.newbyteorder("="), np.float64))
    along_particles, along_components = array.strides
    odd = along_particles % array.itemsize or along_components % array.itemsize
    if odd or not (along_particles or along_components):  # of a record; one number for all
        array = array.copy()
    return array


class Box(NamedTuple):
    """A box as the extension takes it."""

    kind: int
    numbers: npt.NDArray[np.float64]


OPEN = Box(NONE, np.empty(0))


def as_box(value: Any, periodic: tuple[bool, bool, bool] = (True, True, True)) -> Box:
    """A box of None, 3 lengths, 3 lengths and 3 angles [degrees], 9 numbers or 3 x 3.

    An edge without images may have the length 0.
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
                "give degrees (numpy.degrees)"
            )
        without_length = ~np.array(periodic) & (numbers[:3] == 0)
        if without_length.any():  # of an edge along which nothing repeats only the direction matters
            numbers = np.concatenate([np.where(without_length, 1.0, numbers[:3]), numbers[3:]])
        return Box(ANGLES, numbers)
    raise ValueError(
        f"the box has the shape {numbers.shape}: give None, 3 lengths, 3 lengths and 3 angles in "
        "degrees, or the 3 x 3 matrix whose rows are the edges"
    )
