#include "io/files/local_time.hh"

namespace starhist::io {

std::string local_time(std::time_t time) {
  struct tm moment {};
  char text[64] = "";
  if (localtime_r(&time, &moment) != nullptr) {
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &moment);
  }
  return text;
}

}  // namespace starhist::io
