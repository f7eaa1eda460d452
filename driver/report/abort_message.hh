#pragma once

#include <string>

namespace starhist::driver {

/// Handler of SIGABRT while this object lives: prints a message to standard error and
/// exits with code 2. StarPU calls abort() when a GPU can no longer be used. One at a
/// time.
class AbortMessage {
 public:
  /// Of the message, up to about 4000 characters are printed.
  explicit AbortMessage(const std::string& message);
  ~AbortMessage();
  AbortMessage(const AbortMessage&) = delete;
  AbortMessage& operator=(const AbortMessage&) = delete;
};

}  // namespace starhist::driver
