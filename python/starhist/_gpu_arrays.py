"""Arrays in the memory of a GPU: by DLPack, or by __cuda_array_interface__."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _core

_CPU, _CUDA, _CUDA_MANAGED = 1, 2, 13  # DLDeviceType
_DEFAULT_STREAM = 1  # as both protocols number CUDA's (legacy) default stream

REMEDY = "copy them first (torch: x.cpu(), CuPy: x.get(), JAX: numpy.asarray(x))"


class GpuArray(NamedTuple):
    """Numbers in the memory of a GPU."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    type: str
    """As NumPy writes it, without the byte order: "f4"."""
    stream: int
    """CUDA's stream whose work so far makes them."""
    owner: object
    """Keeps the memory."""

    def for_extension(self) -> tuple[int, int, int, int, bool, int]:
        """Positions, particles x 3, as the extension takes them."""
        along_particles, along_components = self.strides
        return (self.address, self.shape[0], along_particles, along_components, self.type == "f4", self.stream)


def _device(value: Any) -> int:
    """DLPack's number of the kind of memory."""
    return int(value.__dlpack_device__()[0]) if hasattr(value, "__dlpack_device__") else _CPU


def on_gpu(value: Any) -> bool:
    """Whether it is an array that does not lie in main memory."""
    return (hasattr(value, "__dlpack_device__") and _device(value) != _CPU) or _has_interface(value)


def _has_interface(value: Any) -> bool:
    try:
        return hasattr(value, "__cuda_array_interface__")
    except RuntimeError:  # a tensor of PyTorch that requires its gradient
        return True


def as_gpu_array(value: Any, what: str) -> GpuArray:
    """`value`, which is on_gpu(), without a copy."""
    if getattr(value, "requires_grad", False):
        value = value.detach()
    if hasattr(value, "__dlpack__") and _device(value) in (_CUDA, _CUDA_MANAGED):
        # The library that has the array lets the default stream wait for what makes it.
        given = _core.DlpackArray(value.__dlpack__(stream=_DEFAULT_STREAM))
        return GpuArray(
            given.address, tuple(given.shape), tuple(given.strides), given.type, _DEFAULT_STREAM, (value, given)
        )
    if _has_interface(value):
        return _of_interface(value, what)
    raise TypeError(f"{what} are on a device that is no GPU of CUDA: {REMEDY}")


def _of_interface(value: Any, what: str) -> GpuArray:
    described = value.__cuda_array_interface__
    if described.get("mask") is not None:
        raise TypeError(f"{what} are a masked array on a GPU: leave the masked particles out")
    byte_order, number = described["typestr"][0], described["typestr"][1:]
    if byte_order not in "<|=":
        raise TypeError(f"{what} are of type {described['typestr']}, in the order of bytes of another machine")
    shape = tuple(int(n) for n in described["shape"])
    strides = described.get("strides")
    if strides is None:
        strides, step = [], int(number[1:])
        for n in reversed(shape):
            strides.insert(0, step)
            step *= n
    stream = described.get("stream")
    if stream == 0:
        raise ValueError(f"{what} name the stream 0, which their protocol does not have: 1 is the default stream")
    return GpuArray(
        int(described["data"][0]), shape, tuple(int(n) for n in strides), number,
        _DEFAULT_STREAM if stream is None else int(stream), value,
    )  # fmt: skip
