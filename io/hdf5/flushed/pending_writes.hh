#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace starhist::io {

/// Pending writes to a file: disjoint extents of bytes.
class PendingWrites {
 public:
  /// Offset of the first byte of each extent -> its bytes, by offset.
  using Extents = std::map<std::uint64_t, std::vector<char>>;

  /// Adds `size` bytes at `offset`, replacing bytes added there before.
  void add(std::uint64_t offset, const void* data, std::size_t size);

  /// Updates `data`, the file's bytes [offset, offset + size), with the bytes added in
  /// that range.
  void copy_to(std::uint64_t offset, void* data, std::size_t size) const;

  bool empty() const { return extents_.empty(); }
  void clear() { extents_.clear(); }
  const Extents& extents() const { return extents_; }

 private:
  Extents extents_;
};

}  // namespace starhist::io
