#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/commands/stop_signals.hh"
#include "driver/mpi/communicator.hh"
#include "driver/options/rdf_options.hh"
#include "driver/ranks/coordinator.hh"
#include "driver/ranks/rank_link.hh"
#include "driver/report/error_text.hh"
#include "driver/run/run_hooks.hh"

namespace starhist::driver {

// Messages from rank 0 to the others.
inline constexpr const char* to_begin = "begin";
inline constexpr const char* to_end = "end";

/// Calls a function. An exception ends all ranks.
template <class Function>
auto or_abort(Communicator& ranks, Function function) {
  try {
    return function();
  } catch (const InputError& error) {
    ranks.abort(error.what(), ExitCode::bad_input);
  } catch (const std::exception& error) {
    ranks.abort(error_text(error), ExitCode::failure);
  }
}

/// Information about the frames that rank 0 sends to the others.
struct Beginning {
  std::uint64_t number = 0;  ///< number of the first counted frame
  std::uint64_t end = 0;     ///< one past the number of the last one
  std::uint64_t first = 0;   ///< number in the trajectory of the first usable frame
};

/// The end of a count on all ranks.
struct RankedCounts {
  std::vector<RankWork> work;         ///< by rank
  std::vector<std::string> left_out;  ///< a message for each frame that was left out
  bool cancelled = false;
};

/// "4 on 2 hosts: a b"
std::string ranks_text(const Communicator& ranks);

/// A run of starhist-mpi on all ranks, as seen by one of them: the part that is the
/// same for all commands.
class RankedProgram {
 public:
  RankedProgram(Communicator& ranks, StopSignals& signals, std::string command,
                std::vector<std::string> arguments);
  virtual ~RankedProgram() = default;
  RankedProgram(const RankedProgram&) = delete;
  RankedProgram& operator=(const RankedProgram&) = delete;

  /// Rank 0 reports and returns the exit code of the run, the others 0. An error that
  /// only one rank knows of ends the processes of all, after a message with the rank.
  ExitCode run();

 protected:
  using Clock = std::chrono::steady_clock;

  /// The options of the command, on each rank; `writes`: as for parse_rdf_options().
  virtual std::optional<RdfOptions> parse(bool writes) = 0;
  /// Adds to options_ after parse() on all ranks. Throws like agree().
  virtual void complete_options() {}
  /// Checks the opened run, on each rank. Throws InputError.
  virtual void check() {}
  /// Checks first_ on rank 0. Throws InputError.
  virtual void check_first() {}
  /// Continues with the opened run, which is not finished.
  virtual ExitCode go() = 0;

  bool leads() const { return ranks_.rank() == 0; }
  /// All ranks read the first usable frame, so that each knows its box and pairs.
  void find_first_frame();
  /// Counts the units of this rank that arrive through the link.
  using UnitCounter = std::function<RankWork(RankLink& link)>;
  /// On rank 0: directs all ranks, among which `count` is this one, until they have
  /// ended. Throws RunError if an input has changed, and InputError for an unusable
  /// frame.
  RankedCounts lead(Coordinator coordinator, const RunHooks& hooks,
                    std::uint64_t expected_pairs, const UnitCounter& count);
  /// On the other ranks: counts units until rank 0 calls tell_end().
  ExitCode follow(const UnitCounter& count);
  /// On rank 0: releases the others.
  void tell_end();
  /// On rank 0, for a run that does not stop in time. `ended`: ranks that have ended;
  /// null before they count.
  void set_last_words(const std::shared_ptr<const EndedRanks>& ended);

  Communicator& ranks_;
  StopSignals& signals_;
  const std::string command_;
  const std::vector<std::string> arguments_;
  std::string go_on_ = how_to_go_on(false);
  const Clock::time_point start_ = Clock::now();
  std::optional<RdfOptions> options_;
  std::unique_ptr<TrajectoryRun> run_;
  Frame first_;  ///< the first usable frame; may lose its positions
  Beginning beginning_;
  std::unique_ptr<FrameStream> stream_;
  int signal_ = 0;  ///< signal that stopped the run, on any rank

 private:
  ExitCode run_agreed();
  std::string how_to_go_on(bool replaces) const;
  void open();
  void agree_on_block_length();
  RankWork work_of(RankWork work) const;
};

/// Runs `starhist-mpi rdf`: the run of `starhist rdf` on all ranks, as in
/// RankedProgram::run().
ExitCode run_ranked_rdf(Communicator& ranks, StopSignals& signals,
                        const std::vector<std::string>& arguments);
/// Run `starhist-mpi vanhove` and `starhist-mpi coordination` likewise.
ExitCode run_ranked_vanhove(Communicator& ranks, StopSignals& signals,
                            const std::vector<std::string>& arguments);
ExitCode run_ranked_coordination(Communicator& ranks, StopSignals& signals,
                                 const std::vector<std::string>& arguments);

}  // namespace starhist::driver
