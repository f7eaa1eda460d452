#pragma once

#include <exception>
#include <functional>
#include <thread>

#include "driver/mpi/communicator.hh"
#include "driver/ranks/coordinator.hh"
#include "driver/ranks/rank_link.hh"
#include "driver/run/run_hooks.hh"

namespace starhist::driver {

/// The thread of rank 0 that exchanges messages with all ranks on behalf of a
/// coordinator. Blocks go to the sink of the coordinator's assembly, and checkpoints to
/// the hook, in this thread.
class RankService {
 public:
  /// `local`: the link of rank 0. `expected_pairs`: of all frames. `ended` is notified
  /// of the ranks that have sent their last message. If a rank does not answer, or
  /// memory runs out, `on_lost_rank` receives a message in this thread, and must not
  /// return. The references must outlive this object.
  RankService(Communicator& ranks, LocalLink& local, Coordinator coordinator,
              const RunHooks& hooks, std::uint64_t expected_pairs, EndedRanks& ended,
              std::function<void(const std::string&)> on_lost_rank);

  /// Waits until all ranks have ended. Rethrows exceptions of the sink or the hook.
  void join();

  /// Only after join().
  const Coordinator& coordinator() const { return coordinator_; }

 private:
  using Clock = std::chrono::steady_clock;

  void serve() noexcept;
  void serve_until_ended();
  bool take_messages();
  void take(std::uint32_t rank, FromRank&& message);
  void send_messages();
  void save(bool now);
  void report();

  Communicator& ranks_;
  LocalLink& local_;
  Coordinator coordinator_;
  const RunHooks& hooks_;
  const std::uint64_t expected_pairs_;
  EndedRanks& ended_;
  const std::function<void(const std::string&)> on_lost_rank_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point saved_ = start_;
  Clock::time_point reported_ = start_;
  std::uint64_t saved_frame_ = 0;
  std::exception_ptr error_;
  std::thread thread_;
};

/// Link of a rank other than rank 0 to the coordinator on rank 0.
class MpiLink : public RankLink {
 public:
  explicit MpiLink(Communicator& ranks) : ranks_(ranks) {}

  std::optional<ToRank> receive(std::chrono::milliseconds time) override;
  void send(FromRank&& message) override;

 private:
  Communicator& ranks_;
};

}  // namespace starhist::driver
