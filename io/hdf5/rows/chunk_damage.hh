#pragma once

namespace starhist::io {

/// Why the values of a stored chunk cannot be told; none: they can.
enum class ChunkDamage {
  none,
  checksum,  ///< Fletcher-32 does not fit
  stream,    ///< deflate or LZF cannot be decompressed
  size,      ///< not the number of bytes that the chunk's shape asks for
  memory,    ///< no memory to decompress it
};

}  // namespace starhist::io
