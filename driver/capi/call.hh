#pragma once

#include <stdexcept>
#include <string>

#include "driver/capi/starhist.h"

namespace starhist::capi {

/// Status that a function of the C library returns, with its message.
class CallError : public std::runtime_error {
 public:
  CallError(starhist_status status, const std::string& what)
      : std::runtime_error(what), status_(status) {}
  starhist_status status() const { return status_; }

 private:
  starhist_status status_;
};

/// Keeps the message for last_error() of this thread. Allocates nothing.
void keep_error(const char* text) noexcept;
/// The last message that this thread kept; "" without one. Never null.
const char* last_error() noexcept;

/// Returns the status of the exception that is being handled, and keeps its message.
starhist_status status_of_exception() noexcept;

/// Calls `body`, which throws if the call fails, and returns its status.
template <class Body>
starhist_status guarded(Body body) noexcept {
  try {
    body();
    return STARHIST_OK;
  } catch (...) {
    return status_of_exception();
  }
}

/// Throws CallError if `pointer`, an argument of that name, is null.
inline void check_pointer(const void* pointer, const char* name) {
  if (pointer == nullptr) {
    throw CallError(STARHIST_NULL_POINTER, std::string(name) + " is NULL");
  }
}

/// Throws CallError unless `number` is below `count`, the number of pairs, species or
/// other things called `name`.
inline void check_number(std::size_t number, std::size_t count, const char* name,
                         starhist_status status) {
  if (number >= count) {
    throw CallError(status, std::string("no ") + name + " has the number " +
                                std::to_string(number) + " (there are " +
                                std::to_string(count) + ", numbered from 0)");
  }
}

}  // namespace starhist::capi
