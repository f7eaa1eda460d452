#pragma once

#include <optional>

namespace starhist::io {

/// Columns of the terminal that a descriptor leads to, at this moment [> 0]; nothing if
/// it leads to no terminal, or to one that does not say.
std::optional<unsigned> terminal_columns(int descriptor);

}  // namespace starhist::io
