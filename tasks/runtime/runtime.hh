#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perfmodels/gpu_speeds.hh"
#include "perfmodels/work_class.hh"

namespace starhist::codelets {
class CountPairsCodelet;
}

namespace starhist::tasks {

class CountingCodelets;

/// How cores are grouped into StarPU workers.
enum class CpuMode {
  core,  ///< one worker per core, each with sequential tasks; the default
  pool,  ///< one worker per NUMA domain, whose tasks use all its cores with OpenMP
};

/// "core" is CpuMode::core, "team" CpuMode::pool. Throws InputError for other names.
CpuMode parse_cpu_mode(const std::string& name);

/// The choices, apart from the trajectory, that determine kernels and their performance
/// models.
struct KernelChoice {
  std::uint32_t bin_count = 10'000;  ///< from distance 0 on
  /// "auto": all suitable variants, among which the performance models choose;
  /// otherwise the name of one.
  std::string cuda_variant = "auto";
  /// "avx512", "avx2", "neon" or "baseline", for all later runs of the process; "": the
  /// variant that STARHIST_CPU_VARIANT names, otherwise the fastest.
  std::string cpu_variant = {};
};

/// StarPU's settings, unless the environment overrides them.
struct StarpuSettings {
  int cpu_workers = -1;  ///< number of workers on cores; -1: one for each free core
  /// If cpu_workers is -1, all cores except one for each GPU have a worker, although
  /// the threads that read and copy then wait for cores.
  bool all_cores = false;
  /// Largest number of CPU workers if there are GPUs; -1: any.
  int cpu_workers_beside_gpus = -1;
  int gpus = -1;          ///< maximum number of GPUs; -1: all that work
  std::string scheduler;  ///< StarPU's name for it; "": dmdas with GPUs, lws without
  /// Whether to use a StarPU that the process has already started. Its workers and
  /// scheduler are then used unchanged, and the other settings are ignored.
  bool share_running = false;
};

struct Worker {
  int id = 0;          ///< StarPU's worker number
  std::string name;    ///< StarPU's name, such as "CPU 0"
  bool cuda = false;   ///< true for a stream of a GPU
  int gpu = -1;        ///< number of its GPU; -1 for a CPU worker
  std::string device;  ///< model of its GPU, such as "NVIDIA H100 80GB HBM3"; "" for a
                       ///< CPU worker
};

/// Starts StarPU, and stops it on destruction. Only one at a time, except for objects
/// that share a running StarPU.
///
/// STARPU_* variables that the user sets override the defaults, which are: scheduler
/// dmdas with GPUs, lws without. Programs should set further variables first
/// (recommended_environment.hh). The caller keeps its signal handlers, unless
/// STARPU_CATCH_SIGNALS=1. StarPU calls abort() when a GPU fails.
class Runtime {
 public:
  /// Throws InputError if a variable of StarPU is invalid or the processor lacks the
  /// instructions of the CPU variant; RunError if StarPU cannot start, already runs and
  /// is not to be shared, or has no worker that can count.
  explicit Runtime(CpuMode mode, const KernelChoice& kernels = {},
                   const StarpuSettings& settings = {});
  /// Uses other kernels on the StarPU of `first`, which must outlive this object.
  Runtime(const Runtime& first, const KernelChoice& kernels);
  /// Leaves StarPU running if another user of the process has started it, too.
  ~Runtime();
  /// True if StarPU runs in this process, whoever has started it.
  static bool starpu_runs();
  /// True if StarPU runs and is paused. Always false with StarPU 1.3, which cannot
  /// report it.
  static bool starpu_paused();

  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  const std::vector<Worker>& workers() const { return workers_; }
  std::size_t cpu_workers() const { return workers_.size() - cuda_workers_; }
  /// Streams of all GPUs.
  std::size_t cuda_workers() const { return cuda_workers_; }
  std::size_t gpus() const { return gpus_; }
  /// Workers per GPU: one uses the resources that another leaves idle at the end of its
  /// task. 0 without GPUs.
  std::size_t streams_per_gpu() const { return gpus_ > 0 ? cuda_workers_ / gpus_ : 0; }
  /// Properties of the GPUs by StarPU's numbers, for predictions without measurements.
  /// Empty if CUDA does not report them.
  const std::map<int, perfmodels::GpuProperties>& gpu_properties() const {
    return gpu_properties_;
  }
  /// Threads of a CPU worker; 1 in CpuMode::core.
  int threads_per_worker() const { return threads_per_worker_; }
  /// StarPU's name of the scheduler; "" if another user of the process has chosen it.
  const std::string& scheduler() const { return scheduler_; }
  /// True if another user of the process had started StarPU.
  bool shared() const { return shared_; }
  /// The requested kernels, with the name of the selected CPU variant.
  const KernelChoice& kernels() const { return kernels_; }
  /// Bytes that StarPU may use on the GPU with the least memory; 2^64 - 1 without GPUs.
  std::uint64_t gpu_memory() const;
  /// Bytes copied between memories since the start or the last call.
  std::uint64_t bytes_moved() const;
  /// A message for each unusable GPU.
  const std::vector<std::string>& problems() const { return problems_; }

  /// The codelet, with its model, for pairs of this kind and geometry in this order of
  /// particles. It lives as long as this object, or longer if StarPU continues to run.
  codelets::CountPairsCodelet& count_pairs(perfmodels::PairKind kind,
                                           perfmodels::Geometry geometry,
                                           perfmodels::Order order);

 private:
  void start(CpuMode mode, const StarpuSettings& settings);
  void join_running();
  void make_codelets();
  void find_workers(const std::map<int, std::string>& gpu_names);

  bool shared_ = false;
  int threads_per_worker_ = 1;
  std::size_t cuda_workers_ = 0;
  std::size_t gpus_ = 0;
  std::uint64_t free_gpu_bytes_ = UINT64_MAX;
  std::map<int, perfmodels::GpuProperties> gpu_properties_;
  std::string scheduler_;
  KernelChoice kernels_;
  std::vector<std::string> problems_;
  std::vector<Worker> workers_;
  std::shared_ptr<CountingCodelets> codelets_;
};

}  // namespace starhist::tasks
