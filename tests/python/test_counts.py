"""Counts are the program's, bit for bit, however positions lie in memory."""

import subprocess

import numpy as np
import pytest

import starhist
from starhist import program

WATER = {"r_max": 1.4, "bins": 280}
NACL = {"r_max": 2.2, "bins": 777}


def options(settings, *more):
    return ("--r-max", str(settings["r_max"]), "--bins", str(settings["bins"]), *more)


def same(a, b):
    assert a.pairs == b.pairs
    np.testing.assert_array_equal(a.counts, b.counts)
    np.testing.assert_array_equal(a.out_of_range, b.out_of_range)
    for name in ("edges", "g", "g_errors", "n", "n_errors", "n_reverse", "n_reverse_errors"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), name)
    assert a.counts.dtype == np.uint64
    assert a.counts.sum() > 0


def test_water(water, program_counts):
    counter = starhist.Counter(species=water.labels, **WATER)
    for positions, box in water:
        counter.add(positions, box)
    same(counter.result(), program_counts(water, *options(WATER, "--block", "100")))


def test_triclinic_box_that_changes_and_blocks(nacl, program_counts):
    counter = starhist.Counter(species=nacl.labels, frames_per_block=7, **NACL)
    for positions, box in nacl:
        counter.add(positions, box)
    same(counter.result(), program_counts(nacl, *options(NACL, "--block", "7")))


def test_rdf_of_arrays_and_of_a_path(nacl, program_counts):
    of_arrays = starhist.rdf(nacl.positions, box=nacl.boxes, species=nacl.labels, **NACL)
    same(of_arrays, program_counts(nacl, *options(NACL)))
    same(starhist.rdf((nacl.positions, nacl.boxes), species=nacl.labels, **NACL), of_arrays)
    one_block = program_counts(nacl, *options(NACL, "--block", "100"))  # as of a stream
    same(starhist.rdf(iter(nacl), species=nacl.labels, **NACL), one_block)
    same(starhist.rdf(nacl.path, **NACL), of_arrays)
    same(starhist.rdf([str(nacl.path)], **NACL), of_arrays)


def test_parts_of_a_source(water, program_counts):
    part = {"start": 3, "stop": 40, "step": 4}
    of_arrays = starhist.rdf(water.positions, box=water.boxes, species=water.labels, **WATER, **part)
    assert of_arrays.frames == 10
    np.testing.assert_array_equal(of_arrays.counts, starhist.rdf(water.path, **WATER, **part).counts)


@pytest.mark.parametrize("pairs", ["O-O,O-H", ["O-O", "H-O"], [("O", "O"), ("O", "H")], (("O", "O"), "O-H")])
def test_pairs(water, program_counts, pairs):
    counter = starhist.Counter(species=water.labels, pairs=pairs, **WATER)
    counter.add(water.positions[0], water.boxes[0])
    same(counter.result(), program_counts(water, *options(WATER, "--pairs", "O-O,H-O", "--last", "0")))


def float32(x):
    return np.asarray(x, dtype=np.float32)


def reversed_copy(x):
    return x[::-1, ::-1].copy()[::-1, ::-1]


def spread_out(x):
    wide = np.full((2 * len(x), 7), np.nan)
    wide[::2, 1:6:2] = x
    return wide[::2, 1:6:2]


def unaligned(x):
    records = np.zeros(len(x), dtype=[("kind", "u1"), ("x", "<f8", 3)])
    records["x"] = x
    return records["x"]


class Subclass(np.ndarray):
    pass


def read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


@pytest.mark.parametrize(
    "layout",
    [float32, np.float64, np.asfortranarray, reversed_copy, spread_out, unaligned, read_only,
     lambda x: x.astype(">f8"), lambda x: x.astype(">f4"), lambda x: x.tolist(), lambda x: x.view(Subclass)],
)  # fmt: skip
def test_layouts(nacl, layout, program_counts):
    counter = starhist.Counter(species=nacl.labels, **NACL)
    for positions, box in nacl:
        counter.add(layout(positions.astype(np.float64)), box)
    np.testing.assert_array_equal(counter.result().counts, program_counts(nacl, *options(NACL)).counts)


