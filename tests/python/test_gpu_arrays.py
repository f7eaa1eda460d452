"""What libraries say of their arrays on GPUs, as the extension takes it. No GPU is needed."""

import numpy as np
import pytest

from starhist import _arrays, _core, _gpu_arrays


def described(**entries):
    """An array with a __cuda_array_interface__ of these entries."""

    class Described:
        __cuda_array_interface__ = {
            "shape": (10, 3), "typestr": "<f8", "data": (4096, True), "version": 3, **entries,
        }  # fmt: skip

    return Described()


@pytest.fixture
def with_cuda(monkeypatch):
    """As in a build with CUDA."""
    monkeypatch.setattr(_core, "counts_on_gpus", True)


@pytest.mark.parametrize(
    "entries, strides, stream",
    [
        ({}, (24, 8), 1),
        ({"strides": None, "stream": None, "version": 3}, (24, 8), 1),
        ({"version": 2}, (24, 8), 1),
        ({"typestr": "<f4"}, (12, 4), 1),
        ({"strides": (8, 80), "stream": 1}, (8, 80), 1),
        ({"strides": (-24, 8), "stream": 2}, (-24, 8), 2),
        ({"stream": 94012345678}, (24, 8), 94012345678),
    ],
)
def test_what_the_interface_says(with_cuda, entries, strides, stream):
    value = described(**entries)
    array = _arrays.as_gpu_positions(value)
    assert (array.address, array.shape, array.strides, array.stream) == (4096, (10, 3), strides, stream)
    assert array.type == entries.get("typestr", "<f8")[1:]
    assert array.owner is value


@pytest.mark.parametrize(
    "entries, exception, message",
    [
        ({"shape": (3, 10)}, ValueError, "transpose"),
        ({"shape": (2, 10, 3)}, ValueError, "one frame at a time"),
        ({"shape": (10,)}, ValueError, "particles x 3"),
        ({"typestr": "<f2"}, TypeError, "f2.*float32 or float64"),
        ({"typestr": "<i4"}, TypeError, "i4.*float32 or float64"),
        ({"typestr": ">f8"}, TypeError, "byte order"),
        ({"mask": described()}, TypeError, "masked"),
        ({"stream": 0}, ValueError, "stream 0"),
        ({"strides": (0, 0)}, ValueError, "one number for all"),
    ],
)
def test_what_cannot_be_counted(with_cuda, entries, exception, message):
    with pytest.raises(exception, match=message):
        _arrays.as_gpu_positions(described(**entries))


class ByDlpack:
    """An array in main memory that says it is on a GPU, and on which stream it is wanted."""

    def __init__(self, array, device=2):
        self.array, self.device, self.streams = array, device, []

    def __dlpack_device__(self):
        return (self.device, 0)

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__()


@pytest.mark.parametrize("type", ["f4", "f8"])
def test_dlpack_is_asked_for_the_default_stream(with_cuda, type):
    numbers = np.arange(60, dtype=type).reshape(6, 10).T[:, ::2]
    value = ByDlpack(numbers)
    array = _arrays.as_gpu_positions(value)
    assert value.streams == [1]
    assert (array.address, array.shape, array.strides) == (numbers.ctypes.data, (10, 3), numbers.strides)
    assert (array.type, array.stream) == (type, 1)


def test_dlpack_goes_before_the_interface(with_cuda):
    value = ByDlpack(np.zeros((10, 3)))
    value.__cuda_array_interface__ = described().__cuda_array_interface__
    assert _arrays.as_gpu_positions(value).address == value.array.ctypes.data


def test_other_devices(with_cuda):
    with pytest.raises(TypeError, match="other than a CUDA GPU"):
        _arrays.as_gpu_positions(ByDlpack(np.zeros((10, 3)), device=10))


def test_arrays_in_main_memory_are_left_to_numpy(with_cuda):
    class InMainMemory(ByDlpack):
        pass

    assert _arrays.as_gpu_positions(np.zeros((10, 3))) is None
    assert _arrays.as_gpu_positions([[0.0, 0.0, 0.0]]) is None
    assert _arrays.as_gpu_positions(InMainMemory(np.zeros((10, 3)), device=1)) is None
    assert not _gpu_arrays.on_gpu(np.zeros((10, 3)))
