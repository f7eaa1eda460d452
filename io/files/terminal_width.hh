#pragma once

#include <optional>

#include <sys/ioctl.h>

namespace starhist::io {

/// Returns the current width of the descriptor's terminal [columns, > 0]; empty if the
/// descriptor is not a terminal or the width is unknown.
inline std::optional<unsigned> terminal_columns(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return std::nullopt;
  }
  return size.ws_col;
}

}  // namespace starhist::io
