#include "driver/report/abort_message.hh"

#include <algorithm>
#include <csignal>

#include <unistd.h>

namespace starhist::driver {
namespace {

// Stored here as a signal handler must not allocate memory.
AbortText message_now;

void say_and_exit(int) {
  constexpr int failure = 2;
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, message_now.text.data(), message_now.size);
  _exit(failure);
}

}  // namespace

AbortMessage::AbortMessage(const std::string& message) : before_(message_now) {
  const std::string line = "starhist: " + message + "\n";
  message_now.size = std::min(line.size(), message_now.text.size());
  std::copy_n(line.begin(), message_now.size, message_now.text.begin());
  std::signal(SIGABRT, say_and_exit);
}

AbortMessage::~AbortMessage() {
  message_now = before_;
  if (message_now.size == 0) {
    std::signal(SIGABRT, SIG_DFL);
  }
}

}  // namespace starhist::driver
