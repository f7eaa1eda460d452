#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/files/parallel_slices.hh"

namespace starhist::io {

/// Pieces of a file that are known but not read yet. HDF5 finds them behind its lock;
/// the reading, which takes longer, does without it.
class DeferredReads {
 public:
  /// `file` must be open until read() has ended.
  void add(int file, std::uint64_t offset, std::size_t size, char* to);
  void clear() { pieces_.clear(); }
  std::uint64_t bytes() const;  ///< of all pieces
  std::size_t pieces() const { return pieces_.size(); }

  /// Adds what is to be read to [from, from + size) to `other`, to be read to `to`
  /// instead. False where that is not all of it: then HDF5 has put something there.
  bool find(const char* from, std::size_t size, char* to, DeferredReads& other) const;

  /// Reads all pieces and forgets them. What lies beyond the end of the file reads as
  /// zeros, as with HDF5. `threads`: in_parallel_slices(). Returns 0, or the system's
  /// number of what went wrong.
  int read(std::size_t threads = threads_for_slices());

 private:
  struct Piece {
    int file;
    std::uint64_t offset;
    std::size_t size;
    char* to;
  };
  std::vector<Piece> pieces_;
};

}  // namespace starhist::io
