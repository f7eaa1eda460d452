#!/usr/bin/env python3
"""Arrays of CuPy, PyTorch and JAX on a GPU have the counts of those in main memory.

    PYTHONPATH=... python3 tests/python/gpu_libraries_test.py      a library that is missing is skipped

Needs a module that was built with CUDA, and a GPU; pytest runs it too.
"""

import os
import unittest

# By default JAX allocates three quarters of the GPU's memory at its first use.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import numpy as np

import starhist
from starhist import _core

BOX = [1.0, 1.1, 1.2, 80.0, 75.0, 100.0]
SETTINGS = {"r_max": 0.4, "bins": 200}
PARTICLES = 5000
LABELS = np.array(["O", "H", "H", "C", ""])[np.random.default_rng(7).integers(0, 5, PARTICLES)]


def frames(dtype, count=4):
    return np.random.default_rng(1).random((count, PARTICLES, 3)).astype(dtype)


def expected(positions, species=None):
    return starhist.rdf(positions, box=BOX, species=species, **SETTINGS).counts


class OneLibrary:
    """Tests of a library `xp`; on_gpu(array) and on_host(array) copy."""

    def setUp(self):
        if not _core.counts_on_gpus:
            self.skipTest("this build of starhist counts on CPUs")
        try:
            self.load()
        except ImportError as error:
            self.skipTest(f"not installed: {error}")
        if not self.has_gpu():
            self.skipTest(f"{type(self).__name__} sees no GPU")

    def check(self, positions, host, species=None):
        counter = starhist.Counter(species, **SETTINGS)
        for frame in positions:
            counter.add(frame, BOX)
        np.testing.assert_array_equal(counter.result().counts, expected(host, species))

    def test_counts(self):
        for dtype in (np.float32, np.float64):
            for species in (None, LABELS):
                host = frames(dtype)
                with self.subTest(dtype=dtype.__name__, species=species is not None):
                    self.check([self.on_gpu(frame) for frame in host], host, species)

    def test_strides(self):
        host = frames(np.float32)
        self.check([self.on_gpu(frame.T.copy()).T for frame in host], host)
        self.check([self.on_gpu(frame)[::2] for frame in frames(np.float64)], frames(np.float64)[:, ::2])
        wide = np.concatenate([host, host], axis=2)
        self.check([self.on_gpu(frame)[:, 2:5] for frame in wide], wide[:, :, 2:5])

    def test_rdf(self):
        host = frames(np.float32)
        one = self.on_gpu(host[0])
        np.testing.assert_array_equal(starhist.rdf((one, BOX), **SETTINGS).counts, expected(host[0]))
        np.testing.assert_array_equal(starhist.rdf(self.on_gpu(host), box=BOX, **SETTINGS).counts, expected(host))
        generator = ((self.on_gpu(frame), BOX) for frame in host)
        np.testing.assert_array_equal(starhist.rdf(generator, **SETTINGS).counts, expected(host))

    def test_work_before(self):
        """Positions that are still being computed when they are given."""
        host = frames(np.float64, 20)
        counter = starhist.Counter(**SETTINGS)
        computed = []
        for frame in host:
            moved = self.slowly_moved(self.on_gpu(frame))
            counter.add(moved, BOX)
            computed.append(self.on_host(moved))
        np.testing.assert_array_equal(counter.result().counts, expected(np.array(computed)))

    def test_nan(self):
        host = frames(np.float32)
        host[0, 77, 1] = np.nan
        counter = starhist.Counter(**SETTINGS)
        with self.assertRaisesRegex(ValueError, "particle 77 .*not finite"):
            counter.add(self.on_gpu(host[0]), BOX)
        counter.add(self.on_gpu(host[1]), BOX)
        self.assertEqual(counter.result().frames, 1)

    def test_other_types(self):
        with self.assertRaisesRegex(TypeError, "float32 or float64"):
            starhist.Counter(**SETTINGS).add(self.on_gpu(np.zeros((10, 3), np.float16)), BOX)


class CuPy(OneLibrary, unittest.TestCase):
    def load(self):
        import cupy

        self.xp = cupy

    def has_gpu(self):
        try:
            return self.xp.cuda.runtime.getDeviceCount() > 0
        except self.xp.cuda.runtime.CUDARuntimeError:
            return False

    def on_gpu(self, array):
        return self.xp.asarray(array)

    def on_host(self, array):
        return array.get()

    def slowly_moved(self, array):
        matrix = self.xp.ones((3000, 3000))
        for _ in range(5):
            matrix = matrix @ matrix / 3000.0
        return array + matrix[0, 0] * 0.25

    def test_by_interface(self):
        class ByInterface:
            def __init__(self, array):
                self.array = array
                self.ndim = array.ndim
                self.__cuda_array_interface__ = array.__cuda_array_interface__

        host = frames(np.float64)
        self.check([ByInterface(self.on_gpu(frame)) for frame in host], host)

    def test_own_streams(self):
        host = frames(np.float64)
        for stream in (self.xp.cuda.Stream(non_blocking=True), self.xp.cuda.Stream.ptds):
            counter = starhist.Counter(**SETTINGS)
            computed = []
            for frame in host:
                with stream:
                    moved = self.slowly_moved(self.on_gpu(frame))
                    counter.add(moved, BOX)
                    computed.append(moved.get())
            np.testing.assert_array_equal(counter.result().counts, expected(np.array(computed)))


class PyTorch(OneLibrary, unittest.TestCase):
    def load(self):
        import torch

        self.xp = torch

    def has_gpu(self):
        return self.xp.cuda.is_available()

    def on_gpu(self, array):
        return self.xp.from_numpy(np.ascontiguousarray(array)).cuda()

    def on_host(self, array):
        return array.cpu().numpy()

    def slowly_moved(self, array):
        matrix = self.xp.ones((3000, 3000), dtype=self.xp.float64, device="cuda")
        for _ in range(5):
            matrix = matrix @ matrix / 3000.0
        return array + matrix[0, 0] * 0.25

    def test_own_stream(self):
        host = frames(np.float64)
        counter = starhist.Counter(**SETTINGS)
        computed = []
        for frame in host:
            with self.xp.cuda.stream(self.xp.cuda.Stream()):
                moved = self.slowly_moved(self.on_gpu(frame))
                counter.add(moved, BOX)
                computed.append(self.on_host(moved))
        np.testing.assert_array_equal(counter.result().counts, expected(np.array(computed)))

    def test_gradient(self):
        host = frames(np.float32)
        self.check([self.on_gpu(frame).requires_grad_() for frame in host], host)


class Jax(OneLibrary, unittest.TestCase):
    def load(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        self.xp = jax

    def has_gpu(self):
        return any(device.platform == "gpu" for device in self.xp.devices())

    def on_gpu(self, array):
        return self.xp.device_put(array, next(d for d in self.xp.devices() if d.platform == "gpu"))

    def on_host(self, array):
        return np.asarray(array)

    def slowly_moved(self, array):
        matrix = self.xp.numpy.ones((3000, 3000))
        for _ in range(5):
            matrix = matrix @ matrix / 3000.0
        return array + matrix[0, 0] * 0.25


if __name__ == "__main__":
    unittest.main(verbosity=2)
