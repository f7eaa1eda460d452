#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/rows/inflater.hh"

namespace starhist::io {

/// Reverses the filters of a dataset's chunks without HDF5 and its lock: deflate, LZF,
/// shuffle and Fletcher-32, in any order, with at most one of the first two.
/// Thread-safe.
class ChunkFilters {
 public:
  /// Returns the filters of a dataset; empty for other filters or parameters, which
  /// HDF5 has to reverse. `properties`: the dataset's creation properties;
  /// `chunk_bytes` [> 0]: size of a chunk by its shape and type.
  static std::optional<ChunkFilters> of(hid_t properties, std::size_t chunk_bytes);

  /// Memory that a thread reuses for successive chunks.
  struct Scratch {
    std::vector<char> here;   ///< the chunk in its current state
    std::vector<char> there;  ///< output of the next step
    Inflater inflater;
  };

  /// Writes the values of a chunk to `out`, chunk_bytes long. Its stored bytes are in
  /// `scratch.here`, which is overwritten. Bit k of `skipped`: filter k was not
  /// applied. With damage, `out` is undefined.
  ChunkDamage undo(Scratch& scratch, unsigned skipped, char* out) const;

  /// Largest size of a chunk in the file, including the overhead of the filters for
  /// incompressible values.
  std::size_t most_stored_bytes() const {
    return chunk_bytes_ + chunk_bytes_ / 8 + 65536;
  }
  /// Smallest size of a chunk in the file: deflate, the densest filter, expands one
  /// byte to at most 1032.
  std::size_t least_stored_bytes() const { return chunk_bytes_ / 1100; }

 private:
  enum class Kind { deflate, lzf, shuffle, fletcher32 };
  struct Filter {
    Kind kind;
    std::size_t value_bytes = 0;  ///< shuffle: size of a value
  };

  explicit ChunkFilters(std::size_t chunk_bytes) : chunk_bytes_(chunk_bytes) {}
  std::size_t bytes_before(std::size_t filter, unsigned skipped) const;

  std::size_t chunk_bytes_;
  std::vector<Filter> filters_;  ///< in the order in which they were applied
};

}  // namespace starhist::io
