#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "driver/capi/call.hh"
#include "driver/capi/capi_histogram.hh"
#include "driver/capi/context.hh"

struct starhist_context {
  std::shared_ptr<starhist::capi::Context> context;
};

struct starhist_histogram {
  starhist::capi::Histogram histogram;
};

namespace starhist::capi {

/// guarded() for a function of a histogram: checks the handle and the process, and
/// excludes other threads.
template <class Body>
starhist_status with_histogram(starhist_histogram* handle, Body body) noexcept {
  return guarded([&] {
    check_pointer(handle, "histogram");
    Histogram& histogram = handle->histogram;
    histogram.context().check_process();
    const std::lock_guard lock(histogram.context().mutex());
    body(histogram);
  });
}

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
inline BlockRange blocks_of(Histogram& histogram, std::uint64_t block) {
  const std::vector<BlockCounts>& blocks = histogram.blocks();
  if (blocks.empty()) {
    throw CallError(STARHIST_NO_FRAMES, "no frame has been counted yet");
  }
  if (block == STARHIST_ALL_BLOCKS) {
    return {blocks.data(), blocks.data() + blocks.size()};
  }
  if (block >= blocks.size()) {
    throw CallError(STARHIST_NO_FRAMES, "no block has the number " +
                                            std::to_string(block) + " (there are " +
                                            std::to_string(blocks.size()) + ")");
  }
  return {blocks.data() + block, blocks.data() + block + 1};
}

/// Stores a value at the caller's address, unless that is null.
template <class Value>
void store(Value value, Value* where) {
  if (where != nullptr) {
    *where = value;
  }
}

}  // namespace starhist::capi
