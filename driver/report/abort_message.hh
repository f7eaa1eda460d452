#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace starhist::driver {

/// A message in fixed storage.
struct AbortText {
  std::array<char, 4096> text{};
  std::size_t size = 0;
};

/// Prints a message to standard error if the program ends during this object's
/// lifetime. Exit code 2 for abort(), which StarPU calls when a GPU can no longer be
/// used, and C++ for an exception that cannot be propagated, and for exit(), which HDF5
/// calls when out of memory. After the message of a fault (SIGSEGV and the like) the
/// process ends by that signal. The newest object's message is printed; objects are
/// destroyed in reverse order.
class AbortMessage {
 public:
  /// Prints at most about 4000 characters of the message.
  explicit AbortMessage(const std::string& message);
  ~AbortMessage();
  AbortMessage(const AbortMessage&) = delete;
  AbortMessage& operator=(const AbortMessage&) = delete;

 private:
  AbortText before_;
};

}  // namespace starhist::driver
