"""Bad input makes an exception that says what is wrong and what to do, and no frame."""

import os
import subprocess
import sys

import numpy as np
import pytest

import starhist
from starhist import _core
from starhist._messages import in_words_of_python

CPU_BUILD = pytest.mark.skipif(_core.counts_on_gpus, reason="this build counts on GPUs")
POSITIONS = np.random.default_rng(1).random((10, 3))
BOX = [1.0, 1.0, 1.0]


def with_value(value):
    positions = POSITIONS.copy()
    positions[7, 2] = value
    return positions


class OnGpu:
    """As arrays of Numba are."""

    ndim = 2
    __cuda_array_interface__ = {"shape": (10, 3), "typestr": "<f8", "data": (1, False), "version": 3}


class OnGpuByDlpack:
    def __dlpack__(self, **options):
        raise AssertionError("it was to be left there")

    def __dlpack_device__(self):
        return (2, 0)


class WithUnits:
    """As quantities of pint are."""

    magnitude = POSITIONS
    units = "nanometer"


@pytest.mark.parametrize(
    "positions, exception, message",
    [
        (with_value(np.nan), ValueError, "nan"),
        (with_value(np.inf), ValueError, "inf"),
        (with_value(1e30), ValueError, "far"),
        (POSITIONS.T, ValueError, "transpose"),
        (POSITIONS[:, :2], ValueError, r"\(10, 2\).*particles x 3"),
        (POSITIONS[0], ValueError, r"\(3,\)"),
        ([], ValueError, r"\(0,\)"),
        (POSITIONS[None], ValueError, "one frame at a time"),
        (POSITIONS.astype(complex), TypeError, "complex128"),
        (POSITIONS.astype(np.longdouble), TypeError, "float64"),
        (POSITIONS.astype(str), TypeError, "astype"),
        (POSITIONS > 0.5, TypeError, "bool"),
        (POSITIONS.astype(object), TypeError, "object"),
        ([[1.0, 2.0, 3.0], [1.0]], TypeError, "not an array of numbers"),
        ("positions", TypeError, "<U9"),
        (None, TypeError, "object"),
        (np.ma.masked_greater(POSITIONS, 0.9), TypeError, "masked.*leave those particles out"),
        (WithUnits(), TypeError, "nanometer.*magnitude"),
        ([WithUnits()] * 10, TypeError, "nanometer.*magnitude"),
        ([[WithUnits()] * 3] * 10, TypeError, "nanometer.*magnitude"),
        (list(np.ma.masked_greater(POSITIONS, 0.9)), TypeError, "masked.*leave those particles out"),
        ([[0.0, 0.0, np.ma.masked]] * 10, TypeError, "masked.*leave those particles out"),
        pytest.param(OnGpu(), TypeError, "on a GPU.*counts on CPUs.*copy them first", marks=CPU_BUILD),
        pytest.param(OnGpuByDlpack(), TypeError, "on a GPU.*counts on CPUs.*copy them first", marks=CPU_BUILD),
    ],
)  # fmt: skip
def test_positions(positions, exception, message):
    counter = starhist.Counter(r_max=0.4, bins=4)
    with pytest.raises(exception, match=message):
        counter.add(positions, BOX)
    assert counter.frames == 0
    counter.add(POSITIONS, BOX)
    assert counter.result().frames == 1


@pytest.mark.parametrize(
    ("source", "kind"),
    [(None, "None"), ({"A": POSITIONS}, "of type dict"), (3, "of type int"), ([object()], "of type list")],
)
def test_rdf_of_a_source_of_another_type(source, kind):
    with pytest.raises(TypeError, match=f"the source is {kind}: pass a path, positions"):
        starhist.rdf(source, box=BOX, r_max=0.4, bins=4)


@CPU_BUILD
@pytest.mark.parametrize("array", [OnGpu(), OnGpuByDlpack()])
def test_rdf_of_positions_on_a_gpu(array):
    array.ndim = 2
    with pytest.raises(TypeError, match="counts on CPUs"):
        starhist.rdf(array, box=BOX, r_max=0.4, bins=4)
    with pytest.raises(TypeError, match="counts on CPUs"):
        starhist.rdf((array, BOX), r_max=0.4, bins=4)


def test_a_box_on_a_gpu():
    with pytest.raises(TypeError, match="the numbers of the box are on a GPU.*copy them first"):
        starhist.Counter(r_max=0.4, bins=4).add(POSITIONS, OnGpu())


