#include "driver/ranks/coordinator.hh"

#include <numeric>

namespace starhist::driver {

Coordinator::Coordinator(std::uint32_t ranks, HandOut hand_out, BlockAssembly assembly)
    : hand_out_(std::move(hand_out)),
      assembly_(std::move(assembly)),
      work_(ranks),
      pairs_(ranks, 0),
      told_end_(ranks, false) {}

/// Assigns one unit to each rank in turn, so that the first ones are spread over all.
Coordinator::Messages Coordinator::next_messages() {
  Messages messages = std::exchange(waiting_, {});
  const auto ranks = static_cast<std::uint32_t>(work_.size());
  for (bool more = true; more;) {
    more = false;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      if (told_end_[rank]) {
        continue;
      }
      if (const auto unit = hand_out_.next(rank, assembly_.next_unit())) {
        messages.push_back({rank, *unit});
        more = true;
      }
    }
  }
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    if (!told_end_[rank] && hand_out_.is_empty()) {
      told_end_[rank] = true;
      messages.push_back({rank, NoMoreUnits()});
    }
  }
  return messages;
}

void Coordinator::take(std::uint32_t rank, FromRank&& message) {
  if (auto* counts = std::get_if<UnitCounts>(&message)) {
    hand_out_.returned(rank);
    if (counts->unit.number < bad_unit_) {
      assembly_.add(std::move(*counts));
    }
  } else if (auto* bad = std::get_if<BadFrame>(&message)) {
    hand_out_.stop();
    if (bad->unit < bad_unit_) {
      bad_unit_ = bad->unit;
      bad_frame_ = bad->message;
    }
  } else if (const auto* request = std::get_if<StopRequest>(&message)) {
    stop(request->signal);
  } else if (const auto* pulse = std::get_if<Pulse>(&message)) {
    pairs_[rank] = pulse->pairs;
  } else if (auto* work = std::get_if<RankWork>(&message)) {
    pairs_[rank] = work->result.pairs;
    work_[rank] = std::move(*work);
    ++ended_;
  }
}

void Coordinator::stop(int signal) {
  if (stopped_) {
    return;
  }
  stopped_ = true;
  signal_ = signal;
  hand_out_.stop();
  for (std::uint32_t rank = 0; rank < work_.size(); ++rank) {
    waiting_.push_back({rank, StopNow()});
  }
}

std::vector<RankWork> Coordinator::work() const {
  std::vector<RankWork> all;
  for (const std::optional<RankWork>& work : work_) {
    if (work) {
      all.push_back(*work);
    }
  }
  return all;
}

std::uint64_t Coordinator::pairs() const {
  return std::accumulate(pairs_.begin(), pairs_.end(), std::uint64_t{0});
}

}  // namespace starhist::driver
