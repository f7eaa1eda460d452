#pragma once

#include <optional>

namespace starhist::io {

/// Returns the current width of the descriptor's terminal [columns, > 0]; empty if the
/// descriptor is not a terminal or the width is unknown.
std::optional<unsigned> terminal_columns(int descriptor);

}  // namespace starhist::io
