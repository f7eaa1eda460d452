#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace starhist::driver {

/// A machine that is simulated, or several equal ones: workers and memories, and whose
/// performance models tell how fast they are.
struct SimulatedMachine {
  std::string name;            ///< as the user calls it: "h100:8"
  std::filesystem::path file;  ///< that describes it; empty: none
  /// Machines, with a rank of starhist-mpi on each [1, most_simulated_ranks]. All below
  /// is of one of them.
  int ranks = 1;
  int cpu_workers = 0;  ///< [0, most_simulated_cpus]
  int gpus = 0;         ///< [0, most_simulated_gpus]
  /// Main memory, and that of each GPU [bytes].
  std::uint64_t memory_bytes = 0;
  std::uint64_t gpu_memory_bytes = 0;
  /// Copies between main memory and a GPU, and between two GPUs [bytes/s].
  double to_gpu = 0.0;
  double from_gpu = 0.0;
  double between_gpus = 0.0;
  double latency = 0.0;  ///< of each copy [s]
  // Speeds of the host. Without GPUs its work takes no time.
  /// Rate at which cores copy positions, 24 bytes of each particle, to memory that GPUs
  /// take them from [bytes/s, > 0].
  double copying = 22e9;
  /// The same to new memory, whose pages are made meanwhile [bytes/s, > 0].
  double first_copying = 7e9;
  /// Rate at which new memory is pinned for one GPU [bytes/s, > 0]; GPUs take turns.
  double pinning = 80e9;
  double frame_seconds = 6e-6;  ///< to take, check and hand back a frame [s, > 0]
  double task_seconds = 65e-6;  ///< to submit a task and release it [s, > 0]
  /// Folder of StarPU's models, with codelets/45 in it, and the machine that they are
  /// of: their files end in ".HOST".
  std::filesystem::path models;
  std::string host;
  std::string cpu_variant;  ///< of these models; "": that of this processor
  /// Times of tasks of GPUs with particles in any order are those of the models times
  /// this [> 0]. A simulated GPU has one worker, as counts particles in spatial order;
  /// the time of a task beside another one on the same GPU is about twice that of one
  /// alone.
  double gpu_time_factor = 1.0;
};

inline constexpr int most_simulated_cpus = 256;
inline constexpr int most_simulated_gpus = 16;
inline constexpr int most_simulated_ranks = 4096;

/// The machine that `text` names: "h100:8", "cpu:2", or the path of a file that
/// describes one; "16xh100:8" are 16 of them. "cpu" has the models of this machine, in
/// the folder where StarPU keeps them; "h100" those that come with starhist. Throws
/// InputError.
SimulatedMachine parse_machine(const std::string& text);

/// The machines of a list "h100:1,h100:8".
std::vector<SimulatedMachine> parse_machines(const std::string& text);

/// Writes what StarPU needs to simulate the machine under the name simulated_host to
/// `folder`, for STARPU_PERF_MODEL_DIR: platform, bandwidths, latencies and models.
/// Returns the number of models. Throws RunError.
std::size_t write_machine(const SimulatedMachine& machine,
                          const std::filesystem::path& folder);

/// STARPU_HOSTNAME of every simulated machine.
inline constexpr const char* simulated_host = "simulated";

}  // namespace starhist::driver
