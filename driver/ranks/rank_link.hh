#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "driver/ranks/messages.hh"

namespace starhist::driver {

/// A rank's connection to the coordinator.
class RankLink {
 public:
  RankLink() = default;
  RankLink(const RankLink&) = delete;
  RankLink& operator=(const RankLink&) = delete;
  virtual ~RankLink() = default;

  /// The next message to this rank, if any; waits at most `time` for it. Throws
  /// RunError if the coordinator has not answered for too long. For one thread.
  virtual std::optional<ToRank> receive(std::chrono::milliseconds time) = 0;
  /// May be called from any thread.
  virtual void send(FromRank&& message) = 0;
};

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
