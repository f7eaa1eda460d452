"""Warnings of the program, and of undefined values, reach Python once each, at the caller's line."""

import warnings

import numpy as np
import pytest

import starhist

POSITIONS = np.random.default_rng(5).random((8, 40, 3)) * [1.0, 1.0, 0.5]


def warned(call):
    """Returns the result of call(), and the texts of its warnings, all of which name this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call()
    assert all(issubclass(each.category, UserWarning) and each.filename == __file__ for each in caught)
    return result, [str(each.message) for each in caught]


@pytest.mark.parametrize(
    ("settings", "end", "text"),
    [
        ({"box": [[1 - 0.02 * k] * 3 for k in range(8)], "frames_per_block": 8, "r_max": 0.5, "bins": 50}, 0.43,
         "g is NaN from r = 0.43 on (half the shortest lattice vector of all frames, because the box changes): "
         "pass r_max=0.43, or frames_per_block=1 to normalize each frame by its box"),
        ({"box": [1, 1, 2], "open_axes": "z", "geometry": "slab", "extent": 0.5, "r_max": 0.7, "bins": 7}, 0.5,
         "g is NaN from r = 0.5 on (half the shortest periodic edge of the boxes; larger shells do not fit into them): "
         "pass r_max=0.5"),
        ({"box": [1, 1, 1], "r_max": 1.0, "bins": 100}, 0.87,
         "g is NaN from r = 0.87 on (the largest distance between two points of the box): pass r_max=0.87"),
    ],
)  # fmt: skip
def test_undefined_g_is_reported_with_its_limit_and_a_remedy(settings, end, text, tmp_path):
    result, texts = warned(lambda: starhist.rdf(POSITIONS, **settings))
    assert [each for each in texts if "isotropic" not in each] == [text]
    np.testing.assert_array_equal(np.isnan(result.g[0]), result.edges[1:] > end + 1e-9)
    result.save(tmp_path / "result.h5")
    again, texts = warned(lambda: starhist.load(tmp_path / "result.h5"))
    assert text in texts
    np.testing.assert_array_equal(again.g, result.g)
    shorter, texts = warned(lambda: starhist.rdf(POSITIONS, **{**settings, "r_max": end, "bins": round(end * 100)}))
    assert [each for each in texts if "isotropic" not in each] == []
    assert np.isfinite(shorter.g).all()


def test_peaks_of_g_beyond_half_the_box_are_reported(tmp_path):
    crystal = np.array([[i, j, k] for i in range(4) for j in range(4) for k in range(4)]) / 4
    result, texts = warned(lambda: starhist.rdf(crystal, box=[1, 1, 1], r_max=0.8, bins=16))
    assert texts == [
        "g beyond r = 0.5, half the box, is right only for isotropic systems such as liquids (the box contains only "
        "parts of these shells): for a crystal, repeat the cell before counting"
    ]
    result.save(tmp_path / "result.h5")
    assert any(
        "beyond r = 0.5, half the box" in each for each in warned(lambda: starhist.load(tmp_path / "result.h5"))[1]
    )
    assert warned(lambda: starhist.rdf(crystal, box=[1, 1, 1], r_max=0.5, bins=10))[1] == []
    gas = np.random.default_rng(1).random((400, 3))
    assert warned(lambda: starhist.rdf(gas, box=[1, 1, 1], r_max=0.8, bins=8))[1] == []


def test_few_blocks_of_arrays_are_reported():
    settings = {"box": [1, 1, 1], "r_max": 0.4, "bins": 4}
    text = "standard errors from 2 blocks are uncertain by 71 % themselves (count with a smaller frames_per_block: 5 "
    _, [warning] = warned(lambda: starhist.rdf(POSITIONS, frames_per_block=4, **settings))
    assert warning.startswith(text)
    assert warned(lambda: starhist.rdf(POSITIONS, **settings))[1] == []
    repeated = np.repeat(np.random.default_rng(6).random((32, 40, 3)), 8, axis=0)
    _, [warning] = warned(lambda: starhist.rdf(repeated, frames_per_block=1, **settings))
    assert warning.startswith("standard errors are too small, because blocks of 1 frame are too short")
    assert "count again with frames_per_block=8" in warning


def test_boxes_without_volume_are_reported_unless_confirmed(water):
    settings = {"pairs": "O-O", "stop": 1, "r_max": 0.5, "bins": 5}
    result, texts = warned(lambda: starhist.rdf(water.path, open_axes="z", **settings))
    assert np.isnan(result.g).all()
    assert texts == ["g is NaN (the boxes are not periodic along all axes): pass geometry=, volume= or a box="]
    assert warned(lambda: starhist.rdf(water.path, box="none", **settings))[1] == []
    arrays = warned(lambda: starhist.rdf(POSITIONS, open_axes="x,y,z", r_max=0.5, bins=5))
    assert [text[:26] for text in arrays[1]] == ["the positions have no box:"]
    slab = {"box": [1, 1, 1], "periodic": (True, True, False), "r_max": 0.5, "bins": 5}
    _, [text] = warned(lambda: starhist.rdf(POSITIONS, **slab))
    assert text.startswith("g is NaN (the boxes are not periodic along all axes)")


def test_short_blocks_are_reported_by_each_function(nacl):
    counted, texts = warned(lambda: starhist.rdf(nacl.path, r_max=1.0, bins=200))
    [text] = texts
    assert text.startswith("standard errors are too small, because blocks of about 2 frames are too short")
    assert "count again with frames_per_block=4 or more (a test whether 4 is enough needs 16 such blocks" in text
    assert warned(counted.peaks)[1] == [text]
    _, [text] = warned(lambda: starhist.coordination(nacl.path, 0.35, pairs="O-H"))
    assert text.startswith("standard errors are too small")


def test_a_recorded_warning_arrives_once(tmp_path):
    random = np.random.default_rng(1)
    path = tmp_path / "slab.xyz"
    with path.open("w") as file:
        for frame in range(12):
            file.write(f'700\nLattice="4 0 0 0 4.5 0 0 0 5" Properties=species:S:1:pos:R:3 Time={frame}\n')
            positions = random.random((700, 3)) * [4, 4.5, 1.3 * (1 + 0.06 * frame)] + [0, 0, 2]
            file.writelines("A {:.4f} {:.4f} {:.4f}\n".format(*position) for position in positions)
    result, texts = warned(lambda: starhist.rdf(path, geometry="slab", open_axes="z", r_max=1.5, bins=30))
    assert sum("the thickness that the particles fill changes" in text for text in texts) == 1
    result.save(tmp_path / "slab.h5")
    _, texts = warned(lambda: starhist.load(tmp_path / "slab.h5"))
    assert sum("the thickness that the particles fill changes" in text for text in texts) == 1


def test_warnings_of_vanhove_arrive(water):
    _, [text, blocks] = warned(
        lambda: starhist.vanhove(water.path, lags="0,1", unwrapped=True, pairs="O-O", r_max=0.4, bins=4)
    )
    assert "blocks of 3 frames are too short" in blocks
    assert "exceed half the box" in text
    assert "omit unwrapped=True" in text


def test_particles_in_a_plane_are_reported(tmp_path):
    path = tmp_path / "flat.xyz"
    atoms = "".join(f"X {x} {y} 0\n" for x, y, _ in POSITIONS[0])
    path.write_text(f'40\nLattice="1 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3\n{atoms}')
    _, texts = warned(lambda: starhist.rdf(path, r_max=0.4, bins=4))
    assert [text for text in texts if 'count with plane="xy"' in text] == texts[:1]


def test_frames_left_out_are_reported(tmp_path):
    path = tmp_path / "bad.xyz"
    box = 'Lattice="1 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3'
    frames = [f"2\n{box}\nX 0 0 0\nX {x} 0 0\n" for x in ("0.1", "nan", "0.2")]
    path.write_text("".join(frames))
    result, texts = warned(lambda: starhist.rdf(path, r_max=0.4, bins=4, options=["--skip-bad-frames"]))
    assert result.frames == 2
    assert [text for text in texts if text.startswith("left out: frame 1")]
    assert not [text for text in texts if "result.h5" in text]


def test_remarks_on_the_files_are_reported(water):
    settings = {"r_max": 0.8, "bins": 4, "frames_per_block": 51}
    result, texts = warned(lambda: starhist.rdf([water.path] * 2, **settings))
    assert result.frames == 51
    [text] = [text for text in texts if ": only repeats frames of " in text]
    assert text.endswith('are left out (options=["--repeated", "keep"] counts them twice)')
    files = [water.path.parent / name for name in ("water-spce.xtc", "water-tip3p.xtc")]
    result, texts = warned(lambda: starhist.rdf(files, r_max=0.8, bins=4))
    assert result.frames == 200
    assert any("water-tip3p.xtc: its times go back to " in text for text in texts)
    assert any("contains no names of its 642 atoms (structure=FILE" in text for text in texts)
    moved = warned(lambda: starhist.vanhove([water.path] * 2, lags=[1], r_max=0.8, bins=4))
    assert any(": only repeats frames of " in text for text in moved[1])
    near = warned(lambda: starhist.coordination([water.path] * 2, 0.2, pairs="O-H"))
    assert any(": only repeats frames of " in text for text in near[1])
    assert warned(lambda: starhist.rdf(water.path, **settings))[1] == []


def test_a_mostly_empty_box_is_reported(tmp_path):
    film = np.random.default_rng(1).random((3, 500, 3)) * [4.0, 4.0, 1.5]
    settings = {"r_max": 1.9, "bins": 19, "frames_per_block": 3}
    text = (
        "the counted particles leave 85 % of the box empty along z: g(r) is relative to their mean density in the whole "
        'box (for a slab in vacuum: open_axes="z", geometry="slab")'
    )
    for source in (film, iter(film)):
        assert warned(lambda source=source: starhist.rdf(source, box=[4, 4, 10], **settings))[1] == [text]
    assert warned(lambda: starhist.rdf(film, box=[4, 4, 10], edges=[0, 0.5, 1.9], frames_per_block=3))[1] == [text]
    file = tmp_path / "film.xyz"
    with file.open("w") as out:
        for frame in film:
            out.write('500\nLattice="4 0 0 0 4 0 0 0 10" Properties=species:S:1:pos:R:3\n')
            out.writelines("A {} {} {}\n".format(*row) for row in frame)
    assert warned(lambda: starhist.rdf(file, **settings))[1] == [text]
    assert warned(lambda: starhist.rdf(film, box=[4, 4, 1.5], **{**settings, "r_max": 0.7, "bins": 7}))[1] == []
    assert warned(lambda: starhist.rdf(film, box=[4, 4, 0], periodic=(1, 1, 0), geometry="slab", **settings))[1] == []
    counter = starhist.Counter(r_max=1.9, bins=19)
    counter.add(film[0], box=[4, 4, 10])
    assert warned(counter.result)[1] == [text]
    counter.reset()
    counter.add(film[0], box=[4, 4, 1.5])
    assert not any("empty" in each for each in warned(counter.result)[1])


def test_a_temperature_in_degrees_celsius_is_questioned():
    result = starhist.rdf(np.random.default_rng(1).random((400, 3)), box=[1, 1, 1], r_max=0.5, bins=10)
    assert warned(lambda: result.pmf(25))[1] == ["temperature=25 is in kelvins: for degrees Celsius give 298.15"]
    assert warned(lambda: result.pmf(77))[1] == []


def test_a_mostly_empty_cell_of_atoms_is_reported():
    ase = pytest.importorskip("ase")
    film = np.random.default_rng(1).random((500, 3)) * [40.0, 40.0, 15.0]
    atoms = ase.Atoms("Ar500", positions=film, cell=[40, 40, 100], pbc=True)
    texts = warned(lambda: starhist.rdf(atoms, r_max=19, bins=19))[1]
    assert [each.partition(":")[0] for each in texts] == ["the counted particles leave 85 % of the box empty along z"]
