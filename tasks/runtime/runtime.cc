#include "tasks/runtime/runtime.hh"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include <omp.h>
#include <starpu.h>
#include <sys/resource.h>
#include <unistd.h>

#include "codelets/copying/current_gpu.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "codelets/merge_counts_codelet.hh"
#include "tasks/memory/pages.hh"
#include "tasks/runtime/check.hh"
#include "tasks/runtime/counting_codelets.hh"
#include "tasks/runtime/cpu_topology.hh"
#include "tasks/runtime/gpus.hh"
#include "tasks/runtime/simulation.hh"

namespace starhist::tasks {
namespace {

bool user_set(const char* variable) {
  return std::getenv(variable) != nullptr;
}

/// StarPU aborts if one of these variables is not an integer, or a number of workers
/// negative.
void check_numeric_settings() {
  for (const char* variable :
       {"STARPU_NCPU", "STARPU_NCPUS", "STARPU_NCUDA", "STARPU_CALIBRATE",
        "STARPU_CALIBRATE_MINIMUM", "STARPU_WORKERS_NOBIND", "STARPU_WORKERS_GETBIND",
        "STARPU_MAIN_THREAD_BIND", "STARPU_CUDA_PIPELINE", "STARPU_NWORKER_PER_CUDA",
        "STARPU_PREFETCH", "STARPU_SILENT", "STARPU_CATCH_SIGNALS"}) {
    const char* text = std::getenv(variable);
    char* end = nullptr;
    if (text == nullptr) {
      continue;
    }
    const long number = std::strtol(text, &end, 10);
    const bool counts_workers = std::string_view(variable).starts_with("STARPU_NC");
    if (end == text || *end != '\0' || (counts_workers && number < 0)) {
      throw InputError(std::string(variable) + " '" + text + "' is not a whole number" +
                       (counts_workers ? " from 0 on (unset it for all)" : ""));
    }
  }
}

/// A scheduler for StarPU's own tests: it keeps all tasks until the application calls
/// starpu_do_schedule(), so a run would wait forever.
constexpr const char* without_schedule = "graph_test";

/// StarPU would silently replace an unknown scheduler named by STARPU_SCHED. Only
/// StarPU knows schedulers from STARPU_SCHED_LIB.
void check_scheduler_name(const std::string& name) {
  std::vector<std::string> names;
  for (starpu_sched_policy** policy = starpu_sched_get_predefined_policies();
       *policy != nullptr; ++policy) {
    if ((*policy)->policy_name != std::string(without_schedule)) {
      names.emplace_back((*policy)->policy_name);
    }
  }
  if (name == without_schedule) {
    throw InputError("STARPU_SCHED '" + name +
                     "' does not start tasks automatically, so the run would wait "
                     "forever (use one of " +
                     join(names, ", ") + ")");
  }
  if (std::find(names.begin(), names.end(), name) == names.end() &&
      !user_set("STARPU_SCHED_LIB")) {
    throw InputError("STARPU_SCHED '" + name + "' is not a scheduler of this StarPU (" +
                     join(names, ", ") + ")");
  }
}

/// Creates one worker per domain, bound to its first processor; its team spreads from
/// there. Each GPU is driven from a domain's last processor. StarPU binds the workers
/// that drive GPUs first.
void configure_teams(const std::vector<CpuList>& domains, int gpus, starpu_conf& conf) {
  if (omp_get_proc_bind() != omp_proc_bind_false) {
    throw InputError(
        "OMP_PROC_BIND is set, which would put all teams on the same cores (unset it, "
        "OMP_PLACES and GOMP_CPU_AFFINITY, or use --cpu-mode core)");
  }
  conf.ncpus = static_cast<int>(domains.size());
  conf.use_explicit_workers_bindid = 1;
  std::size_t worker = 0;
  for (; worker < static_cast<std::size_t>(gpus); ++worker) {
    conf.workers_bindid[worker] =
        static_cast<unsigned>(domains[worker % domains.size()].back());
  }
  for (const CpuList& domain : domains) {
    if (worker < STARPU_NMAXWORKERS) {
      conf.workers_bindid[worker++] = static_cast<unsigned>(domain.front());
    }
  }
}

/// Runs in each worker: its OpenMP threads inherit the binding to one core, so each is
/// rebound once to the whole domain. The threads stay with the worker.
void bind_team(void* arg) {
  const auto& domains = *static_cast<const std::vector<CpuList>*>(arg);
  const auto pool =
      static_cast<std::size_t>(starpu_worker_get_devid(starpu_worker_get_id_check())) %
      domains.size();
  const CpuList& cpus = domains[pool];
#pragma omp parallel num_threads(static_cast <int>(cpus.size()))
  bind_this_thread(cpus);
}

/// Runs in each worker that counts on CPUs if there are GPUs: threads that read, submit
/// and drive GPUs need little time, but at once. Fifteen workers on 16 cores make a run
/// alongside an H100 0.7 to 1.4 % faster; with equal priority they made it no faster,
/// or slower.
void lower_priority(void*) {
  constexpr int less_urgent = 10;
  const auto thread = static_cast<id_t>(gettid());
  errno = 0;
  const int now = getpriority(PRIO_PROCESS, thread);
  if (errno == 0) {
    setpriority(PRIO_PROCESS, thread, now + less_urgent);  // 19 at most
  }
}

/// GPUs are fast: the threads that read and copy need free cores to keep up, but idle
/// workers poll for tasks and would occupy them. An H100 does the work of a thousand
/// cores: alongside one, on 16 cores, four workers cost a run 1 to 3 %, six up to 15 %.
int cpu_workers_beside(int gpus) {
  constexpr int helpers_of_a_gpu = 11;
  const int left = std::max(usable_processors() - gpus, 0);
  return left - std::min(helpers_of_a_gpu * gpus, left * 3 / 4);
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
    return CpuMode::pool;
  }
  throw InputError("CPU mode '" + name + "' is neither core nor team");
}

Runtime::Runtime(CpuMode mode, const KernelChoice& kernels,
                 const StarpuSettings& settings)
    : kernels_(kernels) {
  if (!kernels.cpu_variant.empty() && !simulated()) {
    kernels::cpu::select_variant(kernels.cpu_variant);
  }
  if (kernels.cpu_variant.empty() || !simulated()) {
    kernels_.cpu_variant = kernels::cpu::selected_variant().name;
  }
  if (settings.share_running && starpu_is_initialized() != 0) {
    join_running();
  } else {
    start(mode, settings);
  }
}

Runtime::Runtime(const Runtime& first, const KernelChoice& kernels)
    : shared_(true),
      threads_per_worker_(first.threads_per_worker_),
      cuda_workers_(first.cuda_workers_),
      gpus_(first.gpus_),
      free_gpu_bytes_(first.free_gpu_bytes_),
      gpu_properties_(first.gpu_properties_),
      scheduler_(first.scheduler_),
      kernels_(kernels),
      problems_(first.problems_),
      workers_(first.workers_) {
  kernels_.cpu_variant = first.kernels_.cpu_variant;
  make_codelets();
  check_starpu(starpu_init(nullptr), "be shared");
  codelets_->load_models(streams_per_gpu(), gpu_properties_);
}

/// StarPU counts its starts, and runs until it was stopped as often.
void Runtime::join_running() {
  shared_ = true;
  make_codelets();
  check_starpu(starpu_init(nullptr), "be shared");
  if (starpu_cpu_worker_get_count() + starpu_cuda_worker_get_count() == 0) {
    starpu_shutdown();
    throw RunError(
        "the running StarPU has no worker that can count (it was started without CPU "
        "and CUDA workers: start it with some, or let starhist start it)");
  }
  find_workers({});
  codelets_->load_models(streams_per_gpu(), gpu_properties_);
}

void Runtime::start(CpuMode mode, const StarpuSettings& settings) {
  if (starpu_is_initialized() != 0) {  // StarPU would ignore these settings
    throw RunError(
        "StarPU is already running in this process with its own settings (stop it "
        "first, or share it)");
  }
  check_numeric_settings();
  std::optional<codelets::CurrentGpuGuard> guard;
  if (settings.share_running) {  // others use the process, too
    guard.emplace();
  }
  starpu_conf conf;
  check_starpu(starpu_conf_init(&conf), "read its configuration");
  const int cpus_of_user = conf.ncpus;  // from STARPU_NCPU; -1 without
  if (!user_set("STARPU_CATCH_SIGNALS")) {
    conf.catch_signals = 0;  // the program handles SIGINT and SIGSEGV
  }
  GpuChoice gpus;
  if (settings.gpus == 0 && !user_set("STARPU_NCUDA")) {
    conf.ncuda = 0;
  } else {
    gpus = choose_gpus(conf, settings.gpus);
  }
  problems_ = gpus.problems;
  free_gpu_bytes_ = gpus.free_bytes;
  scheduler_ = user_set("STARPU_SCHED")      ? std::getenv("STARPU_SCHED")
               : !settings.scheduler.empty() ? settings.scheduler
               : gpus.count > 0              ? "dmdas"
                                             : "lws";
  check_scheduler_name(scheduler_);
  conf.sched_policy_name = scheduler_.c_str();
  if (gpus.count > 0) {
    let_starpu_use_pages();
    conf.ncpus = settings.all_cores ? std::max(usable_processors() - gpus.count, 0)
                                    : cpu_workers_beside(gpus.count);
    if (settings.cpu_workers_beside_gpus >= 0) {
      conf.ncpus = std::min(conf.ncpus, settings.cpu_workers_beside_gpus);
    }
  }
  if (settings.cpu_workers >= 0) {
    conf.ncpus = settings.cpu_workers;
  }
  std::vector<CpuList> domains;
  if (mode == CpuMode::pool) {
    domains = numa_domains();
    threads_per_worker_ = smallest_team(domains);
    configure_teams(domains, gpus.count, conf);
  }
  if (conf.precedence_over_environment_variables != 0 && cpus_of_user >= 0) {
    conf.ncpus = cpus_of_user;
  }
  make_codelets();
  check_starpu(starpu_init(&conf), "start", problems_);
  if (starpu_cpu_worker_get_count() + starpu_cuda_worker_get_count() == 0) {
    starpu_shutdown();
    throw RunError("StarPU has no worker that can count (STARPU_NCPU=0?)");
  }
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);  // measure the times of tasks
  bytes_moved();                                         // resets the count
  // Set the priority before there are teams, which inherit it.
  if (starpu_cuda_worker_get_count() > 0 && !simulated()) {
    starpu_execute_on_each_worker(lower_priority, nullptr, STARPU_CPU);
  }
  if (mode == CpuMode::pool) {
    starpu_execute_on_each_worker(bind_team, &domains, STARPU_CPU);
  }
  find_workers(gpus.names);
  codelets_->load_models(streams_per_gpu(), gpu_properties_);
}

