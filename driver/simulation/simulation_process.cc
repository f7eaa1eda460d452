#include "driver/simulation/simulation_process.hh"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/child_process.hh"
#include "io/files/descriptor.hh"
#include "io/files/own_program.hh"
#include "tasks/runtime/recommended_environment.hh"

namespace starhist::driver {
namespace {

namespace fs = std::filesystem;

// Static, because a signal handler has no other access.
volatile std::sig_atomic_t signal_seen = 0;
volatile std::sig_atomic_t process_to_end = 0;  ///< 0: no process

void end_process(int signal) {
  signal_seen = signal;
  if (process_to_end != 0) {
    ::kill(static_cast<pid_t>(process_to_end), SIGKILL);
  }
}

/// During its lifetime, INT, TERM and HUP end the awaited child process in place of
/// this one, which removes its files first. Ignored signals remain ignored. One at a
/// time.
class SignalsEndProcess {
 public:
  SignalsEndProcess() {
    signal_seen = 0;
    struct sigaction action {};
    action.sa_handler = end_process;
    for (std::size_t k = 0; k < signals.size(); ++k) {
      ::sigaction(signals[k], nullptr, &before_[k]);
      if (before_[k].sa_handler != SIG_IGN) {
        ::sigaction(signals[k], &action, nullptr);
      }
    }
  }
  /// Raises the received signal again with its original action.
  ~SignalsEndProcess() {
    process_to_end = 0;
    for (std::size_t k = 0; k < signals.size(); ++k) {
      ::sigaction(signals[k], &before_[k], nullptr);
    }
    if (signal_seen != 0) {
      std::raise(signal_seen);
    }
  }
  SignalsEndProcess(const SignalsEndProcess&) = delete;
  SignalsEndProcess& operator=(const SignalsEndProcess&) = delete;

  static void watch(pid_t process) {
    process_to_end = process;
    if (signal_seen != 0) {
      ::kill(process, SIGKILL);
    }
  }

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

/// A folder that is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code failure;
    std::string name =
        (fs::temp_directory_path(failure) / "starhist-simulate-XXXXXX").string();
    if (failure || ::mkdtemp(name.data()) == nullptr) {
      throw RunError("a temporary folder for the simulation cannot be created (" +
                     std::generic_category().message(errno) +
                     "): set TMPDIR to another place");
    }
    path_ = name;
    if (name.size() > tasks::longest_models_path) {
      remove();
      throw RunError("the folder for temporary files, " +
                     name.substr(0, name.rfind('/')) +
                     ", has a path too long for StarPU: set TMPDIR to another place");
    }
  }
  ~TemporaryFolder() { remove(); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  void remove() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  fs::path path_;
};

/// Variables that the simulated machine determines, whatever the user has set for real
/// runs: numbers of workers, folders of models.
constexpr const char* of_the_machine[] = {"STARPU_NCPU",
                                          "STARPU_NCPUS",
                                          "STARPU_NCUDA",
                                          "STARPU_NOPENCL",
                                          "STARPU_WORKERS_CPUID",
                                          "STARPU_WORKERS_CUDAID",
                                          "STARPU_WORKERS_COREID",
                                          "STARPU_NWORKER_PER_CUDA",
                                          "STARPU_CALIBRATE",
                                          "STARPU_HOSTNAME",
                                          "STARPU_PERF_MODEL_DIR",
                                          "STARPU_PERF_MODEL_PATH",
                                          "STARPU_BUS_CALIBRATE",
                                          "STARPU_RESERVE_NCPU",
                                          "STARPU_MAIN_THREAD_CPUID",
                                          "STARPU_SIMGRID"};

bool sets(const std::string& entry, const std::string& name) {
  return entry.compare(0, name.size() + 1, name + "=") == 0;
}

std::vector<std::string> environment_of(const SimulatedMachine& machine,
                                        const std::string& scheduler,
                                        const fs::path& models) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool decided = sets(*entry, "STARPU_SCHED") && !scheduler.empty();
    for (const char* name : of_the_machine) {
      decided = decided || sets(*entry, name);
    }
    if (!decided) {
      entries.emplace_back(*entry);
    }
  }
  const auto set = [&](const std::string& name, const std::string& value) {
    entries.push_back(name + "=" + value);
  };
  const auto set_unless_given = [&](const char* name, const std::string& value) {
    if (std::getenv(name) == nullptr) {
      set(name, value);
    }
  };
  set("STARPU_PERF_MODEL_DIR", models.string());
  set("STARPU_HOSTNAME", simulated_host);
  set("STARPU_NCUDA", std::to_string(machine.gpus));
  // Freeze the models: simulated task times include waiting and would bias them.
  set("STARPU_CALIBRATE", "0");
  if (!scheduler.empty()) {
    set("STARPU_SCHED", scheduler);
  }
  set_unless_given("STARPU_SILENT", "1");
  return entries;
}

