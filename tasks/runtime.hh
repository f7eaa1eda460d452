#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codelets/core/box.hh"
#include "codelets/count_pairs_codelet.hh"

namespace starhist {

/// How the cores become StarPU workers.
enum class CpuMode {
  core,  ///< one worker per core, each running sequential tasks. The default.
  team,  ///< one worker per NUMA domain, whose tasks use all its cores with OpenMP
};

/// Throws InputError unless `name` is "core" or "team".
CpuMode parse_cpu_mode(const std::string& name);

struct Worker {
  int id = 0;
  std::string name;  ///< as StarPU calls it: "CPU 0"
};

/// StarPU, started and stopped with this object; one at a time.
///
/// Everything that the user sets through STARPU_* variables wins over the defaults,
/// which are: scheduler lws, process affinity respected.
class Runtime {
 public:
  /// Throws RunError if StarPU cannot start or has no worker that can count.
  explicit Runtime(CpuMode mode);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  const std::vector<Worker>& workers() const { return workers_; }
  int threads_per_worker() const { return threads_per_worker_; }
  const std::string& scheduler() const { return scheduler_; }

  /// The codelet that counts such pairs in such boxes.
  starpu_codelet* count_pairs(PairKind kind, BoxKind box);

 private:
  int threads_per_worker_ = 1;
  std::string scheduler_;
  std::vector<Worker> workers_;
  std::vector<std::unique_ptr<CountPairsCodelet>> codelets_;
};

}  // namespace starhist
