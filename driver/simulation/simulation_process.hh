#pragma once

#include <string>

#include "driver/simulation/simulated_machine.hh"
#include "driver/simulation/simulated_run.hh"

namespace starhist::driver {

/// Path of the program starhist-simulate. Throws InputError, with instructions to build
/// it, if it is missing.
std::string simulation_program();

/// Simulates a run on a machine in a separate process. `scheduler`: StarPU's name; "":
/// the one in STARPU_SCHED, otherwise a real run's. STARPU_* variables that the machine
/// does not determine are inherited from this process. `models`: set to the number of
/// the machine's models. Throws InputError if the simulated run refuses its input, and
/// RunError if the simulation fails.
SimulatedResult simulate_run(const std::string& program,
                             const SimulatedMachine& machine, SimulatedRun run,
                             const std::string& scheduler, std::size_t& models);

}  // namespace starhist::driver