@pytest.mark.parametrize(
    "box, message",
    [
        ([1, 1], r"\(2,\).*3 lengths"),
        (1.0, r"\(1,\)"),
        ([[1, 1, 1, 90, 90, 90]], r"\(1, 6\)"),
        ([1, 1, 0], "length 2"),
        ([1, 1, -1], "length 2"),
        ([1, 1, np.nan], "length 2"),
        ([1, 1, 1, 90, 90, 180], "angle"),
        ([1, 1, 1, 0, 0, 0], "angle"),
        ([1, 1, 1, 1.57, 1.57, 1.57], "radians.*degrees"),
        ([1, 1, 1, 20, 20, 170], "angle"),
        ([[1, 0, 0], [0, 1, 0], [1, 1, 0]], "volume|plane"),
        ([[1, 1, 1], [90, 90, 90], [0, 0, 0]], "zero"),
        (np.zeros((3, 3)), "zero"),
    ],
)  # fmt: skip
def test_boxes(box, message):
    counter = starhist.Counter(r_max=0.4, bins=4)
    with pytest.raises(ValueError, match=message):
        counter.add(POSITIONS, box)
    counter.add(POSITIONS, BOX)
    assert counter.result().frames == 1


@pytest.mark.parametrize("box", [[WithUnits()] * 3, np.ma.masked_less([1.0, 1.0, 1.0], 0.5), [np.ma.masked] * 3])
def test_boxes_with_units_or_masks(box):
    with pytest.raises(TypeError, match="the numbers of the box (have units|are a masked)"):
        starhist.rdf(POSITIONS, box=box, r_max=0.4, bins=4)


def test_frames_with_units_or_masks():
    for frames in ([np.ma.masked_greater(POSITIONS, 0.9)] * 2, (WithUnits(), WithUnits()), iter([WithUnits()])):
        with pytest.raises(TypeError, match="positions (have units|are a masked)"):
            starhist.rdf(frames, box=BOX, r_max=0.4, bins=4)


def test_a_box_that_is_no_numbers():
    with pytest.raises(TypeError, match="box"):
        starhist.rdf(POSITIONS, box="cubic", r_max=0.4, bins=4)


def test_boxes_of_several_kinds():
    counter = starhist.Counter(r_max=0.4, bins=4)
    counter.add(POSITIONS, BOX)
    with pytest.raises(ValueError, match="another kind of box"):
        counter.add(POSITIONS, None)
    assert counter.result().frames == 1


@pytest.mark.parametrize(
    "settings, exception, message",
    [
        ({"r_max": 0}, ValueError, "r_max|cut"),
        ({"r_max": -1}, ValueError, "r_max|cut"),
        ({"r_max": np.nan}, ValueError, "r_max|cut"),
        ({"r_max": "1 nm"}, TypeError, "pass a number"),
        ({"bins": 0}, ValueError, "at least 1"),
        ({"bins": -5}, ValueError, "at least 1"),
        ({"bins": 10.0}, TypeError, "integer"),
        ({"bins": 2**31}, ValueError, "bin count"),
        ({"bins": 2**70}, ValueError, "bins"),
        ({"pairs": "A-C"}, ValueError, "A-C.*A, B"),
        ({"pairs": []}, ValueError, "empty"),
        ({"pairs": 7}, TypeError, "O-O"),
        ({"pairs": [("A",)]}, TypeError, "O-O"),
        ({"species": "AABB"}, TypeError, "one label for each particle"),
        ({"species": [["A"]]}, ValueError, "one label for each particle"),
        ({"species": [1.5, 2.5]}, TypeError, "strings or integers"),
        ({"species": []}, (TypeError, ValueError), "label"),
        ({"species": ["a\0b", "a"]}, ValueError, "NUL"),
        ({"species": np.array(["a\0b", "a"])}, ValueError, "NUL"),
        ({"species": ["a\0", "a"]}, ValueError, "NUL"),
        ({"species": ["\ud800", "b"]}, ValueError, "UTF-8"),
        ({"species": [[1], "b"]}, (TypeError, ValueError), "label"),
        ({"species": [None, np.nan]}, ValueError, "no label.*names="),
        ({"species": [], "names": None}, ValueError, "no label.*names="),
        ({"names": "AB"}, TypeError, "the name of each species"),
        ({"names": 7}, TypeError, "the name of each species"),
        ({"pairs": "A-B\0"}, ValueError, "NUL"),
        ({"length_unit": "\ud800"}, ValueError, "UTF-8"),
        ({"frames_per_block": 0}, ValueError, "at least 1"),
        ({"frames_per_block": 2**32}, ValueError, "at most 4294967295"),
        ({"periodic": (True,)}, ValueError, "three"),
        ({"periodic": True}, TypeError, "three bools"),
        ({"periodic": "xyz"}, TypeError, "three bools"),
        ({"periodic": (1.0, 1.0, 0.5)}, TypeError, "three bools"),
        ({"memory": 0}, ValueError, "at least 1"),
    ],
)  # fmt: skip
def test_settings(settings, exception, message):
    with pytest.raises(exception, match=message):
        starhist.Counter(**{"species": ["A", "B"], "r_max": 0.4, "bins": 4, **settings})


