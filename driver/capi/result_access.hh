#pragma once

#include <string>
#include <vector>

#include "driver/capi/handles.hh"

namespace starhist::capi {

/// Throws CallError unless an array that a caller gives has as many values.
inline void check_size(std::size_t size, std::size_t values, const char* of_what) {
  if (size != values) {
    throw CallError(STARHIST_BAD_SIZE, "the array has size " + std::to_string(size) +
                                           ", but there are " + std::to_string(values) +
                                           " " + of_what);
  }
}

/// The blocks [first, end) that a number stands for.
struct BlockRange {
  const BlockCounts* first;
  const BlockCounts* end;
};

/// Throws CallError unless there is such a block.
BlockRange blocks_of(Histogram& histogram, std::uint64_t block);

/// Stores a value where the caller wants it.
template <class Value>
void store(Value value, Value* where) {
  if (where != nullptr) {
    *where = value;
  }
}

}  // namespace starhist::capi
