#pragma once

#include <string>

#include "driver/simulation/simulated_machine.hh"
#include "driver/simulation/simulated_run.hh"

namespace starhist::driver {

/// Path of the program starhist-simulate. Throws InputError, with how to build it,
/// where there is none.
std::string simulation_program();

/// Simulates a run on a machine in a process of its own. `scheduler`: StarPU's name of
/// it; "": the one that STARPU_SCHED names, else that of a real run. STARPU_* variables
/// that the machine does not decide are those of this process. `models`: set to the
/// number of models that the machine has. Throws InputError for what the simulated run
/// refuses, and RunError where the simulation fails.
SimulatedResult simulate_run(const std::string& program,
                             const SimulatedMachine& machine, SimulatedRun run,
                             const std::string& scheduler, std::size_t& models);

}  // namespace starhist::driver
