"""Arrays in GPU memory, accessed through DLPack or __cuda_array_interface__."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _core

_CPU, _CUDA, _CUDA_MANAGED = 1, 2, 13  # DLDeviceType
_DEFAULT_STREAM = 1  # number of CUDA's (legacy) default stream in both protocols

REMEDY = "copy them first (torch: x.cpu(), CuPy: x.get(), JAX: numpy.asarray(x))"


class GpuArray(NamedTuple):
    """An array in GPU memory."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """Step along each axis [bytes]."""
    type: str
    """NumPy's type code without the byte order, such as "f4"."""
    stream: int
    """CUDA stream to wait for: earlier work on it produces the values."""
    owner: object
    """Reference that keeps the memory alive."""

    def for_extension(self) -> tuple[int, int, int, int, bool, int]:
        """Arguments of the extension for positions of shape (particles, 3): address, particles, both
        strides [bytes], whether the numbers are float32, stream."""
        along_particles, along_components = self.strides
        return (self.address, self.shape[0], along_particles, along_components, self.type == "f4", self.stream)


def _device(value: Any) -> int:
    """DLDeviceType of the memory of `value`."""
    return int(value.__dlpack_device__()[0]) if hasattr(value, "__dlpack_device__") else _CPU


def on_gpu(value: Any) -> bool:
    """Whether `value` is an array outside main memory."""
    return (hasattr(value, "__dlpack_device__") and _device(value) != _CPU) or _has_interface(value)


def _has_interface(value: Any) -> bool:
    try:
        return hasattr(value, "__cuda_array_interface__")
    except RuntimeError:  # a tensor of PyTorch that requires its gradient
        return True


def as_gpu_array(value: Any, subject: str) -> GpuArray:
    """Returns `value`, for which on_gpu() is true, as a GpuArray without a copy.

    Raises TypeError if the device is not a CUDA GPU or the array is masked.
    """
    if getattr(value, "requires_grad", False):
        value = value.detach()
    if hasattr(value, "__dlpack__") and _device(value) in (_CUDA, _CUDA_MANAGED):
        # The producing library makes the default stream wait until the values are complete.
        given = _core.DlpackArray(value.__dlpack__(stream=_DEFAULT_STREAM))
        return GpuArray(
            given.address, tuple(given.shape), tuple(given.strides), given.type, _DEFAULT_STREAM, (value, given)
        )
    if _has_interface(value):
        return _of_interface(value, subject)
    raise TypeError(f"{subject} are on a device other than a CUDA GPU: {REMEDY}")


def _of_interface(value: Any, subject: str) -> GpuArray:
    described = value.__cuda_array_interface__
    if described.get("mask") is not None:
        raise TypeError(f"{subject} are a masked array on a GPU: omit the masked particles")
    byte_order, number = described["typestr"][0], described["typestr"][1:]
    if byte_order not in "<|=":
        raise TypeError(f"{subject} have data type {described['typestr']} in foreign byte order: convert them first")
    shape = tuple(int(n) for n in described["shape"])
    strides = described.get("strides")
    if strides is None:
        strides, step = [], int(number[1:])
        for n in reversed(shape):
            strides.insert(0, step)
            step *= n
    stream = described.get("stream")
    if stream == 0:
        raise ValueError(
            f"{subject} name stream 0, which __cuda_array_interface__ does not allow: 1 is the default stream"
        )
    return GpuArray(
        int(described["data"][0]), shape, tuple(int(n) for n in strides), number,
        _DEFAULT_STREAM if stream is None else int(stream), value,
    )  # fmt: skip
