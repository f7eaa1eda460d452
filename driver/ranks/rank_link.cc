#include "driver/ranks/rank_link.hh"

#include <utility>

namespace starhist::driver {

std::optional<ToRank> LocalLink::receive(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  // Even a wait of zero takes 60 us per frame.
  if (time.count() > 0) {
    changed_.wait_for(lock, time, [this] { return !to_rank_.empty(); });
  }
  if (to_rank_.empty()) {
    return std::nullopt;
  }
  const ToRank message = to_rank_.front();
  to_rank_.pop_front();
  return message;
}

void LocalLink::send(FromRank&& message) {
  const std::lock_guard lock(mutex_);
  from_rank_.push_back(std::move(message));
}

void LocalLink::send_to_rank(const ToRank& message) {
  const std::lock_guard lock(mutex_);
  to_rank_.push_back(message);
  changed_.notify_one();
}

std::deque<FromRank> LocalLink::take_from_rank() {
  const std::lock_guard lock(mutex_);
  return std::exchange(from_rank_, {});
}

}  // namespace starhist::driver
