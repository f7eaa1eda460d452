"""Compares two readings of a file field by field."""

import dataclasses

import numpy as np

from readers.reading import COLUMNS, PARTITIONS, partition


@dataclasses.dataclass
class Difference:
    """A field in which a reader differs from the expected content."""

    field: str
    expected: str
    seen: str


def short(value):
    text = str(value.tolist() if isinstance(value, np.ndarray) else value)
    return text if len(text) <= 160 else text[:157] + "..."


def near(a, b, tolerance):
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != b.shape:
        return False
    return bool(np.all((a == b) | (np.abs(a - b) <= tolerance * np.maximum(1.0, np.abs(a)))))


def order(frame, by_id):
    return np.argsort(np.asarray(frame.ids), kind="stable") if by_id else slice(None)


def box_difference(expected, seen, tolerance):
    """The field in which two boxes differ, or None."""
    known = expected.periodic is not None and seen.periodic is not None
    if known and tuple(expected.periodic) != tuple(seen.periodic):
        return Difference("periodic axes", short(expected.periodic), short(seen.periodic))
    if expected.matrix is None or seen.matrix is None:
        return None
    # Edges of open axes are placeholders.
    axes = [k for k in range(3) if expected.periodic is None or expected.periodic[k]]
    if not axes:
        return None
    a, b = np.asarray(expected.matrix, float)[axes], np.asarray(seen.matrix, float)[axes]
    if expected.oriented and seen.oriented:
        if not near(a, b, tolerance):
            return Difference("box matrix", short(a), short(b))
    elif not near(a @ a.T, b @ b.T, max(tolerance, 1e-6) * 2 * max(1.0, float(np.abs(a).max()))):
        return Difference("box lengths and angles", short(a), short(b))
    return None


def position_differences(k, expected, seen, tolerance):
    """Of the positions of frame k, and of the ids by which they are matched."""
    by_id = expected.ids is not None and seen.ids is not None
    if by_id and sorted(expected.ids) != sorted(seen.ids):
        yield Difference("id", short(expected.ids), short(seen.ids))
        return
    rows = order(expected, by_id or (seen.sorted_by_id and expected.ids is not None))
    a = np.asarray(expected.positions, float).reshape(-1, 3)[rows]
    b = np.asarray(seen.positions, float).reshape(-1, 3)[order(seen, by_id)]
    if not near(a, b, tolerance):
        worst = int(np.argmax(np.abs(a - b).max(axis=1)))
        yield Difference("positions", f"frame {k}, row {worst}: {short(a[worst])}", short(b[worst]))


def frame_differences(k, expected, seen, tolerance, box_tolerance):
    """Yields the differences of frame k, and the names of the fields compared as text."""
    if seen.positions is not None:
        if len(expected.positions) != len(seen.positions):
            yield Difference("number of particles", f"{len(expected.positions)} in frame {k}", str(len(seen.positions)))
            return
        yield "positions"
        yield from position_differences(k, expected, seen, tolerance)
    if expected.matrix is not None and seen.matrix is not None:
        yield "box"
    elif expected.periodic is not None and seen.periodic is not None:
        yield "periodic axes"
    box = box_difference(expected, seen, box_tolerance)
    if box is not None:
        yield dataclasses.replace(box, expected=f"frame {k}: {box.expected}")
    for field in ("step", "time"):
        mine, theirs = getattr(expected, field), getattr(seen, field)
        if mine is not None and theirs is not None:
            yield field
            if not near(mine, theirs, max(tolerance, 0 if field == "step" else 1e-12)):
                yield Difference(field, f"frame {k}: {mine}", str(theirs))


def column_differences(expected, seen, must_have):
    """The same for the columns of the particles."""
    by_id = expected.columns.get("id") is not None and seen.columns.get("id") is not None
    if by_id and sorted(expected.columns["id"]) != sorted(seen.columns["id"]):
        yield Difference("id", short(expected.columns["id"]), short(seen.columns["id"]))
        return

    def rows(reading, field):
        values = reading.columns[field]
        if by_id:
            values = [values[k] for k in np.argsort(reading.columns["id"], kind="stable")]
        return list(values)

    for field in COLUMNS + PARTITIONS:
        if expected.columns.get(field) is None:
            continue
        if seen.columns.get(field) is None:
            # A field with a single value for all atoms may be omitted.
            if must_have and len(set(expected.columns[field])) > 1:
                yield field
                yield Difference(field, short(expected.columns[field]), "not delivered")
            continue
        yield field
        mine, theirs = rows(expected, field), rows(seen, field)
        if field in PARTITIONS:
            same = partition(mine) == partition(theirs)
        elif field in ("mass", "charge"):
            same = near(mine, theirs, max(expected.tolerance, seen.tolerance, 1e-12))
        else:
            same = mine == theirs
        if not same:
            yield Difference(field, *first_difference(mine, theirs, field in PARTITIONS))


def first_difference(mine, theirs, grouped):
    """Texts of the first row in which two columns differ; of groups, of the first two rows."""
    if len(mine) != len(theirs):
        return f"{len(mine)} values", f"{len(theirs)} values"
    if not grouped:
        row = next(k for k, pair in enumerate(zip(mine, theirs)) if pair[0] != pair[1])
        return f"row {row}: {mine[row]!r}", repr(theirs[row])
    first = {}, {}
    for row, labels in enumerate(zip(partition(mine), partition(theirs))):
        a, b = (seen.setdefault(label, row) for seen, label in zip(first, labels))
        if a != b:
            return (f"row {row}: " + ("a group of its own" if at == row else f"with row {at}") for at in (a, b))
    return "equal groups", "equal groups"


def compare(expected, seen, must_have=False):
    """(names of the fields that both have, differences), one difference per field at most.

    `must_have`: a field that `expected` has and `seen` has not is a difference, too.
    """
    fields, found = {"number of frames"}, {}

    def add(items):
        for item in items:
            if isinstance(item, Difference):
                found.setdefault(item.field, item)
            else:
                fields.add(item)

    if len(expected.frames) != len(seen.frames):
        found["number of frames"] = Difference("number of frames", str(len(expected.frames)), str(len(seen.frames)))
    tolerance = max(expected.tolerance, seen.tolerance)
    box_tolerance = max(t if t is not None else tolerance for t in (expected.box_tolerance, seen.box_tolerance))
    for k, (mine, theirs) in enumerate(zip(expected.frames, seen.frames)):
        add(frame_differences(k, mine, theirs, tolerance, box_tolerance))
    if "number of particles" not in found:
        add(column_differences(expected, seen, must_have))
    for field in ("length_unit", "time_unit"):
        mine, theirs = getattr(expected, field), getattr(seen, field)
        if mine is not None and theirs is not None:
            fields.add(field)
            if mine != theirs:
                found[field] = Difference(field, mine, theirs)
    return fields, list(found.values())
