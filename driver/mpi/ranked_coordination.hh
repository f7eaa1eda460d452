#pragma once

#include <string>
#include <vector>

#include "driver/commands/command.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/mpi/communicator.hh"

namespace starhist::driver {

/// Runs `starhist-mpi coordination`, like run_ranked_rdf().
ExitCode run_ranked_coordination(Communicator& ranks, StopSignals& signals,
                                 const std::vector<std::string>& arguments);

}  // namespace starhist::driver
