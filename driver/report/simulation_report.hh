#pragma once

#include <string>
#include <vector>

#include "driver/simulation/simulated_run.hh"

namespace starhist::driver {

/// A simulation, and its properties for comparison with others.
struct Simulation {
  std::string machine;
  int ranks = 1;  ///< equal machines with one rank each [>= 1]
  int cpus = 0;   ///< on all machines
  int gpus = 0;   ///< on all machines
  SimulatedResult result;
  /// True if any models of the machine were found.
  bool has_models = false;
};

/// The common work of all simulations: "200 frames of 30 000 particles (O 10 000, ...),
/// 9 x 10^10 pairs".
std::string simulated_work(const SimulatedRun& run);

/// A table with a line for each simulation and, for a single simulation, a line for
/// each worker of one rank. Speed-ups are relative to the first line with the same
/// scheduler.
std::string simulation_table(const std::vector<Simulation>& simulations);

/// Remarks on assumptions of the simulations; "" if all times are measured.
std::string simulation_remarks(const std::vector<Simulation>& simulations);

std::string simulation_json(const SimulatedRun& run,
                            const std::vector<Simulation>& simulations);

}  // namespace starhist::driver
