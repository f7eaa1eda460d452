#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "codelets/core/base/error.hh"
#include "driver/commands/command.hh"

namespace starhist::driver {

/// Kind of a message between ranks.
enum class MessageTag : int { text = 1, from_rank = 2, to_rank = 3, alive = 4 };

/// A rank does not answer, or MPI has failed: MPI cannot be finalized in order.
class LostRank : public RunError {
 public:
  using RunError::RunError;
};

/// A message and its sender.
struct Received {
  int rank = 0;
  std::vector<char> bytes;
};

/// MPI, from initialization to finalization: one object per process. Once a second
/// ranks report to rank 0, and rank 0 to all, that they are alive, and every wait
/// checks for it. All functions may be called from any thread, unless stated otherwise.
class Communicator {
 public:
  /// Initializes MPI. Throws RunError if MPI does not support calls from several
  /// threads. Any later failure ends all ranks.
  Communicator(int& count, char**& words);
  /// Finalizes MPI together with all ranks. Does nothing after a failed abort().
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Name of this host.
  const std::string& host() const { return host_; }
  /// Host name of each rank, on rank 0, after the first gather().
  const std::string& host_of(int rank) const { return hosts_[as_index(rank)]; }
  /// "rank 2 on node17".
  std::string name_of(int rank) const;
  /// The lowest rank that shares memory with this one.
  int first_rank_on_host() const { return first_on_host_; }

  /// Sends bytes to a rank.
  void send(int rank, MessageTag tag, const std::vector<char>& bytes);
  /// The next message with this tag, if any. Throws LostRank if a rank has been silent
  /// for too long. One thread at a time per tag.
  std::optional<Received> poll(MessageTag tag);

  // All ranks must call the following functions in the same order, in one thread each.

  /// The texts of all ranks, on rank 0; empty on the others.
  std::vector<std::string> gather(const std::string& text);
  /// Sends each rank its text from rank 0, which provides all; returns this rank's
  /// text.
  std::string scatter(const std::vector<std::string>& texts);
  /// Returns the text of rank 0. Other ranks wait for it.
  std::string broadcast(const std::string& text = "");
  /// Returns once all ranks of this host have called it.
  void wait_for_host();

  /// Records that all ranks know about the end of the run: this one may leave without
  /// abort().
  void set_agreed_end() { agreed_end_ = true; }
  bool has_agreed_end() const { return agreed_end_; }
  /// Rank 0 no longer expects signs of life from this rank.
  void forget(int rank);
  /// Ends the processes of all ranks with a message that names this one.
  [[noreturn]] void abort(const std::string& why, ExitCode code);

 private:
  /// The part of the constructor in which other ranks wait for this one.
  void meet_others();
  static std::size_t as_index(int rank) { return static_cast<std::size_t>(rank); }
  std::string receive_text(int rank);
  void tell_alive(const std::stop_token& stop);
  void note_alive();
  void check_alive();

  int rank_ = 0;
  int size_ = 1;
  int first_on_host_ = 0;
  int host_communicator_ = 0;  ///< as a Fortran handle
  std::string host_;
  std::vector<std::string> hosts_;
  std::chrono::seconds patience_;  ///< longest silence of a rank
  /// Last sign of life of each rank [milliseconds of the steady clock].
  std::vector<std::atomic<std::int64_t>> heard_;
  std::vector<std::vector<std::string>> early_texts_;  ///< by rank
  bool agreed_end_ = false;
  std::jthread alive_;
};

}  // namespace starhist::driver
