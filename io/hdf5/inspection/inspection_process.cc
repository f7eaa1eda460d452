#include "io/hdf5/inspection/inspection_process.hh"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/own_program.hh"
#include "io/hdf5/inspection/inspection_report.hh"

namespace starhist::io {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail_to_start(const std::string& program, int code) {
  throw RunError(program + " cannot be started (" +
                 std::generic_category().message(code) + ")");
}

/// Settings of an inspection process: empty input, report to a pipe, all other
/// descriptors closed, and no signals from the terminal, which are for starhist.
class Start {
 public:
  explicit Start(int report) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, report, 1);
    ::posix_spawn_file_actions_addopen(&actions_, 2, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
    sigset_t blocked;
    sigset_t usual;
    ::sigemptyset(&blocked);
    ::sigfillset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGQUIT, SIGTSTP}) {
      ::sigaddset(&blocked, signal);
    }
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &blocked);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Start() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  /// Starts the process and returns its id; throws RunError.
  pid_t run(const std::string& program, std::vector<std::string> arguments) const {
    std::vector<char*> words;
    for (std::string& argument : arguments) {
      words.push_back(argument.data());
    }
    words.push_back(nullptr);
    pid_t process = -1;
    const int code = ::posix_spawn(&process, program.c_str(), &actions_, &attributes_,
                                   words.data(), environ);
    if (code != 0) {
      fail_to_start(program, code);
    }
    return process;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Both ends of a pipe.
class Pipe {
 public:
  explicit Pipe(const std::string& program) {
    if (::pipe2(ends_, O_CLOEXEC) < 0) {
      fail_to_start(program, errno);
    }
  }
  ~Pipe() {
    close_writing();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) {
      ::close(ends_[1]);
    }
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

/// Reads to the end; false if that takes too long or exceeds the allowed size.
bool read_all(int from, Clock::time_point deadline, std::string& text) {
  constexpr std::size_t most = 64UL << 20U;
  std::vector<char> buffer(1U << 16U);
  while (text.size() < most) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd ready{from, POLLIN, 0};
    const int answers =
        left.count() <= 0
            ? 0
            : ::poll(&ready, 1,
                     static_cast<int>(std::min<long>(left.count(), 1 << 30)));
    if (answers == 0) {
      return false;
    }
    const ssize_t size = answers < 0 ? -1 : ::read(from, buffer.data(), buffer.size());
    if (size == 0) {
      return true;
    }
    if (size > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(size));
    } else if (errno != EINTR && errno != EAGAIN) {
      return true;
    }
  }
  return false;
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw InputError(path + ": is an HDF5 file, but damaged (" + what +
                   "); copy it again, or check it with h5ls");
}

[[noreturn]] void refuse_time(const std::string& path, unsigned seconds) {
  refuse(path, "HDF5 does not come to an end with its metadata in " +
                   std::to_string(seconds) + " s");
}

[[noreturn]] void refuse_memory(const std::string& path,
                                const InspectionLimits& limits) {
  refuse(path, "its metadata want more than " +
                   std::to_string(limits.address_space >> 20U) + " MiB of memory");
}

/// Throws an error that explains why a process ended without a report.
[[noreturn]] void explain(const std::string& path, int status,
                          const InspectionLimits& limits) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU) {
      refuse_time(path, limits.cpu_seconds);
    }
    if (signal == SIGKILL) {
      throw RunError(path +
                     ": the process that inspects it was killed (is there enough "
                     "memory?)");
    }
    const char* const name = ::strsignal(signal);
    refuse(path, std::string("HDF5 crashes over its metadata: ") +
                     (name == nullptr ? "signal" : name));
  }
  if (WEXITSTATUS(status) == inspection_lacks_memory) {
    refuse_memory(path, limits);
  }
  if (WEXITSTATUS(status) == inspection_cannot_list) {
    refuse(path, "its links or attributes cannot be listed");
  }
  if (WEXITSTATUS(status) == inspection_short_data) {
    refuse(path, data_do_not_fit);
  }
  refuse(path, "HDF5 crashes over its metadata");
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) {
      return 0;  // another part of the program waited for all processes
    }
  }
  return status;
}

}  // namespace

std::string inspection_program() {
  return program_at({
      "starhist-inspect",
      "../bin/starhist-inspect",
      STARHIST_LIBEXEC_FROM_BIN "/starhist-inspect",
      STARHIST_LIBEXEC "/starhist-inspect",
  });
}

ExternalFileList inspect_hdf5_file(const std::string& program, const std::string& path,
                                   ExternalFiles external,
                                   const InspectionLimits& limits) {
  Pipe pipe(program);
  const Start start(pipe.writing());
  const Clock::time_point deadline =
      Clock::now() + std::chrono::seconds(limits.wall_seconds);
  const pid_t process = start.run(
      program,
      {program, external == ExternalFiles::refused ? "refuse" : "follow", path});
  pipe.close_writing();
  std::string text;
  const bool ended = read_all(pipe.reading(), deadline, text);
  if (!ended) {
    ::kill(process, SIGKILL);
    wait_for(process);
    refuse_time(path, limits.wall_seconds);
  }
  const int status = wait_for(process);
  if (const auto files = parse_inspection_report(text); files && status == 0) {
    return *files;
  }
  explain(path, status, limits);
}

}  // namespace starhist::io