def test_labels_of_frames():
    counter = starhist.Counter(species=["A"] * 5 + ["B"] * 5, r_max=0.4, bins=4)
    with pytest.raises(ValueError, match="10"):
        counter.add(POSITIONS[:9], BOX)
    with pytest.raises(ValueError, match="'C' is not among the species A, B"):
        counter.add(POSITIONS, BOX, species=["C"] * 10)
    counter.add(POSITIONS, BOX)
    assert counter.result().counts.sum() + counter.result().out_of_range.sum() == 45


LABELS = ["A"] * 5 + ["B"] * 5
OTHER_LABELS = ["B", "A"] * 5


@pytest.mark.parametrize("refused", [with_value(np.nan), POSITIONS[:9]])
def test_a_refused_frame_leaves_the_labels_alone(refused):
    counter = starhist.Counter(LABELS, r_max=0.4, bins=4)
    once = starhist.rdf(POSITIONS, box=BOX, species=LABELS, r_max=0.4, bins=4)
    for labels in (OTHER_LABELS, OTHER_LABELS[:8]):
        with pytest.raises(ValueError):
            counter.add(refused, BOX, species=labels)
        counter.add(POSITIONS, BOX)
    np.testing.assert_array_equal(counter.result().counts, 2 * once.counts)


def test_a_refused_frame_leaves_particles_alike():
    counter = starhist.Counter(r_max=0.4, bins=4)
    with pytest.raises(ValueError):
        counter.add(with_value(np.nan), BOX, species=[None] * 5 + ["all"] * 5)
    for positions in (POSITIONS, POSITIONS[:7]):
        counter.add(positions, BOX)
    result = counter.result()
    assert result.counts.sum() + result.out_of_range.sum() == 45 + 21


def test_reset_keeps_the_labels():
    counter = starhist.Counter(LABELS, r_max=0.4, bins=4)
    counter.add(POSITIONS, BOX, species=OTHER_LABELS)
    for box in ([1, 1, 1, 90, 90, 90], BOX, None):
        counter.reset()
        counter.add(POSITIONS, box)
        once = starhist.rdf(POSITIONS, box=box, species=OTHER_LABELS, r_max=0.4, bins=4)
        np.testing.assert_array_equal(counter.result().counts, once.counts)


@pytest.mark.parametrize(
    "frame, exception, message",
    [
        ({"step": "a"}, TypeError, "step is 'a': pass an integer"),
        ({"step": 1.5}, TypeError, "step is 1.5: pass an integer"),
        ({"step": 2**63}, ValueError, "step is 9223372036854775808"),
        ({"time": "x"}, TypeError, "time is 'x': pass a number"),
    ],
)  # fmt: skip
def test_steps_and_times(frame, exception, message):
    counter = starhist.Counter(r_max=0.4, bins=4)
    with pytest.raises(exception, match=message):
        counter.add(POSITIONS, BOX, **frame)
    assert counter.frames == 0


@pytest.mark.parametrize(
    "setting", [{"workers": "a"}, {"workers": 1.5}, {"gpus": "a"}, {"workers": 2**40}, {"scheduler": 3}]
)
def test_starts(setting):
    with pytest.raises((TypeError, ValueError), match=f"{next(iter(setting))} is .*: pass"):
        starhist.start(**setting)


def test_a_closed_counter():
    counter = starhist.Counter(r_max=0.4, bins=4)
    counter.close()
    with pytest.raises(RuntimeError, match="the counter was closed.*new counter"):
        counter.add(POSITIONS)


def test_results_that_there_are_not():
    counter = starhist.Counter(r_max=0.4, bins=4)
    with pytest.raises(ValueError, match="no frame"):
        counter.result()
    counter.add(POSITIONS, BOX)
    with pytest.raises(ValueError, match="mean-volume"):
        counter.result("median")
    result = counter.result()
    with pytest.raises(KeyError, match="A-B is not among the pairs all-all"):
        result.index("A-B")


