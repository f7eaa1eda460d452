#include "driver/capi/context.hh"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "driver/capi/call.hh"
#include "tasks/runtime/recommended_environment.hh"

namespace starhist::capi {
namespace {

/// StarPU's folder for models; "": a folder for temporary files.
std::filesystem::path models_folder() {
  if (const char* folder = std::getenv("STARPU_PERF_MODEL_DIR")) {
    return folder;
  }
  for (const char* variable : {"XDG_CACHE_HOME", "STARPU_HOME", "HOME"}) {
    if (const char* home = std::getenv(variable)) {
      return std::filesystem::path(home) / ".starpu" / "sampling";
    }
  }
  return {};
}

/// Throws RunError if StarPU could not write its performance models and would abort the
/// process. Creates the folder, as StarPU would.
void check_models_folder() {
  const std::filesystem::path folder = models_folder();
  std::error_code failure;
  if (folder.empty()) {
    return;
  }
  if (folder.string().size() > tasks::longest_models_path) {
    throw RunError("the folder of StarPU's performance models, " + folder.string() +
                   ", has a path too long for StarPU (set STARPU_HOME to a shorter "
                   "one, before the process starts)");
  }
  std::filesystem::create_directories(folder, failure);
  if (failure || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw RunError(
        "StarPU has no place for its performance models: " + folder.string() +
        " cannot be written (set STARPU_HOME to a folder that can, before "
        "the process starts)");
  }
}

/// Workers stay awake between frames that follow each other within this time.
constexpr std::chrono::milliseconds rest_delay{10};

/// The process whose context exists; 0: no context.
std::atomic<pid_t> process_of_context{0};

[[noreturn]] void refuse_child() {
  throw CallError(
      STARHIST_FORKED,
      "this process was forked from the one that created the context and does not have "
      "StarPU's threads (create the context after fork, or start a new program)");
}

tasks::CpuMode cpu_mode(unsigned flags) {
  return (flags & STARHIST_TEAMS) != 0 ? tasks::CpuMode::pool : tasks::CpuMode::core;
}

void check_arguments(int cpu_workers, int gpus, unsigned flags) {
  if (cpu_workers < -1 || gpus < -1) {
    throw CallError(STARHIST_BAD_ARGUMENT,
                    "invalid number of workers: " + std::to_string(cpu_workers) +
                        " on CPUs, " + std::to_string(gpus) +
                        " on GPUs (give 0 or more, or -1 for a suitable number)");
  }
  constexpr unsigned known =
      STARHIST_REFUSE_RUNNING | STARHIST_STAY_AWAKE | STARHIST_TEAMS;
  if ((flags & ~known) != 0) {
    throw CallError(STARHIST_BAD_ARGUMENT,
                    "flags " + std::to_string(flags) + " has unknown bits");
  }
  if ((flags & STARHIST_REFUSE_RUNNING) != 0 && tasks::Runtime::starpu_runs()) {
    throw CallError(STARHIST_STARPU_SHARED,
                    "StarPU is already running in this process, which the flag "
                    "STARHIST_REFUSE_RUNNING forbids (leave it out to share StarPU, or "
                    "stop StarPU first)");
  }
  if (tasks::Runtime::starpu_paused()) {
    throw CallError(STARHIST_WRONG_STATE,
                    "StarPU is already running in this process but is paused, so "
                    "no frame would be counted (call starpu_resume first)");
  }
}

}  // namespace

Context::Only::Only() {
  pid_t process = 0;
  if (process_of_context.compare_exchange_strong(process, getpid())) {
    return;
  }
  if (process != getpid()) {
    refuse_child();
  }
  throw CallError(STARHIST_WRONG_STATE,
                  "a context, or a histogram of an earlier context, still exists (use "
                  "one context for all histograms, or destroy these first)");
}

Context::Only::~Only() {
  process_of_context = 0;
}

Context::Context(int cpu_workers, int gpus, const std::string& scheduler,
                 unsigned flags)
    : process_(getpid()) {
  check_arguments(cpu_workers, gpus, flags);
  tasks::StarpuSettings settings;
  settings.cpu_workers = cpu_workers;
  settings.gpus = gpus;
  settings.scheduler = scheduler;
  settings.share_running = true;
  if (!tasks::Runtime::starpu_runs()) {
    check_models_folder();
  }
  runtime_ = std::make_unique<tasks::Runtime>(cpu_mode(flags), tasks::KernelChoice{},
                                              settings);
  if (!runtime_->shared() && (flags & STARHIST_STAY_AWAKE) == 0) {
    rest_ = std::make_unique<tasks::WorkerRest>(rest_delay);
  }
}

Context::~Context() = default;

bool Context::in_other_process() const {
  return getpid() != process_;
}

void Context::check_process() const {
  if (in_other_process()) {
    refuse_child();
  }
}

void Context::check_own_starpu() const {
  if (runtime_->shared()) {
    throw CallError(STARHIST_STARPU_SHARED,
                    "StarPU was running before the context was created, so only the "
                    "program that started it may pause it (starpu_pause)");
  }
}

void Context::pause() {
  check_own_starpu();
  if (rest_) {
    rest_->rest_now();
  }
}

void Context::resume() {
  check_own_starpu();
  const Use use(*this);
}

}  // namespace starhist::capi
