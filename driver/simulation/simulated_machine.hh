#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tasks/runtime/simulation.hh"

namespace starhist::driver {

/// A simulated machine, or several equal ones: workers, memories and performance models
/// with their speeds.
struct SimulatedMachine {
  std::string name;            ///< the user's name for it: "h100:8"
  std::filesystem::path file;  ///< file that describes it; empty: built in
  /// Number of machines, each with a rank of starhist-mpi [1, most_simulated_ranks].
  /// All other fields are per machine.
  int ranks = 1;
  int cpu_workers = 0;  ///< [0, most_simulated_cpus]
  int gpus = 0;         ///< [0, most_simulated_gpus]
  /// Main memory, and memory of each GPU [bytes].
  std::uint64_t memory_bytes = 0;
  std::uint64_t gpu_memory_bytes = 0;
  /// Bandwidths between main memory and a GPU, and between two GPUs [bytes/s].
  double to_gpu = 0.0;
  double from_gpu = 0.0;
  double between_gpus = 0.0;
  double latency = 0.0;  ///< per copy [s]
  // The host's speeds. Without GPUs its work takes no time.
  /// Rate at which cores copy positions, 24 bytes of each particle, to memory from
  /// which GPUs read them [bytes/s, > 0].
  double copying = 22e9;
  /// Copying rate to new memory, including the creation of its pages [bytes/s, > 0].
  double first_copying = 7e9;
  /// Rate at which new memory is pinned for one GPU [bytes/s, > 0]; GPUs take turns.
  double pinning = 80e9;
  double frame_seconds = 6e-6;  ///< to receive, check and return a frame [s, > 0]
  double task_seconds = 65e-6;  ///< to submit a task and release it [s, > 0]
  /// Folder of StarPU's models, which contains codelets/45, and the machine where they
  /// were measured: their files end in ".HOST".
  std::filesystem::path models;
  std::string host;
  std::string cpu_variant;  ///< variant of these models; "": this processor's
  /// Properties of each GPU, or one entry for all of them, for times of tasks without
  /// a model.
  std::vector<perfmodels::GpuProperties> gpu_properties{{}};
  /// Factor from the models' times to times of GPU tasks with particles in any order [>
  /// 0]. A simulated GPU has one worker, like a real one for particles in spatial
  /// order; a task alongside another one on the same GPU takes about twice as long as a
  /// single one.
  double gpu_time_factor = 1.0;
};

inline constexpr int most_simulated_cpus = 256;
inline constexpr int most_simulated_gpus = 16;
inline constexpr int most_simulated_ranks = 4096;

/// The machine that `text` names: "h100:8", "cpu:2", or the path of a file that
/// describes one; "16xh100:8" stands for 16 of them. "cpu" has the models of this
/// machine, from StarPU's folder; "h100" those shipped with starhist. Times on "a100",
/// "b200" and "l4" follow from their properties. Throws InputError.
SimulatedMachine parse_machine(const std::string& text);

/// The machines of a list "h100:1,h100:8".
std::vector<SimulatedMachine> parse_machines(const std::string& text);

/// Writes StarPU's files for a simulation of the machine under the name simulated_host
/// to `folder`, for STARPU_PERF_MODEL_DIR: platform, bandwidths, latencies and models.
/// Returns the number of models. Throws RunError.
std::size_t write_machine(const SimulatedMachine& machine,
                          const std::filesystem::path& folder);

/// STARPU_HOSTNAME of every simulated machine.
inline constexpr const char* simulated_host = "simulated";

}  // namespace starhist::driver
