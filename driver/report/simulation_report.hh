#pragma once

#include <string>
#include <vector>

#include "driver/simulation/simulated_run.hh"

namespace starhist::driver {

/// A simulation and its place among those that it is compared with.
struct Simulation {
  std::string machine;
  int ranks = 1;  ///< equal machines, each with its rank [>= 1]
  int cpus = 0;   ///< of all of them
  int gpus = 0;   ///< of all of them
  SimulatedResult result;
  /// Whether models of the machine were found at all.
  bool has_models = false;
};

/// What all simulations have counted: "200 frames of 30 000 particles (O 10 000, ...),
/// 9 x 10^10 pairs".
std::string simulated_work(const SimulatedRun& run);

/// A table with a line for each simulation and, where there is one alone, a line for
/// each worker, of one rank. Speed-ups are those over the first line of the same
/// scheduler.
std::string simulation_table(const std::vector<Simulation>& simulations);

/// Sentences on what the simulations rest on, "" where all is measured.
std::string simulation_remarks(const std::vector<Simulation>& simulations);

std::string simulation_json(const SimulatedRun& run,
                            const std::vector<Simulation>& simulations);

}  // namespace starhist::driver
