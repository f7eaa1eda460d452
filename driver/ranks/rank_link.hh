#pragma once

#include <chrono>
#include <optional>

#include "driver/ranks/messages.hh"

namespace starhist::driver {

/// The way of a rank to the coordinator of all ranks.
class RankLink {
 public:
  RankLink() = default;
  RankLink(const RankLink&) = delete;
  RankLink& operator=(const RankLink&) = delete;
  virtual ~RankLink() = default;

  /// The next message to this rank, if there is one; waits for it for `time` at most.
  /// Throws RunError when the coordinator has not answered for too long. For one
  /// thread.
  virtual std::optional<ToRank> receive(std::chrono::milliseconds time) = 0;
  /// From any thread.
  virtual void send(FromRank&& message) = 0;
};

}  // namespace starhist::driver
