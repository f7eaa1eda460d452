#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "io/hdf5/rows/chunk_damage.hh"

namespace starhist::io {

/// Decompresses zlib streams (RFC 1950) whose length is known, one after the other,
/// with libdeflate where starhist was built with it, else with zlib. For one thread.
class Inflater {
 public:
  Inflater();
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Writes what `in` [less than 4 GiB] is the stream of to `out`. That it has `size`
  /// bytes [less than 4 GiB] and a good checksum is checked. What follows the stream is
  /// passed over, as by HDF5. With damage, `out` has undefined values.
  ChunkDamage inflate(const std::vector<char>& in, char* out, std::size_t size);

 private:
  struct State;                   ///< of the library
  std::unique_ptr<State> state_;  ///< null before the first stream
};

}  // namespace starhist::io
