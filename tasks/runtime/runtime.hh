#pragma once

#include <memory>
#include <string>
#include <vector>

#include "perfmodels/work_class.hh"

namespace starhist::codelets {
class CountPairsCodelet;
}

namespace starhist::tasks {

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

struct Worker {
  int id = 0;          ///< StarPU's number
  std::string name;    ///< as StarPU calls it: "CPU 0"
  bool cuda = false;   ///< it is a stream of a GPU
  int gpu = -1;        ///< number of its GPU; -1: of a CPU worker
  std::string device;  ///< model of its GPU: "NVIDIA H100 80GB HBM3"; else ""
};

/// StarPU, started and stopped with this object; one at a time.
///
/// Everything that the user sets through STARPU_* variables wins over the defaults,
/// which are: scheduler dmdas with GPUs, lws without. Further variables are worth
/// setting before (recommended_environment.hh). Signals stay with the caller, unless
/// STARPU_CATCH_SIGNALS=1. StarPU calls abort() when a GPU fails.
class Runtime {
 public:
  /// Throws InputError when a variable of StarPU is not usable or the processor has not
  /// the instructions of the CPU variant; RunError when StarPU cannot start or has no
  /// worker that can count.
  explicit Runtime(CpuMode mode, const KernelChoice& kernels = {});
  ~Runtime();
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
  /// StarPU's name of it.
  const std::string& scheduler() const { return scheduler_; }
  /// As asked for, with the name of the CPU variant that was selected.
  const KernelChoice& kernels() const { return kernels_; }
  /// Bytes that StarPU may use on the GPU that has least; 2^64 - 1 without GPUs.
  std::uint64_t gpu_memory() const;
  /// Bytes that were copied between memories since the start, or since the last call.
  std::uint64_t bytes_moved() const;
  /// A sentence for each GPU that cannot be used.
  const std::vector<std::string>& problems() const { return problems_; }

  /// The codelet that counts such pairs of particles in such an order, with its model.
  /// It lives as long as this object.
  codelets::CountPairsCodelet& count_pairs(perfmodels::PairKind kind,
                                           perfmodels::Geometry geometry,
                                           perfmodels::Order order);

 private:
  int threads_per_worker_ = 1;
  std::size_t cuda_workers_ = 0;
  std::size_t gpus_ = 0;
  std::uint64_t free_gpu_bytes_ = UINT64_MAX;
  std::string scheduler_;
  KernelChoice kernels_;
  std::vector<std::string> problems_;
  std::vector<Worker> workers_;
  /// By kind and geometry, that for any order before that for spatial order.
  std::vector<std::unique_ptr<codelets::CountPairsCodelet>> codelets_;
};

}  // namespace starhist::tasks
