#pragma once

#include <cstdint>
#include <optional>

#include "driver/commands/verify/reopened_run.hh"
#include "driver/run/frames/frame_source.hh"

namespace starhist::driver {

/// The frames of a block, read again in their order.
class BlockFrames : public FrameSource {
 public:
  /// The arguments must outlive this object.
  BlockFrames(const BlockCounts& block, ReopenedRun& run) : block_(block), run_(run) {}

  std::optional<Frame> next() override {
    if (next_ == block_.counted.size()) {
      return std::nullopt;
    }
    return run_.read(block_.counted[next_++].index);
  }
  std::uint64_t passed() const override { return next_; }

 private:
  const BlockCounts& block_;
  ReopenedRun& run_;
  std::size_t next_ = 0;
};

}  // namespace starhist::driver
