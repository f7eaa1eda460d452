#include "driver/report/abort_message.hh"

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include <unistd.h>

namespace starhist::driver {
namespace {

// Static storage, because a signal handler must not allocate memory.
AbortText message_now;

void say() {
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, message_now.text.data(), message_now.size);
}

constexpr int failure = 2;

void say_and_exit(int) {
  say();
  _exit(failure);
}

/// Prints the message at the end of the process: HDF5 calls exit() when out of memory.
void say_if_at_work() {
  if (message_now.size > 0) {
    say();
    _exit(failure);
  }
}

/// Handles memory and arithmetic faults, for example in a library whose malloc()
/// failed. The process then ends through the signal's default action.
void say_and_raise(int signal) {
  say();
  std::raise(signal);
}

void handle_faults() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction before {};
    // Sanitizers and debuggers install their own handlers.
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
      struct sigaction action {};
      action.sa_handler = say_and_raise;
      action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
      ::sigaction(signal, &action, nullptr);
    }
  }
}

}  // namespace

AbortMessage::AbortMessage(const std::string& message) : before_(message_now) {
  const std::string line = "starhist: " + message + "\n";
  message_now.size = std::min(line.size(), message_now.text.size());
  std::copy_n(line.begin(), message_now.size, message_now.text.begin());
  std::signal(SIGABRT, say_and_exit);
  static const bool watched = [] {
    handle_faults();
    return std::atexit(say_if_at_work) == 0;
  }();
  static_cast<void>(watched);
}

AbortMessage::~AbortMessage() {
  message_now = before_;
  if (message_now.size == 0) {
    std::signal(SIGABRT, SIG_DFL);
  }
}

}  // namespace starhist::driver