def test_r_max_far_beyond_the_box():
    with pytest.raises(ValueError, match="unit|largest"):
        starhist.rdf(POSITIONS, box=BOX, r_max=100, bins=10)


@pytest.mark.parametrize(
    "arguments, exception, message",
    [
        ({"source": POSITIONS}, ValueError, "r_max is missing"),
        ({"source": POSITIONS, "r_max": 1, "bins": 2, "options": ["-q"]}, ValueError, "options"),
        ({"source": np.zeros((4, 5, 2)), "r_max": 1, "bins": 2}, ValueError, r"\(4, 5, 2\)"),
        ({"source": np.zeros((4, 5, 3)), "box": np.ones((2, 3)), "r_max": 1, "bins": 2}, ValueError, "4 frames"),
        ({"source": np.zeros((3, 5, 3)), "box": np.eye(3), "r_max": 1, "bins": 2}, ValueError, "3 frames"),
        ({"source": (POSITIONS, BOX), "box": BOX, "r_max": 1, "bins": 2}, ValueError, "two boxes"),
        ({"source": iter([(POSITIONS, BOX)]), "box": BOX, "r_max": 1, "bins": 2}, ValueError, "two boxes"),
        ({"source": np.zeros((4, 5, 3)), "box": 3.0, "r_max": 1, "bins": 2}, ValueError, "the box has the shape"),
        ({"source": iter([POSITIONS]), "start": -1, "r_max": 1, "bins": 2}, ValueError, "iterator.*0 or more"),
        ({"source": iter([POSITIONS]), "step": -1, "r_max": 1, "bins": 2}, ValueError, "iterator.*0 or more"),
        ({"source": POSITIONS, "step": 0, "r_max": 1, "bins": 2}, ValueError, "step is 0"),
        ({"source": POSITIONS, "start": "a", "r_max": 1, "bins": 2}, TypeError, "start is 'a'"),
        ({"source": iter([(POSITIONS, BOX, LABELS), (POSITIONS, BOX, ["C"] * 10)]), "r_max": 0.4, "bins": 2}, ValueError, "'C'.*names="),
        ({"source": iter([(POSITIONS, BOX), (POSITIONS, BOX, LABELS)]), "r_max": 0.4, "bins": 2}, ValueError, "first one does not"),
        ({"source": POSITIONS, "box": [1, 1, 0], "r_max": 0.4, "bins": 2}, ValueError, "periodic="),
        ({"source": "nowhere.xtc", "periodic": (True,) * 3}, ValueError, "not for files"),
        ({"source": "nowhere.xtc", "names": ["A"]}, ValueError, "not for files"),
        ({"source": "nowhere.xtc", "box": 1.0}, ValueError, "the box has the shape"),
        ({"source": __file__, "box": [[1, 0, 0], [2, 0, 0], [0, 0, 1]]}, ValueError, "flat"),
        ({"source": "nowhere.xtc", "r_max": "a"}, TypeError, "r_max is 'a'"),
        ({"source": "nowhere.xtc", "bins": 0}, ValueError, "bins is 0"),
        ({"source": "nowhere.xtc", "frames_per_block": 0}, ValueError, "frames_per_block is 0"),
        ({"source": object(), "r_max": 1, "bins": 2}, (TypeError, ValueError), "positions"),
        ({"source": iter([]), "r_max": 1, "bins": 2}, ValueError, "no frame"),
        ({"source": "nowhere.xtc"}, FileNotFoundError, "nowhere.xtc"),
        ({"source": "nowhere.xtc", "species": ["O"]}, TypeError, "rules"),
        ({"source": "nowhere.xtc", "start": -3}, ValueError, "0 or more"),
        ({"source": "nowhere.xtc", "start": 3, "stop": 3}, ValueError, "select no frame"),
    ],
)  # fmt: skip
def test_sources(arguments, exception, message):
    with pytest.raises(exception, match=message):
        starhist.rdf(**arguments)


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        starhist.load(tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("no result")
    with pytest.raises(ValueError, match="text.h5"):
        starhist.load(tmp_path / "text.h5")
    result = starhist.rdf(POSITIONS, box=BOX, r_max=0.4, bins=4)
    result.save(tmp_path / "a.h5")
    with pytest.raises(OSError, match="a.h5 exists already.*overwrite=True"):
        result.save(tmp_path / "a.h5")
    with pytest.raises(OSError, match="a.h5"):
        starhist.load(tmp_path / "a.h5").save(tmp_path / "a.h5")
    result.save(tmp_path / "a.h5", overwrite=True)
    with pytest.raises(OSError, match="nowhere"):
        result.save(tmp_path / "nowhere" / "a.h5")


def test_words_of_python():
    counter = starhist.Counter(r_max=0.4, bins=100_000, memory=100)
    with pytest.raises(MemoryError, match="memory= allows"):
        counter.add(POSITIONS, BOX)
    for of_the_program, of_python in {
        "give one for all with --box, or with --first and --last": "give one for all with box=, or with start= and stop=",
        "no frames are selected (--first 5, --last 9)": "no frames are selected (start=5, stop=10)",
        "say --box a,b,c or --box none": 'say box=[a, b, c] or box="none"',
        "write --pairs H-O": 'write pairs="H-O"',
        "--r-max 1.5 is far": "r_max=1.5 is far",
        "--species: there is no": "species: there is no",
        "take --blocks, --bin-width 0.1 or --step-size": "take --blocks, bin_width=0.1 or --step-size",
        "starhist export --like gmx --pairs A-B writes these numbers": "starhist export --like gmx --pairs A-B writes these numbers",
        "(count with starhist rdf --axis2 'cos(z)' as well)": "(count with starhist.rdf(..., axis2='cos(z)') as well)",
        "option --quantity is given twice": "options contain a second --quantity: omit it",
        "option --r-max is given twice": "options contain a second r_max: omit it",
        "--from minima: its length unit is A": "minima: its length unit is A",
        "--from rdf.h5: its length unit is A": 'minima="rdf.h5": its length unit is A',
        "for lags in units of time give --lag-unit time)": 'for lags in units of time give lag_unit="time")',
        "--axis2 cos(vector O->X): there is": 'axis2="cos(vector O->X)": there is',
        "for a slab: --open x,y --geometry slab": 'for a slab: open_axes="x,y", geometry="slab"',
        "--open x,y,z --volume V; --box needs": 'open_axes="x,y,z", volume=V; box= needs',
        "give --cutoff O-H=0.245,O-O=0.35; or": 'give cutoffs={"O-H": 0.245, "O-O": 0.35}; or',
        "--open q is not a list": 'open_axes="q" is not a list',
        "--box FILE or --last I": "box=FILE or stop=I+1",
    }.items():
        assert in_words_of_python(of_the_program) == of_python


def test_normalization_of_a_file(tmp_path):
    counter = starhist.Counter(r_max=0.4, bins=4)
    for length in (1, 2):
        counter.add(POSITIONS, [1, 1, length])
    counter.result().save(tmp_path / "a.h5")
    with pytest.raises(ValueError, match="count with frames_per_block=1"):
        starhist.load(tmp_path / "a.h5", "per-frame")


def test_memory_of_an_array_that_dies():
    counter = starhist.Counter(r_max=0.4, bins=4)
    for _ in range(50):
        counter.add(POSITIONS.copy()[::-1], np.array(BOX))
    once = starhist.rdf(POSITIONS, box=BOX, r_max=0.4, bins=4)
    np.testing.assert_array_equal(counter.result().counts, 50 * once.counts)


def test_any_values():
    hypothesis = pytest.importorskip("hypothesis")
    from hypothesis import strategies as st

    numbers = st.one_of(
        st.floats(width=64), st.integers(-(2**70), 2**70), st.none(), st.booleans(), st.text(max_size=3),
        st.floats(0.01, 2), st.complex_numbers(),
    )  # fmt: skip
    nested = st.recursive(numbers, lambda inner: st.lists(inner, max_size=4), max_leaves=12)
    arrays = st.builds(
        lambda shape, kind, scale: (np.random.default_rng(0).random(shape) * scale).astype(kind),
        st.lists(st.integers(0, 5), max_size=3), st.sampled_from(["f2", "f4", "f8", "g", "i1", "u8", "?", "c8", "S3", "O"]),
        st.sampled_from([0.0, 1.0, 1e300, np.nan]),
    )  # fmt: skip
    rows = st.lists(st.lists(st.floats(-3, 3), min_size=3, max_size=3), max_size=5)
    anything = st.one_of(nested, arrays, rows)

    @hypothesis.settings(max_examples=1500, deadline=None, database=None)
    @hypothesis.given(anything, anything, st.one_of(numbers, st.just(0.5)), st.one_of(numbers, st.just(5)), anything)
    def call(positions, box, r_max, bins, species):
        hypothesis.assume(not (isinstance(bins, int) and bins > 10**6))
        try:
            counter = starhist.Counter(species if species else None, r_max=r_max, bins=bins)
            counter.add(positions, box)
            result = counter.result()
        except (TypeError, ValueError, OverflowError) as error:
            assert "incompatible function arguments" not in str(error)
            assert len(str(error)) > 10
        else:
            assert result.counts.sum() + result.out_of_range.sum() >= 0

    with np.errstate(all="ignore"):
        call()


def test_without_a_writable_home(tmp_path):
    """StarPU would end the process."""
    code = "import starhist; starhist.workers()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={"HOME": "/proc/nowhere", "PYTHONPATH": ":".join(sys.path), "STARPU_WORKERS_NOBIND": "1",
             **{name: os.environ[name] for name in ("LD_PRELOAD", "ASAN_OPTIONS") if name in os.environ}},
    )  # fmt: skip
    assert done.returncode == 1
    assert "RuntimeError" in done.stderr and "STARPU_HOME" in done.stderr


