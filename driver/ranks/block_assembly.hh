#pragma once

#include <functional>
#include <map>
#include <optional>

#include "codelets/core/counting/histogram.hh"
#include "driver/ranks/work_unit.hh"

namespace starhist::driver {

/// Combines the counts of work units into blocks in frame order, whatever the order of
/// their arrival. For one thread.
class BlockAssembly {
 public:
  using Sink = std::function<void(BlockCounts&&)>;
  using UnitSink = std::function<void(UnitCounts&&)>;

  /// `begun`: counts of the first block's frames that an earlier run has counted, if
  /// any. `first`, `end`: number of the first frame, and one past the last.
  BlockAssembly(const HistogramLayout& layout, std::uint32_t frames_per_block,
                std::uint64_t first, std::uint64_t end,
                const std::optional<BlockCounts>& begun, Sink sink);

  /// Assembles units that are whole blocks: passes complete ones with counted frames to
  /// `sink`.
  BlockAssembly(std::uint64_t first, std::uint64_t end, UnitSink sink);

  /// Adds the counts of a unit and passes complete blocks to the sink. Throws
  /// InternalError if the sum rule is broken, and exceptions of the sink.
  void add(UnitCounts&& counts);

  /// Number of the first unit whose counts are missing.
  std::uint64_t next_unit() const { return next_unit_; }
  /// Number of the first frame that is not yet in the blocks, neither in those passed
  /// to the sink nor in open_block().
  std::uint64_t next_frame() const { return next_frame_; }
  /// The frames before next_frame() of an incomplete block; null if there are none. Not
  /// within a frame that is cut into parts.
  const BlockCounts* open_block() const;
  /// Frames that were left out, in order.
  const std::vector<LeftOutFrame>& left_out() const { return left_out_; }
  /// Number of pairs in all frames before next_frame(), without those of `begun`.
  std::uint64_t pairs() const { return pairs_; }

 private:
  void add_next(UnitCounts&& counts);
  void end_block();

  const HistogramLayout layout_;
  const std::uint32_t frames_per_block_;
  const std::uint64_t end_;
  const Sink sink_;
  const UnitSink unit_sink_;  ///< set if units are whole blocks
  std::uint64_t next_unit_ = 0;
  std::uint64_t next_frame_;
  std::uint64_t block_;  ///< index of the block of next_frame_
  bool cut_short_ = false;
  BlockCounts sum_;
  /// Sum of the parts, so far, of the rows of frame next_frame_; empty without any.
  std::optional<UnitCounts> parts_;
  std::map<std::uint64_t, UnitCounts> waiting_;  ///< by number of the unit
  std::vector<LeftOutFrame> left_out_;
  std::uint64_t pairs_ = 0;
};

}  // namespace starhist::driver
