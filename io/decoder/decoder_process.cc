#include "io/decoder/decoder_process.hh"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/files/child_process.hh"

namespace starhist::io::decoder {
namespace {

std::string trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return "";
  }
  return std::string(line.substr(first, line.find_last_not_of(" \t") + 1 - first));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    // Treat a carriage return, as printed by frame counters, like the end of a line.
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Replaces paths in `folder`: "cannot open /tmp/x/file.tng" becomes "cannot open the
/// file".
std::string without_folder(std::string text, const std::string& folder) {
  for (;;) {
    const std::size_t begin = text.find(folder + "/");
    if (folder.empty() || begin == std::string::npos) {
      return text;
    }
    const std::size_t end = std::min(text.find_first_of(" '\",:)", begin), text.size());
    text.replace(begin, end - begin, "the file");
  }
}

/// Returns the text as printable ASCII, shortened to 240 characters.
std::string readable(std::string text) {
  constexpr std::size_t longest = 240;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  if (text.size() > longest) {
    text = text.substr(0, longest) + " ...";
  }
  return text;
}

bool is_rule(const std::string& line) {
  return line.find_first_not_of('-') == std::string::npos;
}

/// Between two looks at a process that is waited for.
constexpr int interval_ms = 200;

[[noreturn]] void fail_to_start(const std::string& name, const std::string& what,
                                int code = errno) {
  throw RunError(name + " cannot be started: " + what + " (" +
                 std::generic_category().message(code) + ")");
}

std::string make_folder(const std::string& program) {
  std::error_code failure;
  std::string name =
      (std::filesystem::temp_directory_path(failure) / (program + "-XXXXXX")).string();
  if (failure || ::mkdtemp(name.data()) == nullptr) {
    fail_to_start(program, "no folder " + name + " (TMPDIR names another place)");
  }
  return name;
}

}  // namespace

std::string reason_in(std::string_view text, const std::string& folder) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<std::string> paragraph;
  bool inside = false;
  std::string last;
  for (const std::string& line : lines) {
    if (inside) {
      if (is_rule(line)) {  // is_rule() also holds for empty lines
        break;
      }
      paragraph.push_back(line);
    } else if (line.ends_with("rror:") || line.starts_with("Error in ") ||
               line.starts_with("Inconsistency in ") ||
               line.starts_with("Feature not implemented")) {
      inside = true;
    } else if (!is_rule(line)) {
      last = line;
    }
  }
  while (!paragraph.empty() && paragraph.back().empty()) {
    paragraph.pop_back();
  }
  return readable(
      without_folder(paragraph.empty() ? last : join(paragraph, " "), folder));
}

Process::Process(Program program)
    : program_(std::move(program)), folder_(make_folder(program_.name)) {
  try {
    start();
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

void Process::start() {
  said_ = ::memfd_create(program_.name.c_str(), MFD_CLOEXEC);
  int ends[2] = {-1, -1};
  if (said_ < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    const int code = errno;
    ::close(said_);
    fail_to_start(program_.name, "no descriptor is left", code);
  }
  socket_ = ends[0];
  const timeval interval{0, 1000 * interval_ms};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &interval, sizeof interval);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &interval, sizeof interval);
  std::vector<std::string> words = program_.command;
  words.push_back(folder_);
  try {
    process_ = start_process(words, {said_, said_, ends[1]}, SignalsOfJob::received);
  } catch (...) {
    ::close(ends[1]);
    ::close(socket_);
    ::close(said_);
    throw;
  }
  ::close(ends[1]);
}

namespace {

/// Waits for the end of a process whose socket is closed. Kills one that takes longer
/// than 3 s or is stopped.
void wait_for_end(pid_t process) {
  constexpr int most_ms = 3000;
  for (int ms = 0; ms < most_ms; ++ms) {
    if (::waitpid(process, nullptr, WNOHANG) != 0) {
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
}

bool is_stopped(pid_t process) {
  siginfo_t state{};
  return ::waitid(P_PID, static_cast<id_t>(process), &state,
                  WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         state.si_pid == process;
}

/// Returns the CPU time of the process so far [s]; 0 if it is unknown.
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

Process::~Process() {
  ::close(socket_);  // the process exits when its socket closes
  if (process_ > 0) {
    wait_for_end(process_);
  }
  ::close(said_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void Process::check_progress(Waiting& waiting) {
  // 10 minutes: it may wait for a disk
  constexpr int most_intervals = 600 * 1000 / interval_ms;
  ++waiting.intervals;
  waiting.stopped = is_stopped(process_) ? waiting.stopped + 1 : 0;
  if (waiting.stopped * interval_ms >= 1000 * program_.stopped_seconds) {
    ::kill(process_, SIGKILL);
    throw RunError(program_.name +
                   " does not answer (a signal such as SIGSTOP has stopped it for " +
                   std::to_string(program_.stopped_seconds) +
                   " s): start the run again");
  }
  if (waiting.intervals >= most_intervals ||
      computing_seconds(process_) > waiting.most_computing) {
    fail(EAGAIN);
  }
}

Reply Process::ask(Request kind, const std::string& head, std::string_view rest,
                   std::uint64_t source_bytes) {
  // The process shares this file offset, so its next remarks start at 0 again.
  if (::ftruncate(said_, 0) < 0 || ::lseek(said_, 0, SEEK_SET) < 0) {
    throw RunError("the output of " + program_.name + " is lost");
  }
  Waiting waiting{.most_computing =
                      computing_seconds(process_) + program_.most_seconds +
                      program_.seconds_per_byte *
                          static_cast<double>(rest.size() + source_bytes)};
  const std::function<void()> check = [&] { check_progress(waiting); };
  errno = 0;
  std::uint64_t size = sizeof kind + head.size() + rest.size();
  Reply reply{};
  if (!send_all(socket_, &size, sizeof size, check) ||
      !send_all(socket_, &kind, sizeof kind, check) ||
      !send_all(socket_, head.data(), head.size(), check) ||
      !send_all(socket_, rest.data(), rest.size(), check)) {
    fail(errno);
  }
  errno = 0;
  if (!receive_all(socket_, &size, sizeof size, check) ||
      !receive_all(socket_, &reply, sizeof reply, check)) {
    fail(errno);
  }
  content_.resize(size - sizeof reply);
  errno = 0;
  if (!receive_all(socket_, content_.data(), content_.size(), check)) {
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
  const int status = wait_for_process(process_);
  process_ = -1;
  if (silent) {
    throw InputError(program_.library + " did not finish reading it: it is damaged");
  }
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGKILL) {
      throw RunError(program_.name + " was killed (is there enough memory?)");
    }
    throw InputError(
        program_.library +
        " crashed when reading it: it is damaged, or of a later version than " +
        program_.library + " supports");
  }
  const std::string reason = remarks();
  throw InputError(program_.library + " cannot read it" +
                   (reason.empty() ? "" : " (" + reason + ")"));
}

}  // namespace starhist::io::decoder
