#pragma once

#include "driver/mpi/communicator.hh"
#include "driver/ranks/rank_link.hh"

namespace starhist::driver {

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
