"""Logs of unfinished results, OUT.h5.partial (docs/reference/result-file.md)."""

import io
import struct
import zlib

SIGNATURE = b"\x89starhist log 1\n"
HEADER = 1


def records_of(path):
    """Yields the kind and the bytes of each record."""
    data = path.read_bytes()
    assert data[:16] == SIGNATURE, path
    at = 16
    while at < len(data):
        length, kind, checksum, head_sum = struct.unpack("<QIIQ", data[at : at + 24])
        record = data[at + 24 : at + 24 + length]
        assert checksum == zlib.crc32(record) and head_sum == zlib.crc32(data[at : at + 16]), path
        yield kind, record
        at += 24 + length


def header_of(path):
    """The HDF5 file in the log's header, as a file object."""
    kind, image = next(records_of(path))
    assert kind == HEADER, path
    return io.BytesIO(image)


def write_log(path, image):
    """Writes a log of a header only."""
    head = struct.pack("<QII", len(image), HEADER, zlib.crc32(image))
    path.write_bytes(SIGNATURE + head + struct.pack("<Q", zlib.crc32(head)) + image)
