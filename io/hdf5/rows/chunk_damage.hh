#pragma once

namespace starhist::io {

/// Reason why a stored chunk cannot be decoded; `none` if it is intact.
enum class ChunkDamage {
  none,
  checksum,  ///< the Fletcher-32 checksum differs
  stream,    ///< deflate or LZF data cannot be decompressed
  size,      ///< the size does not match the chunk's shape
  memory,    ///< memory ran out
};

}  // namespace starhist::io
