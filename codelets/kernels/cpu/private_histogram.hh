#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "codelets/core/base/contract.hh"
#include "codelets/kernels/cpu/pair_loop.hh"

namespace starhist::kernels::cpu {

/// 32-bit counters of one thread for pair loops, added to 64-bit counts before they can
/// overflow. The memory belongs to the thread and is kept between calls, set to zero; a
/// thread may use one PrivateHistogram at a time.
class PrivateHistogram {
 public:
  explicit PrivateHistogram(std::uint32_t bin_count) : bin_count_(bin_count) {
    const std::size_t size = bin_count + out_of_range_entries + 1;
    if (counts().size() != size) {
      counts().assign(size, 0);
    }
  }

  /// The counters, with room for `pairs` more pairs. Calls flush(total) first if they
  /// could overflow. pairs < 2^32.
  std::uint32_t* room_for(std::uint64_t pairs, std::uint64_t* total) {
    STARHIST_EXPECT(pairs <= std::numeric_limits<std::uint32_t>::max(),
                    "a 32-bit counter has room for the pairs");
    if (pairs > std::numeric_limits<std::uint32_t>::max() - pending_) {
      flush(total);
    }
    pending_ += pairs;
    return counts().data();
  }

  /// Adds any number of pairs that are out of range.
  void add_out_of_range(std::uint64_t pairs) { out_of_range_ += pairs; }

  /// Adds all counts to total[0 .. bin_count], atomically, and sets them to zero.
  /// Returns the sum of all counts since construction.
  std::uint64_t flush(std::uint64_t* total) {
    auto& own = counts();
    own.back() = 0;  // the counter that is never read
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (own[k] != 0) {
        std::uint64_t& bin = total[std::min<std::size_t>(k, bin_count_)];
#pragma omp atomic
        bin += own[k];
        flushed_ += own[k];
        own[k] = 0;
      }
    }
    if (out_of_range_ != 0) {
#pragma omp atomic
      total[bin_count_] += out_of_range_;
      flushed_ += out_of_range_;
      out_of_range_ = 0;
    }
    pending_ = 0;
    return flushed_;
  }

 private:
  static std::vector<std::uint32_t>& counts() {
    thread_local std::vector<std::uint32_t> storage;
    return storage;
  }

  std::uint32_t bin_count_;
  std::uint64_t pending_ = 0;  ///< most pairs in the counters since the last flush()
  std::uint64_t out_of_range_ = 0;
  std::uint64_t flushed_ = 0;
};

}  // namespace starhist::kernels::cpu
