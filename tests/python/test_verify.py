"""verify(): blocks of result files counted again."""

import shutil

import pytest

import starhist


@pytest.fixture
def counted(water, tmp_path):
    """A trajectory and its result, as paths."""
    trajectory, result = tmp_path / "t.h5", tmp_path / "rdf.h5"
    shutil.copy(water.path, trajectory)
    starhist.rdf(trajectory, pairs="O-O", r_max=1.0, bins=50, stop=8, frames_per_block=2).save(result)
    return trajectory, result


def test_an_unchanged_result_is_equal_by_every_method(counted):
    for method in ("reference", "cpu"):
        found = starhist.verify(counted[1], blocks="all", method=method)
        assert found.equal and found.differences == [] and found.difference_count == 0
        assert found.blocks == [0, 1, 2, 3] and found.frames == 8
        assert found.pairs == 8 * 884 * 883 // 2
    sample = starhist.verify(counted[1], blocks=2, seed=5)
    assert len(sample.blocks) == 2 and sample.seed == 5


def test_a_changed_count_is_returned(counted):
    h5py = pytest.importorskip("h5py")
    with h5py.File(counted[1], "r+") as file:
        group = file["observables/pair_distance_histogram"]
        old = int(group["value"][2, 0, 30])
        group["value"][2, 0, 30] = old + 4
        group["overflow"][2, 0] -= 4
    found = starhist.verify(counted[1], blocks="all")
    assert not found.equal and found.difference_count == 3
    assert [d.number for d in found.differences if d.block is None] == ["g(r), O-O, bin 30"]
    change = next(d for d in found.differences if d.block is not None and "bin 30" in d.number)
    assert (change.block, change.result, change.recounted) == (2, str(old + 4), str(old))


def test_moved_trajectories_and_wrong_arguments(counted, tmp_path):
    moved = tmp_path / "moved.h5"
    counted[0].rename(moved)
    with pytest.raises(ValueError, match="is not there.* with trajectory="):
        starhist.verify(counted[1])
    assert starhist.verify(counted[1], moved, blocks=1).equal
    assert starhist.verify(counted[1], [moved], blocks=1).equal
    with pytest.raises(ValueError, match="pass one of reference, cpu, gpu"):
        starhist.verify(counted[1], method="magic")
    with pytest.raises(FileNotFoundError):
        starhist.verify(tmp_path / "missing.h5")
    with pytest.raises(ValueError, match="not a result of starhist"):
        starhist.verify(moved)


def test_results_of_arrays_are_refused(water, tmp_path):
    path = tmp_path / "arrays.h5"
    starhist.rdf(water.positions[:2], box=water.boxes[:2], r_max=1.0, bins=10).save(path)
    with pytest.raises(ValueError, match="in memory"):
        starhist.verify(path)
