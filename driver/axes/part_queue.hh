#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "codelets/core/base/contract.hh"

namespace starhist::driver {

/// The parts of several counts, each taken once: single ones from the end, ranges from
/// the beginning of a count. Threads may share it.
class PartQueue {
 public:
  /// Parts `begin` to `end` - 1.
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  struct Part {
    std::size_t count = 0;  ///< number of the count
    std::size_t part = 0;
  };

  /// Count k has parts[k] parts.
  explicit PartQueue(const std::vector<std::size_t>& parts) {
    for (const std::size_t number : parts) {
      left_.push_back({0, number});
    }
  }

  /// Removes all parts, after an error.
  void clear() {
    const std::lock_guard lock(mutex_);
    left_.clear();
  }

  /// Takes a part of the last count that has any.
  std::optional<Part> take_last() {
    const std::lock_guard lock(mutex_);
    while (!left_.empty() && left_.back().begin == left_.back().end) {
      left_.pop_back();
    }
    if (left_.empty()) {
      return std::nullopt;
    }
    return Part{left_.size() - 1, --left_.back().end};
  }

  /// Takes a 1/`share` of the parts that this count has left, but at least `least` of
  /// them and at most `most` [>= least], as far as it has any.
  std::optional<Range> take_first(std::size_t count, std::size_t share,
                                  std::size_t least, std::size_t most) {
    STARHIST_EXPECT(share > 0 && 0 < least && least <= most, "parts are taken");
    const std::lock_guard lock(mutex_);
    if (count >= left_.size() || left_[count].begin == left_[count].end) {
      return std::nullopt;
    }
    Range& left = left_[count];
    const std::size_t size = left.end - left.begin;
    const Range taken{
        left.begin, left.begin + std::min(size, std::clamp(size / share, least, most))};
    left.begin = taken.end;
    return taken;
  }

 private:
  std::mutex mutex_;
  std::vector<Range> left_;
};

}  // namespace starhist::driver
