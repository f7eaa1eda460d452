#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace starhist::driver {

/// The ranks that have sent their work report. Thread-safe.
class EndedRanks {
 public:
  explicit EndedRanks(std::size_t ranks) : ended_(ranks) {}

  void set_ended(std::size_t rank) { ended_[rank] = true; }
  /// The other ranks, in ascending order.
  std::vector<std::size_t> missing() const {
    std::vector<std::size_t> ranks;
    for (std::size_t rank = 0; rank < ended_.size(); ++rank) {
      if (!ended_[rank]) {
        ranks.push_back(rank);
      }
    }
    return ranks;
  }

 private:
  std::vector<std::atomic<bool>> ended_;
};

}  // namespace starhist::driver
