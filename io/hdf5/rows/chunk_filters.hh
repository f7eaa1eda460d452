#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/rows/chunk_damage.hh"
#include "io/hdf5/rows/inflater.hh"

namespace starhist::io {

/// Undoes the filters of a dataset's chunks without HDF5, and so without its lock:
/// deflate, LZF, shuffle and Fletcher-32, in any order, one of the first two at most.
/// Several threads may use one object.
class ChunkFilters {
 public:
  /// Nothing for other filters or parameters: HDF5 has to undo these. `properties` are
  /// those of the dataset's creation, `chunk_bytes` [> 0] is the size of a chunk by its
  /// shape and type.
  static std::optional<ChunkFilters> of(hid_t properties, std::size_t chunk_bytes);

  /// Memory that a thread reuses for one chunk after the other.
  struct Scratch {
    std::vector<char> here;   ///< the chunk, as far as filters are undone
    std::vector<char> there;  ///< for the next step
    Inflater inflater;
  };

  /// Writes the values of a chunk to `out`, chunk_bytes long. Its stored bytes are
  /// `scratch.here`, which is overwritten. Bit k of `skipped`: filter k was not
  /// applied. With damage, `out` has undefined values.
  ChunkDamage undo(Scratch& scratch, unsigned skipped, char* out) const;

  /// A chunk that takes more bytes in the file is none that these filters made. Above
  /// what they add to values that cannot be compressed.
  std::size_t most_stored_bytes() const {
    return chunk_bytes_ + chunk_bytes_ / 8 + 65536;
  }
  /// No chunk takes less: deflate, the densest filter, expands one byte to at most
  /// 1032.
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