def test_dlpack(water):
    class Tensor:
        """The memory of an array, by DLPack alone."""

        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    plain = starhist.rdf(water.positions[0], box=water.boxes[0], **WATER)
    counter = starhist.Counter(**WATER)
    counter.add(Tensor(water.positions[0]), Tensor(water.boxes[0]))
    same(counter.result(), plain)


def test_torch(water):
    torch = pytest.importorskip("torch")
    plain = starhist.rdf(water.positions[0], box=water.boxes[0], **WATER)
    counter = starhist.Counter(**WATER)
    counter.add(torch.tensor(water.positions[0], requires_grad=True), torch.tensor(water.boxes[0]))
    same(counter.result(), plain)


def test_a_broadcast_array():
    counter = starhist.Counter(r_max=1, bins=4)
    counter.add(np.broadcast_to(np.float64(0.25), (5, 3)))
    assert counter.result().counts.tolist() == [[10, 0, 0, 0]]


def test_integers():
    counter = starhist.Counter(r_max=4, bins=4)
    counter.add(np.array([[0, 0, 0], [3, 0, 0]], dtype=np.int16))
    assert counter.result().counts.tolist() == [[0, 0, 0, 1]]


@pytest.mark.parametrize(
    "box, same_as",
    [([3, 4, 5], np.diag([3.0, 4, 5])), ([3, 4, 5, 90, 90, 90], np.diag([3.0, 4, 5])),
     (np.diag([3.0, 4, 5]).ravel(), np.diag([3.0, 4, 5])),
     ([3, 3, 3, 60, 60, 90], [[3, 0, 0], [0, 3, 0], [1.5, 1.5, 3 / np.sqrt(2)]]),
     # Left-handed: the same lattice, with its vectors in another order.
     ([[0, 4, 0], [3, 0, 0], [0, 0, 5]], np.diag([3.0, 4, 5]))],
)  # fmt: skip
def test_boxes(box, same_as):
    positions = np.random.default_rng(5).random((200, 3)) * 10 - 5
    settings = {"r_max": 1.5, "bins": 30}
    a, b = (starhist.rdf(positions, box=each, **settings) for each in (box, same_as))
    np.testing.assert_array_equal(a.counts, b.counts)
    np.testing.assert_allclose(a.g, b.g, rtol=1e-12)  # rounding of the volume
    assert (a.counts != starhist.rdf(positions, **settings).counts).any()


def test_no_box():
    result = starhist.rdf([[0.0, 0, 0], [0.5, 0, 0], [5, 0, 0]], r_max=1, bins=2)
    assert result.counts.tolist() == [[0, 1]]
    assert result.out_of_range.tolist() == [2]
    assert np.isnan(result.g).all()
    np.testing.assert_allclose(result.n, [[0, 2 / 3]], rtol=1e-15)


def test_periodic_along_two_axes():
    positions = [[0.05, 0.05, 0.05], [0.95, 0.05, 0.05], [0.05, 0.05, 0.95]]
    counter = starhist.Counter(r_max=1, bins=5, periodic=(True, True, False))
    counter.add(positions, [1, 1, 0])
    result = counter.result()
    # Across x 0.1, along z 0.9, and both together 0.906.
    assert result.counts.tolist() == [[1, 0, 0, 0, 2]]
    assert np.isnan(result.g).all()


@pytest.mark.parametrize("box", [[1, 1, 0], [1, 1, 0, 90, 90, 90], np.diag([1, 1, 0])])
def test_periodic_axes_of_rdf(box):
    positions = [[0.05, 0.05, 0.05], [0.95, 0.05, 0.05], [0.05, 0.05, 0.95]]
    result = starhist.rdf(positions, box=box, periodic=(True, True, False), r_max=1, bins=5)
    assert result.counts.tolist() == [[1, 0, 0, 0, 2]]


