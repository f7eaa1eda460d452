#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/ranks/block_assembly.hh"
#include "driver/ranks/messages.hh"
#include "driver/ranks/unit_cutter.hh"

namespace starhist::driver {

/// Directs the ranks: hands out units, collects counts, and ends the run after the last
/// unit, an unusable frame, or a signal. It sends nothing itself. For one thread.
class Coordinator {
 public:
  struct Outgoing {
    std::uint32_t rank = 0;
    ToRank message;
  };
  using Messages = std::vector<Outgoing>;

  Coordinator(std::uint32_t ranks, HandOut hand_out, BlockAssembly assembly);

  /// Messages to send now. Call it first, and after each take().
  Messages next_messages();
  /// Processes a message of a rank. Throws InternalError if the counts of a block do
  /// not add up, and exceptions of the assembly's sink.
  void take(std::uint32_t rank, FromRank&& message);
  /// Ends the run soon: ranks cut their units short. `signal`: the cause; 0 for an
  /// error.
  void stop(int signal);

  /// True if all ranks have sent their work report.
  bool ended() const { return ended_ == work_.size(); }
  bool has_ended(std::uint32_t rank) const { return work_[rank].has_value(); }

  const BlockAssembly& assembly() const { return assembly_; }
  /// The work reports of the ranks, once ended.
  std::vector<RankWork> work() const;
  /// Number of pairs that the tasks of all ranks have counted so far.
  std::uint64_t pairs() const;
  /// The problem of the first unusable frame, in the order of units; "": no problem.
  const std::string& bad_frame() const { return bad_frame_; }
  bool stopped() const { return stopped_; }
  /// The signal that has stopped the run; 0: no signal.
  int signal() const { return signal_; }

 private:
  HandOut hand_out_;
  BlockAssembly assembly_;
  std::vector<std::optional<RankWork>> work_;  ///< by rank
  std::size_t ended_ = 0;
  std::vector<std::uint64_t> pairs_;  ///< by rank
  std::vector<bool> told_end_;        ///< by rank
  Messages waiting_;                  ///< to be sent
  std::uint64_t bad_unit_ = UINT64_MAX;
  std::string bad_frame_;
  bool stopped_ = false;
  int signal_ = 0;
};

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
