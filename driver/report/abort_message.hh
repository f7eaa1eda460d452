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

/// Handler of SIGABRT while this object lives: prints a message to standard error and
/// exits with code 2. StarPU calls abort() when a GPU can no longer be used, and so
/// does C++ for an exception that cannot be passed on. The last one made is printed;
/// they end in reverse order.
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
