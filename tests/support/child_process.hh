#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace starhist::testing {

/// How a forked child ended.
struct ChildEnd {
  std::string said;     ///< the text passed to say(), or the exception
  int signal = 0;       ///< signal that killed it; 0: no signal
  int exit_status = 0;  ///< without a signal
};

/// A forked copy of the test, for actions that would harm the test process: being
/// killed, dropping rights, filling a disk.
class ChildProcess {
 public:
  using Say = std::function<void(const std::string&)>;

  /// Runs `action` in a child that then exits, without the test framework's exit.
  explicit ChildProcess(const std::function<void(const Say&)>& action) {
    int ends[2];
    if (::pipe(ends) != 0) {
      throw std::runtime_error("pipe failed");
    }
    id_ = ::fork();
    if (id_ < 0) {
      throw std::runtime_error("fork failed");
    }
    if (id_ == 0) {
      run(action, ends[1]);
    }
    ::close(ends[1]);
    listen_ = ends[0];
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { ::close(listen_); }

  pid_t id() const { return id_; }

  /// Waits for the end; call it once.
  ChildEnd wait() {
    ChildEnd end;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(listen_, buffer, sizeof buffer)) > 0;) {
      end.said.append(buffer, static_cast<std::size_t>(count));
    }
    int status = 0;
    if (::waitpid(id_, &status, 0) != id_) {
      throw std::runtime_error("waitpid failed");
    }
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return end;
  }

 private:
  [[noreturn]] static void run(const std::function<void(const Say&)>& action, int out) {
    const auto say = [out](const std::string& text) {
      if (::write(out, text.data(), text.size()) < 0) {
        ::_exit(2);
      }
    };
    try {
      action(say);
    } catch (const std::exception& error) {
      say(error.what());
      ::_exit(1);
    }
    ::_exit(0);
  }

  pid_t id_ = -1;
  int listen_ = -1;
};

}  // namespace starhist::testing
