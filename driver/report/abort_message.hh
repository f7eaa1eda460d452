#pragma once

#include <string>

namespace starhist::driver {

/// StarPU ends the whole process by abort() when a GPU can no longer be used. While
/// this object lives that prints `message` and exits with code 2.
class AbortMessage {
 public:
  explicit AbortMessage(const std::string& message);
  ~AbortMessage();
  AbortMessage(const AbortMessage&) = delete;
  AbortMessage& operator=(const AbortMessage&) = delete;
};

}  // namespace starhist::driver
