#pragma once

#include <string>
#include <vector>

#include "driver/capi/handles.hh"

namespace starhist::capi {

/// Throws CallError unless the caller's array has this number of values.
inline void check_size(std::size_t size, std::size_t values, const char* of_what) {
  if (size != values) {
    throw CallError(STARHIST_BAD_SIZE, "the array has size " + std::to_string(size) +
                                           ", but there are " + std::to_string(values) +
                                           " " + of_what);
  }
}

/// The blocks [first, end) that a block number stands for.
struct BlockRange {
  const BlockCounts* first;
  const BlockCounts* end;
};

/// Throws CallError if the block does not exist.
BlockRange blocks_of(Histogram& histogram, std::uint64_t block);

/// Stores a value at the caller's address, unless that is null.
template <class Value>
void store(Value value, Value* where) {
  if (where != nullptr) {
    *where = value;
  }
}

}  // namespace starhist::capi
