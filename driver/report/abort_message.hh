#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace starhist::driver {

/// A message, stored without memory of its own.
struct AbortText {
  std::array<char, 4096> text{};
  std::size_t size = 0;
};

/// Says a message on standard error where the program ends while this object lives:
/// exit code 2 for abort(), which StarPU calls when a GPU can no longer be used, and
/// C++ for an exception that cannot be passed on, and for exit(), which HDF5 calls
/// where it has no memory; after the message of a fault (SIGSEGV and the like) the
/// process ends by that signal. The last one made is printed; they end in reverse
/// order.
class AbortMessage {
 public:
  /// Of the message, up to about 4000 characters are printed.
  explicit AbortMessage(const std::string& message);
  ~AbortMessage();
  AbortMessage(const AbortMessage&) = delete;
  AbortMessage& operator=(const AbortMessage&) = delete;

 private:
  AbortText before_;
};

}  // namespace starhist::driver
