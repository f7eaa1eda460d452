#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace starhist::io {

/// Writes to a file that wait: extents of bytes that neither overlap nor reach beyond
/// what was added.
class PendingWrites {
 public:
  /// Offset of the first byte of each extent -> its bytes, by offset.
  using Extents = std::map<std::uint64_t, std::vector<char>>;

  /// Adds `size` bytes at `offset`; they replace bytes there that were added before.
  void add(std::uint64_t offset, const void* data, std::size_t size);

  /// Replaces what was added of [offset, offset + size) in `data`, which holds these
  /// bytes of the file.
  void copy_to(std::uint64_t offset, void* data, std::size_t size) const;

  bool empty() const { return extents_.empty(); }
  void clear() { extents_.clear(); }
  const Extents& extents() const { return extents_; }

 private:
  Extents extents_;
};

}  // namespace starhist::io
