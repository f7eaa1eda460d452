#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perfmodels/work_class.hh"

namespace starhist::codelets {
class CountPairsCodelet;
}

namespace starhist::tasks {

class CountingCodelets;

/// How the cores become StarPU workers.
enum class CpuMode {
  core,  ///< one worker per core, each with sequential tasks; the default
  pool,  ///< one worker per NUMA domain, whose tasks use all its cores with OpenMP
};

/// "core" is CpuMode::core, "team" CpuMode::pool. Throws InputError for other names.
CpuMode parse_cpu_mode(const std::string& name);

/// What decides on kernels and their performance models, apart from the trajectory.
struct KernelChoice {
  std::uint32_t bin_count = 10'000;  ///< from distance 0 on
  /// "auto": all that suit, of which the performance models choose; else the name of
  /// one.
  std::string cuda_variant = "auto";
  /// "avx512", "avx2" or "baseline" for all later runs of the process; "": the one that
  /// STARHIST_CPU_VARIANT names, else the fastest.
  std::string cpu_variant = {};
};

/// What StarPU starts with, where the environment does not say otherwise.
struct StarpuSettings {
  int cpu_workers = -1;   ///< number of workers on cores; -1: one for each free core
  int gpus = -1;          ///< number of GPUs at most; -1: all that work
  std::string scheduler;  ///< StarPU's name of it; "": dmdas with GPUs, lws without
  /// Whether a StarPU that runs already, as the process has started it, will do. Its
  /// workers and its scheduler are then used as they are, and the other settings are
  /// not.
  bool share_running = false;
};

struct Worker {
  int id = 0;          ///< StarPU's number
  std::string name;    ///< as StarPU calls it: "CPU 0"
  bool cuda = false;   ///< it is a stream of a GPU
  int gpu = -1;        ///< number of its GPU; -1: of a CPU worker
  std::string device;  ///< model of its GPU: "NVIDIA H100 80GB HBM3"; else ""
};

/// StarPU, started and stopped with this object; one at a time, but for those that
/// share a StarPU that runs.
///
/// Everything that the user sets through STARPU_* variables wins over the defaults,
/// which are: scheduler dmdas with GPUs, lws without. Further variables are worth
/// setting before (recommended_environment.hh). Signals stay with the caller, unless
/// STARPU_CATCH_SIGNALS=1. StarPU calls abort() when a GPU fails.
class Runtime {
 public:
  /// Throws InputError when a variable of StarPU is not usable or the processor has not
  /// the instructions of the CPU variant; RunError when StarPU cannot start, runs
  /// already and is not to be shared, or has no worker that can count.
  explicit Runtime(CpuMode mode, const KernelChoice& kernels = {},
                   const StarpuSettings& settings = {});
  /// Other kernels on the StarPU of `first`, which lives longer.
  Runtime(const Runtime& first, const KernelChoice& kernels);
  /// StarPU goes on where something else has started it too.
  ~Runtime();
  /// Whether StarPU runs in this process, whoever has started it.
  static bool starpu_runs();
  /// Whether StarPU runs and is paused. Always false with StarPU 1.3, which does not
  /// tell.
  static bool starpu_paused();

  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  const std::vector<Worker>& workers() const { return workers_; }
  std::size_t cpu_workers() const { return workers_.size() - cuda_workers_; }
  /// Streams of all GPUs.
  std::size_t cuda_workers() const { return cuda_workers_; }
  std::size_t gpus() const { return gpus_; }
  /// Workers of each GPU: what one leaves idle at the end of its task another one uses.
  /// 0 without GPUs.
  std::size_t streams_per_gpu() const { return gpus_ > 0 ? cuda_workers_ / gpus_ : 0; }
  /// Of a CPU worker; 1 in CpuMode::core.
  int threads_per_worker() const { return threads_per_worker_; }
  /// StarPU's name of it; "" where something else has chosen it.
  const std::string& scheduler() const { return scheduler_; }
  /// Whether something else had started StarPU.
  bool shared() const { return shared_; }
  /// As asked for, with the name of the CPU variant that was selected.
  const KernelChoice& kernels() const { return kernels_; }
  /// Bytes that StarPU may use on the GPU that has least; 2^64 - 1 without GPUs.
  std::uint64_t gpu_memory() const;
  /// Bytes that were copied between memories since the start, or since the last call.
  std::uint64_t bytes_moved() const;
  /// A sentence for each GPU that cannot be used.
  const std::vector<std::string>& problems() const { return problems_; }

  /// The codelet that counts such pairs of particles in such an order, with its model.
  /// It lives as long as this object, or longer where StarPU goes on.
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
  std::string scheduler_;
  KernelChoice kernels_;
  std::vector<std::string> problems_;
  std::vector<Worker> workers_;
  std::shared_ptr<CountingCodelets> codelets_;
};

}  // namespace starhist::tasks
