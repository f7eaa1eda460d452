#include "tests/support/run_program.hh"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist::testing {
namespace {

double now() {
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now().time_since_epoch();
  return time.count();
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

int checked(int result, const char* what) {
  if (result < 0) {
    throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
  }
  return result;
}

/// Our end of a new pseudo-terminal of 80 columns.
int open_terminal() {
  const int terminal = checked(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), "openpt");
  checked(grantpt(terminal), "grantpt");
  checked(unlockpt(terminal), "unlockpt");
  const winsize size{24, 80, 0, 0};
  checked(ioctl(terminal, TIOCSWINSZ, &size), "TIOCSWINSZ");
  return terminal;
}

std::string whole_file(int file) {
  std::string text(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
  const ssize_t size = checked(
      static_cast<int>(pread(file, text.data(), text.size(), 0)), "read the output");
  text.resize(static_cast<std::size_t>(size));
  return text;
}

/// StarPU's folder for measurements, separate from the user's.
const std::string& starpu_home() {
  static const TemporaryDirectory directory;
  static const std::string path = directory.file("");
  return path;
}

std::vector<std::string> make_environment(const ProgramSetting& setting) {
  std::map<std::string, std::string> variables = setting.environment;
  // Concurrent programs of tests must not bind to the same core.
  variables.emplace("STARPU_WORKERS_NOBIND", "1");
  variables.emplace("STARPU_HOME", starpu_home());
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    const bool ours = text.rfind("STARPU_", 0) == 0 || text.rfind("STARHIST_", 0) == 0;
    if (equals != std::string::npos && !ours) {
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  std::vector<std::string> environment;
  for (const auto& [name, value] : variables) {
    environment.push_back(name + "=" + value);
  }
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) {
    result.push_back(text.data());
  }
  result.push_back(nullptr);
  return result;
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& arguments,
                               const ProgramSetting& setting)
    : setting_(setting) {
  std::vector<std::string> words{place("STARHIST_PROGRAM", STARHIST_PROGRAM)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = make_environment(setting);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> envp = pointers(environment);
  out_ = setting.standard_output.empty()
             ? checked(memfd_create("out", MFD_CLOEXEC), "memfd_create")
             : checked(open(setting.standard_output.c_str(), O_WRONLY | O_CLOEXEC),
                       "open");
  const bool terminal = setting.standard_error == StandardError::terminal;
  err_ =
      terminal ? open_terminal() : checked(memfd_create("err", MFD_CLOEXEC), "memfd");
  const std::string terminal_name = terminal ? ptsname(err_) : "";

  start_ = now();
  process_ = checked(fork(), "fork");
  if (process_ == 0) {
    const int err = terminal ? open(terminal_name.c_str(), O_RDWR | O_NOCTTY) : err_;
    const int in = open("/dev/null", O_RDONLY);
    dup2(in, STDIN_FILENO);
    dup2(out_, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (setting.file_size_limit) {
      const rlimit limit{*setting.file_size_limit, *setting.file_size_limit};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
}

RunningProgram::~RunningProgram() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(out_);
  close(err_);
}

void RunningProgram::send_signal(int signal) {
  kill(process_, signal);
}

bool RunningProgram::has_ended() {
  int status = 0;
  rusage used{};
  if (checked(wait4(process_, &status, WNOHANG, &used), "wait4") == 0) {
    return false;
  }
  run_.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  process_ = -1;
  run_.seconds = now() - start_;
  run_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return true;
}

void RunningProgram::look_at_memory() {
  std::ifstream status("/proc/" + std::to_string(process_) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) {
      run_.resident_kib = std::atol(line.c_str() + 6);
      return;
    }
  }
}

void RunningProgram::read_terminal() {
  pollfd terminal{err_, POLLIN, 0};
  while (poll(&terminal, 1, 0) > 0 && (terminal.revents & POLLIN) != 0) {
    std::array<char, 4096> buffer{};
    const ssize_t size = read(err_, buffer.data(), buffer.size());
    if (size <= 0) {
      return;
    }
    run_.err.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

ProgramRun RunningProgram::wait() {
  bool ended = false;
  while (!ended) {
    usleep(1000);
    if (now() - start_ > setting_.timeout_seconds) {
      send_signal(SIGKILL);
    }
    look_at_memory();
    ended = has_ended();
    if (setting_.standard_error == StandardError::terminal) {
      read_terminal();
    }
  }
  if (setting_.standard_output.empty()) {
    run_.out = whole_file(out_);
  }
  if (setting_.standard_error == StandardError::file) {
    run_.err = whole_file(err_);
  }
  return run_;
}

ProgramRun run_program(const std::vector<std::string>& arguments,
                       const ProgramSetting& setting) {
  return RunningProgram(arguments, setting).wait();
}

}  // namespace starhist::testing
