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
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/child_process.hh"
#include "io/files/descriptor.hh"
#include "io/files/own_program.hh"
#include "io/hdf5/inspection/inspection_report.hh"

namespace starhist::io {
namespace {

using Clock = std::chrono::steady_clock;

/// Both ends of a pipe.
class Pipe {
 public:
  explicit Pipe(const std::string& program) {
    if (::pipe2(ends_, O_CLOEXEC) < 0) {
      throw RunError(program + " cannot be started (" +
                     std::generic_category().message(errno) + ")");
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
  refuse(path, "reading its metadata did not finish within " + std::to_string(seconds) +
                   " s");
}

[[noreturn]] void refuse_memory(const std::string& path,
                                const InspectionLimits& limits) {
  refuse(path, "its metadata need more than " +
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
    refuse(path, std::string("HDF5 crashes when reading its metadata: ") +
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
  refuse(path, "HDF5 crashes when reading its metadata");
}

}  // namespace

InspectionLimits inspection_limits(std::uint64_t file_size) {
  constexpr std::uint64_t mebibyte = 1U << 20U;
  const std::uint64_t megabytes = file_size / 1000000;
  InspectionLimits limits;
  limits.address_space =
      std::min(512 * mebibyte + file_size / 8, std::uint64_t{4096} * mebibyte);
  limits.cpu_seconds =
      static_cast<unsigned>(std::min<std::uint64_t>(1 + megabytes / 10, 600));
  limits.wall_seconds = 60 + 10 * limits.cpu_seconds;
  return limits;
}

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
  const Descriptor nowhere("/dev/null", O_WRONLY);
  const Clock::time_point deadline =
      Clock::now() + std::chrono::seconds(limits.wall_seconds);
  const pid_t process = start_process(
      {program, external == ExternalFiles::refused ? "refuse" : "follow", path},
      {pipe.writing(), nowhere.get()}, SignalsOfJob::blocked);
  pipe.close_writing();
  std::string text;
  const bool ended = read_all(pipe.reading(), deadline, text);
  if (!ended) {
    ::kill(process, SIGKILL);
    wait_for_process(process);
    refuse_time(path, limits.wall_seconds);
  }
  const int status = wait_for_process(process);
  if (const auto files = parse_inspection_report(text); files && status == 0) {
    return *files;
  }
  explain(path, status, limits);
}

}  // namespace starhist::io
