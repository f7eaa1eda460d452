#include "driver/report/error_text.hh"

#include <new>
#include <system_error>

namespace starhist::driver {

std::string error_text(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return out_of_memory;
  }
  const auto* of_system = dynamic_cast<const std::system_error*>(&error);
  if (of_system != nullptr &&
      of_system->code() == std::errc::resource_unavailable_try_again) {
    return "a thread cannot be started (memory or the number of processes is limited: "
           "raise ulimit -v or ulimit -u)";
  }
  return error.what();
}

}  // namespace starhist::driver
