#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/ranks/block_assembly.hh"
#include "driver/ranks/hand_out.hh"
#include "driver/ranks/messages.hh"

namespace starhist::driver {

/// Says what each rank does: gives units out, takes counts in, ends the run after the
/// last one, after a frame that cannot be used, or after a signal. It sends nothing
/// itself. For one thread.
class Coordinator {
 public:
  struct Outgoing {
    std::uint32_t rank = 0;
    ToRank message;
  };
  using Messages = std::vector<Outgoing>;

  Coordinator(std::uint32_t ranks, HandOut hand_out, BlockAssembly assembly);

  /// What to send now. To be called at first, and after each take().
  Messages next_messages();
  /// A message of a rank. Throws InternalError where the counts of a block do not add
  /// up, and what the sink of the assembly throws.
  void take(std::uint32_t rank, FromRank&& message);
  /// Ends the run soon: ranks end their units early. `signal`: why; 0 for an error.
  void stop(int signal);

  /// Whether all ranks have said what they have done.
  bool ended() const { return ended_ == work_.size(); }
  bool has_ended(std::uint32_t rank) const { return work_[rank].has_value(); }

  const BlockAssembly& assembly() const { return assembly_; }
  /// What the ranks have done, once ended.
  std::vector<RankWork> work() const;
  /// Number of pairs that the tasks of all ranks have counted so far.
  std::uint64_t pairs() const;
  /// The problem of the first frame that cannot be used, in the order of units; "":
  /// none.
  const std::string& bad_frame() const { return bad_frame_; }
  bool stopped() const { return stopped_; }
  /// The signal that has stopped the run; 0: none.
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

}  // namespace starhist::driver