def test_numbers_of_particles_that_change(tmp_path):
    random = np.random.default_rng(3)
    frames = [random.random((n, 3)) for n in (50, 20, 0, 1, 120)]
    kinds = [random.choice(["A", "B"], len(frame)) for frame in frames]
    counter = starhist.Counter(species=kinds[0], r_max=0.5, bins=25)
    for frame, labels in zip(frames, kinds):
        counter.add(frame, [1, 1, 1], species=labels)
    result = counter.result()
    for k, (a, b) in enumerate((("A", "A"), ("A", "B"), ("B", "B"))):
        total = np.zeros(25, dtype=np.uint64)
        for frame, labels in zip(frames, kinds):
            left, right = frame[labels == a], frame[labels == b]
            d = left[:, None] - right[None, :]
            r = np.sqrt(((d - np.rint(d)) ** 2).sum(-1))
            r = r[np.triu_indices(len(left), 1)] if a == b else r.ravel()
            total += np.histogram(r, bins=25, range=(0, 0.5))[0].astype(np.uint64)
        np.testing.assert_array_equal(result.counts[k], total)


def test_species_order_and_particles_left_out():
    counter = starhist.Counter(species=[10, 2, 2, None, 10], r_max=10, bins=10)
    counter.add(np.arange(15.0).reshape(5, 3) / 15)
    assert counter.result().pairs == ["2-2", "2-10", "10-10"]
    assert counter.result().counts.sum(axis=1).tolist() == [1, 4, 1]


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, "pandas"])
@pytest.mark.parametrize(
    "as_container", [list, tuple, lambda labels: np.array(labels, dtype=object), "object", "string", "category"]
)
def test_missing_labels(missing, as_container):
    if missing == "pandas" or isinstance(as_container, str):
        pandas = pytest.importorskip("pandas")
        missing = pandas.NA if missing == "pandas" else missing
    if isinstance(as_container, str):
        labels = pandas.Series(["A", "B", missing, "B"], dtype=as_container)
    else:
        labels = as_container(["A", "B", missing, "B"])
    result = starhist.rdf(np.arange(12.0).reshape(4, 3) / 12, species=labels, r_max=10, bins=1)
    assert result.pairs == ["A-A", "A-B", "B-B"]
    assert result.counts[:, 0].tolist() == [0, 2, 1]


def test_labels_of_an_iterator():
    random = np.random.default_rng(8)
    frames = [(random.random((9, 3)), [1, 1, 1], random.permutation(["A"] * 4 + ["B"] * 5)) for _ in range(3)]
    each = [starhist.rdf(x, box=box, species=labels, r_max=0.5, bins=5).counts for x, box, labels in frames]
    result = starhist.rdf(iter(frames), r_max=0.5, bins=5)
    np.testing.assert_array_equal(result.counts, np.sum(each, axis=0))
    last = starhist.rdf(frames, r_max=0.5, bins=5, start=-2)
    np.testing.assert_array_equal(last.counts, np.sum(each[-2:], axis=0))
    more = [*frames, (frames[0][0], [1, 1, 1], ["C"] * 9)]
    result = starhist.rdf(iter(more), names=["A", "B", "C"], r_max=0.5, bins=5)
    for pair, counts in zip(("A-A", "A-B", "B-B"), np.sum(each, axis=0)):
        np.testing.assert_array_equal(result.counts[result.index(pair)], counts)
    assert result.counts[result.index("C-C")].sum() > 0


def test_boxes_of_an_iterator():
    positions = np.random.default_rng(8).random((9, 3))
    settings = {"r_max": 0.5, "bins": 5}
    once = starhist.rdf(positions, box=[1, 1, 1], **settings)
    for frames, box in (([positions], [1, 1, 1]), ([(positions, None)], [1, 1, 1]), ([(positions, [1, 1, 1])], None)):
        np.testing.assert_array_equal(starhist.rdf(iter(frames), box=box, **settings).counts, once.counts)


def test_parts_of_one_frame():
    positions = np.random.default_rng(8).random((9, 3))
    for part in ({"start": -1}, {"step": -1}, {"stop": 1}):
        assert starhist.rdf(positions, r_max=0.5, bins=5, **part).frames == 1


