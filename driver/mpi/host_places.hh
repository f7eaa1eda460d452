#pragma once

#include "driver/mpi/communicator.hh"
#include "driver/ranks/host_share.hh"

namespace starhist::driver {

/// The share of this rank, from what all ranks have. Called by all ranks.
HostShare share_of_host(Communicator& ranks);

}  // namespace starhist::driver
