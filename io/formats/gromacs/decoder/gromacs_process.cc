#include "io/formats/gromacs/decoder/gromacs_process.hh"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/own_program.hh"
#include "io/formats/gromacs/decoder/gromacs_remarks.hh"

namespace starhist::io::gromacs {
namespace {

[[noreturn]] void fail_to_start(const std::string& what, int code = errno) {
  throw RunError("starhist-gromacs cannot be started: " + what + " (" +
                 std::generic_category().message(code) + ")");
}

std::string make_folder() {
  std::error_code failure;
  std::string name =
      (std::filesystem::temp_directory_path(failure) / "starhist-gromacs-XXXXXX")
          .string();
  if (failure || ::mkdtemp(name.data()) == nullptr) {
    fail_to_start("no folder " + name + " (TMPDIR names another place)");
  }
  return name;
}

/// What the new process has as its descriptors 0, 1, 2 and 3.
class Descriptors {
 public:
  Descriptors(int said, int socket) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, said, 1);
    ::posix_spawn_file_actions_adddup2(&actions_, said, 2);
    ::posix_spawn_file_actions_adddup2(&actions_, socket, 3);
    // Else it would keep the lock of a result file that is open just now.
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, 4);
  }
  ~Descriptors() { ::posix_spawn_file_actions_destroy(&actions_); }
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

}  // namespace

std::string program_path() {
  // Beside the program; from the tests of an archive (scripts/setup), in a folder next
  // to its; from an installed program, and from any program that uses the library,
  // where it is installed.
  return program_at({
      "starhist-gromacs",
      "../bin/starhist-gromacs",
#ifdef STARHIST_LIBEXEC  // else it would be that of another version
      STARHIST_LIBEXEC_FROM_BIN "/starhist-gromacs",
      STARHIST_LIBEXEC "/starhist-gromacs",
#endif
  });
}

void check_built(const std::string& path, const std::string& what) {
  if (program_path().empty()) {
    throw InputError(
        path + ": is " + what +
        ", and this starhist was built without libgromacs, which reads it "
        "(install libgromacs-dev and build again, or convert the file with "
        "scripts/user/convert_any.py)");
  }
}

Process::Process() : folder_(make_folder()) {
  try {
    start(program_path());
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

void Process::start(const std::string& program) {
  said_ = ::memfd_create("starhist-gromacs says", MFD_CLOEXEC);
  int ends[2] = {-1, -1};
  if (said_ < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    const int code = errno;
    ::close(said_);
    fail_to_start("no descriptor is left", code);
  }
  socket_ = ends[0];
  const timeval patience{600, 0};  // a frame takes milliseconds
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const Descriptors descriptors(said_, ends[1]);
  std::string name = program;
  char* const arguments[] = {name.data(), folder_.data(), nullptr};
  const int code = ::posix_spawn(&process_, program.c_str(), descriptors.get(), nullptr,
                                 arguments, environ);
  ::close(ends[1]);
  if (code != 0) {
    ::close(socket_);
    ::close(said_);
    fail_to_start(program, code);
  }
}

Process::~Process() {
  ::close(socket_);  // and it ends
  if (process_ > 0) {
    ::waitpid(process_, nullptr, 0);
  }
  ::close(said_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

namespace {

/// Seconds that the process has computed so far; 0 where nobody knows.
double computing_seconds(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 ||
      ::clock_gettime(clock, &time) != 0) {
    return 0.0;
  }
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

void Process::wait_for_reply(std::uint64_t source_bytes) {
  const double end = computing_seconds(process_) + most_seconds +
                     seconds_per_byte * static_cast<double>(source_bytes);
  constexpr int interval_ms = 200;
  constexpr int most_intervals = 600 * 1000 / interval_ms;  // it may wait for a disk
  pollfd reply{socket_, POLLIN, 0};
  for (int interval = 0; interval < most_intervals; ++interval) {
    const int ready = ::poll(&reply, 1, interval_ms);
    if (ready > 0 || (ready < 0 && errno != EINTR)) {
      return;
    }
    if (computing_seconds(process_) > end) {
      break;
    }
  }
  fail(EAGAIN);
}

Reply Process::ask(Request kind, const std::string& head, std::string_view rest,
                   std::uint64_t source_bytes) {
  // The offset is that of the other process too: what it says begins anew.
  if (::ftruncate(said_, 0) < 0 || ::lseek(said_, 0, SEEK_SET) < 0) {
    throw RunError("what starhist-gromacs says is lost");
  }
  errno = 0;
  std::uint64_t size = sizeof kind + head.size() + rest.size();
  Reply reply{};
  if (!send_all(socket_, &size, sizeof size) ||
      !send_all(socket_, &kind, sizeof kind) ||
      !send_all(socket_, head.data(), head.size()) ||
      !send_all(socket_, rest.data(), rest.size())) {
    fail(errno);
  }
  wait_for_reply(rest.size() + source_bytes);
  errno = 0;
  if (!receive_all(socket_, &size, sizeof size) ||
      !receive_all(socket_, &reply, sizeof reply)) {
    fail(errno);
  }
  content_.resize(size - sizeof reply);
  errno = 0;
  if (!receive_all(socket_, content_.data(), content_.size())) {
    fail(errno);
  }
  return reply;
}

std::string Process::remarks() const {
  std::string text(1U << 16U, '\0');
  const ssize_t size = ::pread(said_, text.data(), text.size(), 0);
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return reason_in(text, folder_);
}

void Process::fail(int problem) {
  const bool silent = problem == EAGAIN || problem == EWOULDBLOCK;
  if (silent) {
    ::kill(process_, SIGKILL);
  }
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  if (silent) {
    throw InputError("libgromacs did not come to an end with it: it is damaged");
  }
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGKILL) {
      throw RunError("starhist-gromacs was killed (is there enough memory?)");
    }
    throw InputError("libgromacs crashed over it: it is damaged");
  }
  const std::string reason = remarks();
  throw InputError("libgromacs cannot read it" +
                   (reason.empty() ? "" : " (" + reason + ")"));
}

}  // namespace starhist::io::gromacs