@pytest.mark.parametrize(
    "box", [[2.5, 2.5, 2.5], [2.5, 2.5, 2.5, 90, 90, 90], 2.5 * np.eye(3), (2.5 * np.eye(3)).ravel()]
)
def test_boxes_of_paths(water, box):
    of_arrays = starhist.rdf(water.positions[:4], box=np.eye(3) * 2.5, species=water.labels, **WATER)
    of_path = starhist.rdf(water.path, box=box, stop=4, **WATER)
    np.testing.assert_array_equal(of_path.counts, of_arrays.counts)


def test_a_file_of_boxes_of_a_path(water, tmp_path):
    edges = [2.5 + 0.1 * (frame % 4) for frame in range(51)]
    boxes = tmp_path / "boxes.xvg"
    lines = [f"{0.1 * step:.3f} {edge} {edge} {edge}" for step, edge in enumerate(edges)]
    boxes.write_text("\n".join(['@ s0 legend "Box-X"', '@ s1 legend "Box-Y"', '@ s2 legend "Box-Z"', *lines]) + "\n")
    of_arrays = starhist.rdf(
        water.positions[:4], box=[np.eye(3) * edge for edge in edges[:4]], species=water.labels, **WATER
    )
    for path in (boxes, str(boxes)):
        np.testing.assert_array_equal(starhist.rdf(water.path, box=path, stop=4, **WATER).counts, of_arrays.counts)


def test_names_of_later_species():
    counter = starhist.Counter(species=["A"], names=["A", "B"], r_max=1, bins=1)
    counter.add([[0.0, 0, 0]])
    counter.add([[0.0, 0, 0], [0.1, 0, 0]], species=["A", "B"])
    result = counter.result()
    assert dict(zip(result.pairs, result.counts[:, 0])) == {"A-A": 0, "A-B": 1, "B-B": 0}


def test_frames_after_a_result(water):
    counter = starhist.Counter(species=water.labels, **WATER)
    totals = []
    for positions, box in zip(water.positions[:6], water.boxes):
        counter.add(positions, box)
        totals.append(counter.result().counts.astype(np.int64))
    each = [
        starhist.rdf(p, box=b, species=water.labels, **WATER).counts.astype(np.int64)
        for p, b in zip(water.positions[:6], water.boxes)
    ]
    np.testing.assert_array_equal(np.diff(totals, axis=0), each[1:])
    counter.reset()
    counter.add(water.positions[0], water.boxes[0])
    np.testing.assert_array_equal(counter.result().counts, each[0])


def test_normalizations(nacl, tmp_path, program_counts):
    settings = {**NACL, "pairs": "Cl-Na"}
    counter = starhist.Counter(species=nacl.labels, frames_per_block=1, **settings)
    for positions, box in nacl:
        counter.add(positions, box)
    counter.result().save(tmp_path / "rdf.h5")
    curves = []
    for normalization in ("pairs-over-volume", "mean-volume", "per-frame"):
        result = counter.result(normalization)
        same(result, starhist.load(tmp_path / "rdf.h5", normalization))
        curves.append(result.g)
    assert not np.array_equal(curves[0], curves[1]) and not np.array_equal(curves[1], curves[2])


def test_command_line(water):
    printed = subprocess.run([program.path(), "--version"], capture_output=True, text=True, check=True).stdout
    assert starhist.__version__ in printed


def test_per_frame_needs_constant_numbers_in_a_block():
    random = np.random.default_rng(1)

    def counter(numbers, pairs):
        made = starhist.Counter(["X", "Y"], r_max=0.4, bins=4, pairs=pairs, frames_per_block=2)
        for number in numbers:
            made.add(random.random((number + 20, 3)), [1, 1, 1], species=["X"] * number + ["Y"] * 20)
        return made

    # Frames with 10 and 30 X have the same sum as frames with 20 and 20 X.
    with pytest.raises(ValueError, match="differ, or may differ, within a block"):
        counter((10, 30), "X-Y").result("per-frame")
    assert np.isfinite(counter((20, 20), "X-Y").result("per-frame").g).all()
    assert np.isfinite(counter((10, 30), "X-Y").result().g).all()
