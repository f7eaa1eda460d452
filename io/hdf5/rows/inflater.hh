#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace starhist::io {

/// Reason why a stored chunk cannot be decoded; `none` if it is intact.
enum class ChunkDamage {
  none,
  checksum,  ///< the Fletcher-32 checksum differs
  stream,    ///< deflate or LZF data cannot be decompressed
  size,      ///< the size does not match the chunk's shape
  memory,    ///< memory ran out
};

/// Decompresses zlib streams (RFC 1950) of known length, with libdeflate if starhist
/// was built with it, otherwise with zlib. Not thread-safe.
class Inflater {
 public:
  Inflater();
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Decompresses the stream `in` [less than 4 GiB] to `out`, and checks that it has
  /// `size` bytes [less than 4 GiB] and a valid checksum. Ignores bytes after the
  /// stream, like HDF5. With damage, `out` is undefined.
  ChunkDamage inflate(const std::vector<char>& in, char* out, std::size_t size);

 private:
  struct State;                   ///< state of the library
  std::unique_ptr<State> state_;  ///< null before the first stream
};

}  // namespace starhist::io
