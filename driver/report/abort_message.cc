#include "driver/report/abort_message.hh"

#include <algorithm>
#include <array>
#include <csignal>

#include <unistd.h>

namespace starhist::driver {
namespace {

// The message, stored here as a signal handler must not allocate memory.
std::array<char, 4096> text;
std::size_t size = 0;

void say_and_exit(int) {
  constexpr int failure = 2;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), size);
  _exit(failure);
}

}  // namespace

AbortMessage::AbortMessage(const std::string& message) {
  const std::string line = "starhist: " + message + "\n";
  size = std::min(line.size(), text.size());
  std::copy_n(line.begin(), size, text.begin());
  std::signal(SIGABRT, say_and_exit);
}

AbortMessage::~AbortMessage() {
  std::signal(SIGABRT, SIG_DFL);
}

}  // namespace starhist::driver
