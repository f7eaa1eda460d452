#!/usr/bin/env python3
"""Compares two result files of starhist: every object, attribute, type and stored chunk.

    compare_results.py A.h5 B.h5      exit status 0 equal, 1 not, 2 cannot be read

Left out is the provenance (the group parameters/provenance and the attributes of h5md/author
and h5md/creator): where, when and how a result came about. Data sets must have equal types,
shapes, filters and chunks, and each chunk the same bytes as it is stored.
"""

import sys

import h5py
import numpy

LEFT_OUT = {"parameters/provenance"}
ATTRIBUTES_LEFT_OUT = {"h5md/creator", "h5md/author"}


def objects(file):
    """Path -> object, without the provenance."""
    found = {"/": file["/"]}
    file.visititems(lambda name, item: found.__setitem__(name, item))
    return {
        name: item
        for name, item in found.items()
        if not any(name == left or name.startswith(left + "/") for left in LEFT_OUT)
    }


def type_of(dataset_id):
    """The type with its byte order and padding, as HDF5 encodes it."""
    return dataset_id.get_type().encode()


def attribute_differences(name, a, b):
    if name in ATTRIBUTES_LEFT_OUT:
        return
    names = sorted(set(a.attrs) | set(b.attrs))
    for key in names:
        where = f"{name}: attribute {key}"
        if key not in a.attrs or key not in b.attrs:
            yield f"{where} is in one file only"
            continue
        ids = [h5py.h5a.open(item.id, key.encode()) for item in (a, b)]
        if ids[0].get_type().encode() != ids[1].get_type().encode():
            yield f"{where} has different types"
        elif ids[0].shape != ids[1].shape:
            yield f"{where} has different shapes"
        elif not numpy.array_equal(numpy.asarray(a.attrs[key]), numpy.asarray(b.attrs[key])):
            yield f"{where} is {a.attrs[key]!r} and {b.attrs[key]!r}"


def stored_chunks(dataset):
    """Coordinates -> filter mask and bytes."""
    chunks = {}
    for number in range(dataset.id.get_num_chunks()):
        offset = dataset.id.get_chunk_info(number).chunk_offset
        chunks[offset] = dataset.id.read_direct_chunk(offset)
    return chunks


def filters(dataset):
    plist = dataset.id.get_create_plist()
    return [plist.get_filter(k) for k in range(plist.get_nfilters())]


def dataset_differences(name, a, b):
    if type_of(a.id) != type_of(b.id):
        yield f"{name}: different types"
        return
    for what in ("shape", "maxshape", "chunks"):
        if getattr(a, what) != getattr(b, what):
            yield f"{name}: {what} {getattr(a, what)} and {getattr(b, what)}"
            return
    if filters(a) != filters(b):
        yield f"{name}: different filters"
        return
    if a.chunks is None:
        if a.shape is not None and a[()].tobytes() != b[()].tobytes():
            yield f"{name}: different values"
        return
    first, second = stored_chunks(a), stored_chunks(b)
    for offset in sorted(set(first) | set(second)):
        if first.get(offset) != second.get(offset):
            yield f"{name}: the chunk at {offset} differs"


def differences(path_a, path_b):
    with h5py.File(path_a, "r") as a, h5py.File(path_b, "r") as b:
        of_a, of_b = objects(a), objects(b)
        for name in sorted(set(of_a) | set(of_b)):
            if name not in of_a or name not in of_b:
                yield f"{name} is in one file only"
                continue
            first, second = of_a[name], of_b[name]
            if type(first) is not type(second):
                yield f"{name}: a group and a data set"
                continue
            yield from attribute_differences(name, first, second)
            if isinstance(first, h5py.Dataset):
                yield from dataset_differences(name, first, second)


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        found = list(differences(sys.argv[1], sys.argv[2]))
    except OSError as error:
        print(f"compare_results.py: {error}", file=sys.stderr)
        return 2
    print(
        "\n".join(found[:50] + ([f"and {len(found) - 50} more"] if len(found) > 50 else []))
        or "equal except for the provenance"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
