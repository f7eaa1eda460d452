#include "driver/mpi/mpi_link.hh"

#include <thread>

namespace starhist::driver {

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
