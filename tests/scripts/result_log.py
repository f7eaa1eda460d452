"""Logs of unfinished results, OUT.h5.partial (docs/reference/result-file.md)."""

import io
import struct
import zlib

SIGNATURE = b"\x89starhist log 1\n"
HEADER = 1


def header_of(path):
    """The HDF5 file in the log's header, as a file object."""
    data = path.read_bytes()
    assert data[:16] == SIGNATURE, path
    length, kind, checksum, head_sum = struct.unpack("<QIIQ", data[16:40])
    image = data[40 : 40 + length]
    assert kind == HEADER and checksum == zlib.crc32(image) and head_sum == zlib.crc32(data[16:32]), path
    return io.BytesIO(image)


def write_log(path, image):
    """Writes a log of a header only."""
    head = struct.pack("<QII", len(image), HEADER, zlib.crc32(image))
    path.write_bytes(SIGNATURE + head + struct.pack("<Q", zlib.crc32(head)) + image)
