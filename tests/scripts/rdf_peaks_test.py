#!/usr/bin/env python3
"""Tests of scripts/user/rdf_peaks.py: the end of the first shell of noisy curves, and its errors."""
import importlib.util
import pathlib
import sys
import unittest
from types import SimpleNamespace

if any(importlib.util.find_spec(name) is None for name in ("h5py", "numpy")):
    print("SKIPPED: h5py or numpy is missing")
    sys.exit(77)

import numpy as np  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/user"))
import rdf_peaks  # noqa: E402

BINS, R_MAX = 400, 1.0
EDGES = np.linspace(0, R_MAX, BINS + 1)
CENTRES = (EDGES[:-1] + EDGES[1:]) / 2
SHELLS = 4 / 3 * np.pi * np.diff(EDGES ** 3)
DENSITY = 33.0  # water's


def model(r, shift=0.0):
    """g(r) like that of a liquid: a peak at 0.28, a minimum at about 0.34, a second peak at 0.45."""
    g = (1 + 1.9 * np.exp(-0.5 * ((r - 0.28) / 0.018) ** 2)
         - 0.35 * np.exp(-0.5 * ((r - 0.345 - shift) / 0.03) ** 2)
         + 0.12 * np.exp(-0.5 * ((r - 0.45) / 0.03) ** 2))
    return np.where(r < 0.235, 0, g)


MINIMUM = CENTRES[np.searchsorted(CENTRES, 0.3) + np.argmin(model(CENTRES)[(CENTRES > 0.3) & (CENTRES < 0.42)])]


def counts_of(random, particles, shift=0.0):
    return random.poisson(particles * DENSITY * SHELLS * model(CENTRES, shift)).astype(float)


def curve_of(counts, particles):
    return SimpleNamespace(r=CENTRES, value=counts / (particles * DENSITY * SHELLS), counts=counts)


class FirstShell(unittest.TestCase):
    def test_the_minimum_is_found_in_noise(self):
        # Neighbours of so many particles: noise of 9, 3 and 1 % in a bin at the minimum.
        for particles, tolerance in ((1_000, 0.025), (10_000, 0.015), (100_000, 0.01)):
            for seed in range(40):
                random = np.random.default_rng(seed)
                curve = curve_of(counts_of(random, particles), particles)
                with self.subTest(particles=particles, seed=seed):
                    self.assertAlmostEqual(CENTRES[rdf_peaks.shell_end(curve, True)], MINIMUM, delta=tolerance)

    def test_without_a_minimum_the_shell_has_no_end(self):
        falling = np.where(CENTRES < 0.25, 0, 1 + 2 * np.exp(-(CENTRES - 0.25) / 0.02))
        random = np.random.default_rng(1)
        counts = random.poisson(10_000 * DENSITY * SHELLS * falling).astype(float)
        self.assertEqual(rdf_peaks.shell_end(curve_of(counts, 10_000), True), BINS - 1)

    def test_reported_errors_are_those_of_independent_runs(self):
        # The minimum moves from block to block, which moves the coordination number.
        blocks, particles = 20, 4_000
        ends, numbers, end_errors, number_errors = [], [], [], []
        for seed in range(40):
            random = np.random.default_rng(seed)
            counts = np.array([counts_of(random, particles, random.normal(0, 0.01)) for _ in range(blocks)])
            curve = curve_of(counts.sum(axis=0), blocks * particles)
            end = rdf_peaks.shell_end(curve, True)
            ends.append(CENTRES[end])
            numbers.append(counts.sum(axis=0)[:end + 1].sum() / (blocks * particles))
            error, (of_number,) = rdf_peaks.shell_errors(
                curve, True, (counts, np.ones(blocks), [np.full(blocks, float(particles))]))
            end_errors.append(error)
            number_errors.append(of_number)
        scatter = np.std(numbers, ddof=1)
        ratio = np.sqrt(np.mean(np.square(number_errors))) / scatter
        print(f"coordination number {np.mean(numbers):.3f}, scatter {scatter:.3f}, reported / true {ratio:.2f}; "
              f"of the minimum {np.sqrt(np.mean(np.square(end_errors))) / np.std(ends, ddof=1):.2f}")
        self.assertGreater(ratio, 0.7)
        self.assertLess(ratio, 1.6)
        fixed = np.sqrt(numbers[0] / (blocks * particles))  # as if the minimum stood still
        self.assertGreater(scatter, 2 * fixed)

    def test_one_block_or_nearly_has_no_errors(self):
        counts = counts_of(np.random.default_rng(2), 1000)
        self.assertIsNone(rdf_peaks.shell_errors(curve_of(counts, 1000), True,
                                                 (counts[None], np.ones(1), [np.full(1, 1000.0)])))


if __name__ == "__main__":
    unittest.main()
