#pragma once

#include <chrono>
#include <optional>

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

}  // namespace starhist::driver
