#include "driver/run/version.hh"

namespace starhist::driver {

std::string version() {
  return STARHIST_VERSION;
}

}  // namespace starhist::driver
