#pragma once

#include <stdexcept>
#include <string>

namespace starhist {

/// What the user gave cannot be used: bad option, bad file, bad frame. Exit code 1.
///
/// Messages read "what is wrong (where, value); what to do".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The machine or the runtime failed us: disk full, no worker, a device error.
/// Exit code 2.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A broken invariant of starhist itself, such as a count checksum. Exit code 2.
class InternalError : public std::logic_error {
 public:
  explicit InternalError(const std::string& what)
      : std::logic_error(what + " (this is a bug in starhist, please report it)") {}
};

}  // namespace starhist
