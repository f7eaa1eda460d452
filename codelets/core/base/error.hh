#pragma once

#include <stdexcept>
#include <string>

namespace starhist {

/// Unusable input of the user: an option, a file, a frame. Exit code 1.
///
/// Messages read "problem (why it is one): remedy" or "problem (remedy)".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A failure of the machine or the runtime: disk full, no worker, a device error. Exit
/// code 2.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A broken invariant of starhist itself, such as the sum rule of counts. Exit code 2.
class InternalError : public std::logic_error {
 public:
  explicit InternalError(const std::string& what)
      : std::logic_error(what + " (this is a bug in starhist, please report it)") {}
};

}  // namespace starhist
