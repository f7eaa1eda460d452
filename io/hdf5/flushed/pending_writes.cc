#include "io/hdf5/flushed/pending_writes.hh"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace starhist::io {
namespace {

std::uint64_t end_of(const PendingWrites::Extents::value_type& extent) {
  return extent.first + extent.second.size();
}

/// Returns the first extent that ends after `offset`.
template <class Extents>
auto first_behind(Extents& extents, std::uint64_t offset) {
  auto found = extents.upper_bound(offset);
  if (found != extents.begin() && end_of(*std::prev(found)) > offset) {
    --found;
  }
  return found;
}

}  // namespace

void PendingWrites::add(std::uint64_t offset, const void* data, std::size_t size) {
  if (size == 0) {
    return;
  }
  const auto first = first_behind(extents_, offset);
  auto last = first;
  std::uint64_t begin = offset;
  std::uint64_t end = offset + size;
  for (; last != extents_.end() && last->first < offset + size; ++last) {
    begin = std::min(begin, last->first);
    end = std::max(end, end_of(*last));
  }
  if (first != last && first->first == begin && end_of(*first) == end) {
    std::memcpy(first->second.data() + (offset - begin), data, size);
    return;
  }
  std::vector<char> bytes(end - begin);
  for (auto old = first; old != last; ++old) {
    std::copy(old->second.begin(), old->second.end(),
              bytes.begin() + static_cast<std::ptrdiff_t>(old->first - begin));
  }
  std::memcpy(bytes.data() + (offset - begin), data, size);
  // The new extent is inserted before the old ones are erased, so that running out of
  // memory loses no data.
  Extents added;
  added.emplace(begin, std::move(bytes));
  extents_.erase(first, last);
  extents_.merge(added);
}

void PendingWrites::copy_to(std::uint64_t offset, void* data, std::size_t size) const {
  for (auto extent = first_behind(extents_, offset);
       extent != extents_.end() && extent->first < offset + size; ++extent) {
    const std::uint64_t begin = std::max(offset, extent->first);
    const std::uint64_t end = std::min(offset + size, end_of(*extent));
    std::memcpy(static_cast<char*>(data) + (begin - offset),
                extent->second.data() + (begin - extent->first), end - begin);
  }
}

}  // namespace starhist::io
