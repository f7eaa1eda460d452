"""Zstandard as a stream of bytes that can be read in lines: zstandard.open() has no lines and only the first frame of
joined files, and takes the end of a cut file for its end."""

import io

from refused import Refused

PIECE = 1 << 16  # bytes that are decompressed at once


class ZstdStream(io.RawIOBase):
    def __init__(self, path):
        import zstandard

        self.made = zstandard.ZstdDecompressor().decompressobj
        self.file = open(path, "rb")  # noqa: SIM115  (closed below)
        self.rewind()

    def rewind(self):
        self.file.seek(0)
        self.decoder = None  # None between frames of the compressed file
        self.packed, self.ready, self.place = b"", b"", 0

    def close(self):
        self.file.close()
        super().close()

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self.place

    def fill(self):
        """Decompresses until there are bytes; returns whether there are any."""
        while not self.ready:
            self.packed = self.packed or self.file.read(PIECE)
            if not self.packed:
                if self.decoder is not None:
                    raise Refused("ends within its compressed data (copy it again)")
                return False
            self.decoder = self.decoder or self.made()
            self.ready = self.decoder.decompress(self.packed)
            self.packed = b""
            if self.decoder.eof:
                self.packed, self.decoder = self.decoder.unused_data, None
        return True

    def readinto(self, buffer):
        if not self.fill():
            return 0
        size = min(len(buffer), len(self.ready))
        buffer[:size] = self.ready[:size]
        self.ready = self.ready[size:]
        self.place += size
        return size

    def seek(self, offset, whence=io.SEEK_SET):
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("seek from another place than the beginning")
        if offset < self.place:
            self.rewind()
        while self.place < offset and self.fill():
            size = min(offset - self.place, len(self.ready))
            self.ready = self.ready[size:]
            self.place += size
        return self.place
