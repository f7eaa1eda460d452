"""vanhove(): distances between frames of files."""

import subprocess

import numpy as np
import pytest

import starhist
from starhist import program


def test_lag_0_equals_rdf_and_particles_move(water):
    settings = {"r_max": 1.0, "bins": 50, "frames_per_block": 10}
    result = starhist.vanhove(water.path, lags=[0, 1, 4], **settings)
    rdf = starhist.rdf(water.path, **settings)
    assert result.pairs == rdf.pairs
    assert result.species == ["H", "O"]
    np.testing.assert_array_equal(result.edges, rdf.edges)
    np.testing.assert_array_equal(result.lags, [0, 1, 4])
    np.testing.assert_array_equal(result.counts[0], rdf.counts)
    np.testing.assert_array_equal(result.g[0], rdf.g)
    np.testing.assert_array_equal(result.g_errors[0], rdf.g_errors)
    assert (np.diff(result.msd, axis=0) > 0).all()
    centres = (result.self_counts * result.r**2).sum(axis=-1) / result.self_counts.sum(axis=-1)
    np.testing.assert_allclose(centres[1:], result.msd[1:], rtol=0.05)
    assert result.frames == rdf.frames


def test_one_block_has_no_errors(water):
    result = starhist.vanhove(water.path, lags="0:2:2", r_max=1.0, bins=5, stop=5)
    assert np.isnan(result.msd_errors).all() and np.isnan(result.g_errors).all()
    assert not np.isnan(result.g).any()


def test_wrong_sources_are_refused(water, tmp_path):
    with pytest.raises(TypeError, match="reads files"):
        starhist.vanhove(water.positions)
    with pytest.raises(ValueError, match="beyond the trajectory"):
        starhist.vanhove(water.path, lags=[1000], r_max=1.0, bins=5)
    path = tmp_path / "vh.h5"
    words = [str(program.path()), "vanhove", "-q", "--lags", "1", "--last", "3", "-o", str(path), str(water.path)]
    subprocess.run(words, check=True, env=program.environment())
    with pytest.raises(ValueError, match="load_vanhove"):
        starhist.load(path)
