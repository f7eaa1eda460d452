#include "driver/mpi/rank_service.hh"

#include <thread>
#include <utility>

#include "driver/report/error_text.hh"

namespace starhist::driver {

RankService::RankService(Communicator& ranks, LocalLink& local, Coordinator coordinator,
                         const RunHooks& hooks, std::uint64_t expected_pairs,
                         EndedRanks& ended,
                         std::function<void(const std::string&)> on_lost_rank)
    : ranks_(ranks),
      local_(local),
      coordinator_(std::move(coordinator)),
      hooks_(hooks),
      expected_pairs_(expected_pairs),
      ended_(ended),
      on_lost_rank_(std::move(on_lost_rank)),
      thread_([this] { serve(); }) {}

void RankService::join() {
  thread_.join();
  if (error_) {
    std::rethrow_exception(error_);
  }
}

void RankService::serve() noexcept {
  try {
    serve_until_ended();
  } catch (const std::exception& error) {
    on_lost_rank_(error_text(error));
  }
}

void RankService::serve_until_ended() {
  send_messages();
  while (!coordinator_.ended()) {
    const bool some = take_messages();
    send_messages();
    save(false);
    report();
    if (!some) {
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
  }
  save(true);
}

/// Returns false if there was no message.
bool RankService::take_messages() {
  bool some = false;
  for (FromRank& message : local_.take_from_rank()) {
    take(0, std::move(message));
    some = true;
  }
  if (ranks_.size() > 1) {
    if (std::optional<Received> received = ranks_.poll(MessageTag::from_rank)) {
      take(static_cast<std::uint32_t>(received->rank),
           unpacked_from_rank(received->bytes));
      some = true;
    }
  }
  return some;
}

/// An exception of the sink, such as a full disk, stops the run in order.
void RankService::take(std::uint32_t rank, FromRank&& message) {
  try {
    coordinator_.take(rank, std::move(message));
  } catch (const std::exception&) {
    error_ = error_ ? error_ : std::current_exception();
    coordinator_.stop(0);
  }
  if (coordinator_.has_ended(rank)) {
    ended_.set_ended(rank);
  }
}

void RankService::send_messages() {
  for (const Coordinator::Outgoing& out : coordinator_.next_messages()) {
    if (out.rank == 0) {
      local_.send_to_rank(out.message);
    } else {
      ranks_.send(static_cast<int>(out.rank), MessageTag::to_rank, packed(out.message));
    }
  }
}

/// Saves the incomplete block if it has new frames.
void RankService::save(bool now) {
  const BlockAssembly& assembly = coordinator_.assembly();
  const bool due = now ? coordinator_.stopped()
                       : Clock::now() - saved_ >= hooks_.checkpoint_interval;
  if (!due || error_ || !hooks_.checkpoint) {
    return;
  }
  saved_ = Clock::now();
  const BlockCounts* const block = assembly.open_block();
  if (block == nullptr || saved_frame_ == assembly.next_frame()) {
    return;
  }
  try {
    check_conservation(*block);
    hooks_.checkpoint(*block, assembly.next_frame());
    saved_frame_ = assembly.next_frame();
  } catch (const std::exception&) {
    error_ = std::current_exception();
    coordinator_.stop(0);
  }
}

void RankService::report() {
  if (hooks_.progress && Clock::now() - reported_ >= hooks_.progress_interval) {
    reported_ = Clock::now();
    const std::chrono::duration<double> elapsed = reported_ - start_;
    hooks_.progress({0, coordinator_.pairs(), expected_pairs_, elapsed.count(),
                     static_cast<std::uint32_t>(ranks_.size())});
  }
}

std::optional<ToRank> MpiLink::receive(std::chrono::milliseconds time) {
  std::optional<Received> message = ranks_.poll(MessageTag::to_rank);
  if (!message && time.count() > 0) {
    std::this_thread::sleep_for(time);
    message = ranks_.poll(MessageTag::to_rank);
  }
  return message ? std::optional(unpacked_to_rank(message->bytes)) : std::nullopt;
}

void MpiLink::send(FromRank&& message) {
  ranks_.send(0, MessageTag::from_rank, packed(message));
}

}  // namespace starhist::driver
