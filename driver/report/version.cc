#include "driver/report/version.hh"

namespace starhist {

std::string version() {
  return STARHIST_VERSION;
}

}  // namespace starhist
