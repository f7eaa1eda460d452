// libstarhist, whose function returns the error, keeps the message.
#include "driver/capi/call.hh"

namespace starhist::capi {

void keep_error(const char* text) noexcept {
  starhist_set_last_error(text);
}

}  // namespace starhist::capi
