#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/files/parallel_slices.hh"

namespace starhist::io {

/// A list of deferred reads. HDF5 locates the pieces of a file with its lock held;
/// reading them, which takes longer, needs no lock.
class DeferredReads {
 public:
  /// Adds a read of `size` bytes at `offset` into `to`. The descriptor `file` must stay
  /// open until read() has returned.
  void add(int file, std::uint64_t offset, std::size_t size, char* to);
  void clear() { pieces_.clear(); }
  std::uint64_t bytes() const;  ///< sum over all pieces
  std::size_t pieces() const { return pieces_.size(); }

  /// Adds the listed reads into [from, from + size) to `other`, redirected to `to`.
  /// Returns false if they do not fill the range, because HDF5 has written a part of it
  /// itself.
  bool find(const char* from, std::size_t size, char* to, DeferredReads& other) const;

  /// Performs all reads and clears the list. Bytes beyond the end of the file are
  /// zeros, as with HDF5. `threads`: see in_parallel_slices(). Returns 0, or the errno
  /// of a failed read.
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
