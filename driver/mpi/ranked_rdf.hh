#pragma once

#include <string>
#include <vector>

#include "driver/commands/command.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/mpi/communicator.hh"

namespace starhist::driver {

/// Runs `starhist-mpi rdf`: the run of `starhist rdf` on all ranks. Rank 0 reports and
/// returns the exit code of the run, the others 0. An error that only one rank knows of
/// ends the processes of all, after a message with the rank.
ExitCode run_ranked_rdf(Communicator& ranks, StopSignals& signals,
                        const std::vector<std::string>& arguments);

/// Runs `starhist-mpi vanhove` likewise.
ExitCode run_ranked_vanhove(Communicator& ranks, StopSignals& signals,
                            const std::vector<std::string>& arguments);

}  // namespace starhist::driver
