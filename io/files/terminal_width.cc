#include "io/files/terminal_width.hh"

#include <sys/ioctl.h>

namespace starhist::io {

std::optional<unsigned> terminal_columns(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return std::nullopt;
  }
  return size.ws_col;
}

}  // namespace starhist::io
