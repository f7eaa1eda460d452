#pragma once

#include "driver/mpi/communicator.hh"
#include "driver/ranks/host_share.hh"

namespace starhist::driver {

/// Returns this rank's share, from the resources of all ranks. Called by all ranks.
HostShare share_of_host(Communicator& ranks);

}  // namespace starhist::driver