/// Runs the program with its output in `log`, and returns its wait status.
int run_program(const std::vector<std::string>& words,
                std::vector<std::string> environment, const fs::path& log) {
  const io::Descriptor output(log.string(), O_WRONLY | O_CREAT | O_TRUNC);
  const pid_t process = io::start_process(words, {output.get(), output.get()},
                                          io::SignalsOfJob::received, &environment);
  SignalsEndProcess::watch(process);
  return io::wait_for_process(process);
}

/// The last lines of a text, which name the reason.
std::string end_of(const fs::path& log) {
  constexpr std::size_t most = 600;
  std::ifstream file(log);
  std::ostringstream text;
  text << file.rdbuf();
  std::string all = text.str();
  while (!all.empty() && all.back() == '\n') {
    all.pop_back();
  }
  return all.size() <= most ? all : all.substr(all.find('\n', all.size() - most) + 1);
}

[[noreturn]] void explain(int status, const std::string& log,
                          const SimulatedMachine& machine) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 1) {
    throw InputError("simulating " + machine.name + ": " + log);
  }
  const std::string how =
      WIFSIGNALED(status)
          ? std::string("was terminated by ") + ::strsignal(WTERMSIG(status))
          : "failed with exit code " + std::to_string(WEXITSTATUS(status));
  throw RunError("simulating " + machine.name + ": starhist-simulate " + how +
                 (log.empty() ? "" : "; its last output:\n" + log));
}

/// Sets the host's times for its GPUs. machine.gpus must be > 0.
void set_work_of_host(const SimulatedMachine& machine, SimulatedRun& run) {
  constexpr double seconds_to_start_a_gpu = 1e-3;  // to allocate its first memory
  constexpr double seconds_to_pin_a_block = 2e-4;  // of few bytes, per GPU
  constexpr double seconds_for_a_sample = 2e-4;    // of the positions to be sorted
  const auto gpus = static_cast<double>(machine.gpus);
  run.seconds_to_accept_a_frame = machine.frame_seconds;
  run.seconds_to_start = gpus * seconds_to_start_a_gpu;
  run.submission.task = machine.task_seconds;
  run.submission.sample = seconds_for_a_sample;
  run.submission.new_block = gpus * seconds_to_pin_a_block;
  const double making = 1.0 / machine.first_copying - 1.0 / machine.copying;
  run.submission.copied_byte = 1.0 / machine.copying;
  run.submission.new_byte = std::max(making, 0.0) + gpus / machine.pinning;
}

}  // namespace

std::string simulation_program() {
  std::string program = io::program_at({
      "starhist-simulate",
      "../build-simgrid/starhist-simulate",
      STARHIST_LIBEXEC_FROM_BIN "/starhist-simulate",
      STARHIST_LIBEXEC "/starhist-simulate",
  });
  if (program.empty()) {
    throw InputError(
        "starhist-simulate, which simulates runs with SimGrid, was not found alongside "
        "starhist: build it with scripts/setup/build.sh simgrid in the source tree "
        "(for an installed starhist, then run cmake --install build-simgrid)");
  }
  return program;
}

SimulatedResult simulate_run(const std::string& program,
                             const SimulatedMachine& machine, SimulatedRun run,
                             const std::string& scheduler, std::size_t& models) {
  const SignalsEndProcess signals;  // destroyed after the folder
  const TemporaryFolder folder;
  models = write_machine(machine, folder.path());
  run.ranks = static_cast<std::uint32_t>(machine.ranks);
  run.cpu_workers = machine.cpu_workers;
  run.cpu_variant = machine.cpu_variant;
  run.gpus = machine.gpu_properties;
  run.options.memory_bytes = machine.memory_bytes / 2;
  if (machine.gpus > 0) {
    set_work_of_host(machine, run);
  }
  const fs::path input = folder.path() / "run";
  const fs::path output = folder.path() / "result";
  const fs::path log = folder.path() / "log";
  {
    std::ofstream file(input, std::ios::binary);
    write_run(file, run);
    file.close();
    if (!file) {
      throw RunError("cannot write '" + input.string() + "'");
    }
  }
  const int status =
      run_program({program, input.string(), output.string()},
                  environment_of(machine, scheduler, folder.path()), log);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    explain(status, end_of(log), machine);
  }
  std::ifstream file(output);
  if (!file) {
    explain(status, end_of(log), machine);
  }
  return read_result(file);
}

}  // namespace starhist::driver