void Runtime::make_codelets() {
  perfmodels::ModelKey key;
  key.bin_count = kernels_.bin_count;
  key.cpu_variant = kernels_.cpu_variant;
  key.threads = threads_per_worker_;
  key.cuda_variant = kernels_.cuda_variant;
  codelets_ = CountingCodelets::of(key);
}

void Runtime::find_workers(const std::map<int, std::string>& gpu_names) {
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
    const auto id = static_cast<int>(worker);
    std::array<char, 64> name{};
    starpu_worker_get_name(id, name.data(), name.size());
    const bool cuda = starpu_worker_get_type(id) == STARPU_CUDA_WORKER;
    const int gpu = cuda ? starpu_worker_get_devid(id) : -1;
    const auto device = gpu_names.find(gpu);
    cuda_workers_ += cuda ? 1 : 0;
    gpus_ += cuda && std::none_of(workers_.begin(), workers_.end(),
                                  [&](const Worker& w) { return w.gpu == gpu; })
                 ? 1
                 : 0;
    workers_.push_back({id, name.data(), cuda, gpu,
                        device == gpu_names.end() ? std::string() : device->second});
  }
  for (const Worker& worker : workers_) {
    if (const auto gpu =
            worker.cuda ? tasks::gpu_properties(worker.gpu) : std::nullopt) {
      gpu_properties_[worker.gpu] = *gpu;
    }
  }
}

