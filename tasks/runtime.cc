#include "tasks/runtime.hh"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <omp.h>
#include <starpu.h>

#include "codelets/core/error.hh"
#include "codelets/core/text.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "codelets/merge_counts_codelet.hh"
#include "tasks/check.hh"
#include "tasks/cpu_topology.hh"

namespace starhist {
namespace {

constexpr std::array box_kinds{BoxKind::open, BoxKind::orthorhombic,
                               BoxKind::triclinic};

bool user_set(const char* variable) {
  return std::getenv(variable) != nullptr;
}

void set_default(const char* variable, const char* value) {
  setenv(variable, value, /*overwrite=*/0);
}

/// StarPU itself falls back to another scheduler when it does not know the one that
/// STARPU_SCHED names. Schedulers from STARPU_SCHED_LIB are known to StarPU alone.
void check_scheduler_name(const std::string& name) {
  std::vector<std::string> names;
  for (starpu_sched_policy** policy = starpu_sched_get_predefined_policies();
       *policy != nullptr; ++policy) {
    names.emplace_back((*policy)->policy_name);
  }
  if (std::find(names.begin(), names.end(), name) == names.end() &&
      !user_set("STARPU_SCHED_LIB")) {
    throw InputError("STARPU_SCHED '" + name + "' is not a scheduler of this StarPU (" +
                     join(names, ", ") + ")");
  }
}

/// One worker per domain, bound to its first processor; the team spreads from there.
void configure_teams(const std::vector<CpuList>& domains, starpu_conf& conf) {
  if (omp_get_proc_bind() != omp_proc_bind_false) {
    throw InputError(
        "OMP_PROC_BIND is set, which would put all teams on the same cores (unset it, "
        "OMP_PLACES and GOMP_CPU_AFFINITY, or use --cpu-mode core)");
  }
  conf.ncpus = static_cast<int>(domains.size());
  conf.use_explicit_workers_bindid = 1;
  for (std::size_t d = 0; d < domains.size() && d < STARPU_NMAXWORKERS; ++d) {
    conf.workers_bindid[d] = static_cast<unsigned>(domains[d].front());
  }
}

/// Runs in each worker: its OpenMP threads inherit the binding to one core, so each is
/// bound anew, once, to the whole domain. The threads stay with the worker.
void bind_team(void* arg) {
  const auto& domains = *static_cast<const std::vector<CpuList>*>(arg);
  const auto team =
      static_cast<std::size_t>(starpu_worker_get_id_check()) % domains.size();
  const CpuList& cpus = domains[team];
#pragma omp parallel num_threads(static_cast <int>(cpus.size()))
  bind_this_thread(cpus);
}

int smallest_team(const std::vector<CpuList>& domains) {
  std::size_t cpus = domains.front().size();
  for (const CpuList& domain : domains) {
    cpus = std::min(cpus, domain.size());
  }
  return static_cast<int>(cpus);
}

}  // namespace

CpuMode parse_cpu_mode(const std::string& name) {
  if (name == "core") {
    return CpuMode::core;
  }
  if (name == "team") {
    return CpuMode::team;
  }
  throw InputError("CPU mode '" + name + "' is neither core nor team");
}

Runtime::Runtime(CpuMode mode) {
  const std::string variant = cpu::selected_variant().name;
  set_default("STARPU_WORKERS_GETBIND", "1");  // respect taskset and batch systems
  set_default("STARPU_SILENT", "1");           // hints about calibration are not errors

  starpu_conf conf;
  check_starpu(starpu_conf_init(&conf), "read its configuration");
  scheduler_ = user_set("STARPU_SCHED") ? std::getenv("STARPU_SCHED") : "lws";
  check_scheduler_name(scheduler_);
  conf.sched_policy_name = scheduler_.c_str();
  std::vector<CpuList> domains;
  if (mode == CpuMode::team) {
    domains = numa_domains();
    threads_per_worker_ = smallest_team(domains);
    configure_teams(domains, conf);
  }
  check_starpu(starpu_init(&conf), "start");
  if (starpu_cpu_worker_get_count() == 0) {
    starpu_shutdown();
    throw RunError("StarPU has no CPU worker (STARPU_NCPU=0?)");
  }
  if (mode == CpuMode::team) {
    starpu_execute_on_each_worker(bind_team, &domains, STARPU_CPU);
  }

  for (unsigned id = 0; id < starpu_worker_get_count(); ++id) {
    std::array<char, 64> name{};
    starpu_worker_get_name(static_cast<int>(id), name.data(), name.size());
    workers_.push_back({static_cast<int>(id), name.data()});
  }
  for (const PairKind kind : {PairKind::like, PairKind::unlike}) {
    for (const BoxKind box : box_kinds) {
      codelets_.push_back(
          std::make_unique<CountPairsCodelet>(kind, box, variant, threads_per_worker_));
    }
  }
}

Runtime::~Runtime() {
  starpu_shutdown();
}

starpu_codelet* Runtime::count_pairs(PairKind kind, BoxKind box) {
  const std::size_t row = kind == PairKind::like ? 0 : 1;
  const auto column = static_cast<std::size_t>(
      std::find(box_kinds.begin(), box_kinds.end(), box) - box_kinds.begin());
  return codelets_[row * box_kinds.size() + column]->get();
}

}  // namespace starhist