def test_frames_that_select_none_name_the_arguments():
    frames = np.random.default_rng(2).random((6, 10, 3))
    for source in (frames, iter(frames)):
        with pytest.raises(ValueError, match="start=5, stop=2 select no frame"):
            starhist.rdf(source, box=BOX, r_max=0.4, bins=4, start=5, stop=2)
    with pytest.raises(ValueError, match="start=5, stop=2 select no frame"):
        starhist.vanhove(frames, box=BOX, r_max=0.4, bins=4, start=5, stop=2)
    with pytest.raises(ValueError, match="no frames: pass at least one"):
        starhist.rdf(frames[:0], box=BOX, r_max=0.4, bins=4)


@pytest.mark.parametrize(("lags", "kind", "words"), [(5, TypeError, "lags is 5"), ([], ValueError, "lags is empty")])
def test_lags_are_a_sequence(lags, kind, words):
    with pytest.raises(kind, match=words + r".*pass a list such as \[0, 1, 2, 5\]"):
        starhist.vanhove(POSITIONS, box=BOX, r_max=0.4, bins=4, lags=lags)


def test_lists_whose_items_share_their_memory():
    frames = np.random.default_rng(2).random((3, 10, 3))
    buffer = np.empty((10, 3))
    cell = np.empty(3)

    def overwritten():
        for frame in frames:
            buffer[:], cell[:] = frame, (1.0, 1.1, 1.2)
            yield buffer, cell[:]

    settings = {"r_max": 0.4, "bins": 4}
    expected = starhist.rdf(overwritten(), **settings)["all-all"].counts
    copies = [(x.copy(), box.copy()) for x, box in overwritten()]
    for good in (copies, [(x, BOX) for x, _ in copies]):
        assert len(starhist.rdf(good, **settings)["all-all"].counts) == 4
    np.testing.assert_array_equal(starhist.rdf(copies, **settings)["all-all"].counts, expected)
    one_box = [np.array([*BOX, 90, 90, 90])] * 3
    assert starhist.rdf(list(frames), box=one_box, **settings).frames == 3
    for source, box in (
        (list(overwritten()), None),
        ([x for x, _ in overwritten()], BOX),
        ([(x.copy(), box) for x, box in overwritten()], None),
        ([x.copy() for x, _ in overwritten()], [box for _, box in overwritten()]),
    ):
        for count in (starhist.rdf, lambda source, box, **_: starhist.coordination(source, 0.3, box=box)):
            with pytest.raises(ValueError, match="0 and 1 of the list share their memory.*append copies"):
                count(source, box=box, **settings)


def test_tables_of_pandas_beside_ase():
    pytest.importorskip("ase")
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(POSITIONS, columns=["x", "y", "z"])
    counted = [starhist.rdf(x, box=BOX, r_max=0.4, bins=4)["all-all"].counts for x in (table, POSITIONS)]
    np.testing.assert_array_equal(*counted)


def test_missing_boxes(recwarn):
    starhist.rdf(POSITIONS, volume=1.0, r_max=0.4, bins=4)
    assert not [warning for warning in recwarn if "no box" in str(warning.message)]
    with pytest.warns(UserWarning, match="distances are not periodic; pass box="):
        starhist.coordination(POSITIONS, 0.3)
    with pytest.raises(ValueError, match="names is not for edges"):
        starhist.rdf(POSITIONS, box=BOX, edges=[0, 0.2, 0.4], names=["all", "other"])
