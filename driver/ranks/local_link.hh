#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "driver/ranks/rank_link.hh"

namespace starhist::driver {

/// Link of the rank in whose process the coordinator runs.
class LocalLink : public RankLink {
 public:
  std::optional<ToRank> receive(std::chrono::milliseconds time) override;
  void send(FromRank&& message) override;

  /// The coordinator's end.
  void send_to_rank(const ToRank& message);
  std::deque<FromRank> take_from_rank();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ToRank> to_rank_;
  std::deque<FromRank> from_rank_;
};

}  // namespace starhist::driver