bool Runtime::starpu_runs() {
  return starpu_is_initialized() != 0;
}

bool Runtime::starpu_paused() {
#if STARPU_MAJOR_VERSION == 1 && STARPU_MINOR_VERSION < 4
  return false;
#else
  return starpu_runs() && starpu_is_paused() != 0;
#endif
}

Runtime::~Runtime() {
  starpu_shutdown();
  codelets_.reset();
  if (starpu_is_initialized() == 0) {
    CountingCodelets::forget();
  }
}

std::uint64_t Runtime::gpu_memory() const {
  constexpr double share = 0.9;  // StarPU leaves the rest free
  std::uint64_t least = free_gpu_bytes_;
  if (cuda_workers_ > 0 && least != UINT64_MAX) {
    least = static_cast<std::uint64_t>(share * static_cast<double>(least));
  }
  for (const Worker& worker : workers_) {
    if (worker.cuda) {
      const starpu_ssize_t bytes = starpu_memory_get_total(
          starpu_worker_get_memory_node(static_cast<unsigned>(worker.id)));
      least = bytes > 0 ? std::min(least, static_cast<std::uint64_t>(bytes)) : least;
    }
  }
  return least;
}

std::uint64_t Runtime::bytes_moved() const {
  std::uint64_t bytes = 0;
  for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
    starpu_profiling_bus_info info{};
    if (starpu_bus_get_profiling_info(bus, &info) == 0 && info.transferred_bytes > 0) {
      bytes += static_cast<std::uint64_t>(info.transferred_bytes);
    }
  }
  return bytes;
}

codelets::CountPairsCodelet& Runtime::count_pairs(perfmodels::PairKind kind,
                                                  perfmodels::Geometry geometry,
                                                  perfmodels::Order order) {
  return codelets_->get(kind, geometry, order);
}

}  // namespace starhist::tasks
