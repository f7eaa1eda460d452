#pragma once

#include <vector>

#include "codelets/kernels/bounds.hh"

namespace starhist::tasks {

/// Boxes around the positions, [frame][species].
using BatchBounds = std::vector<std::vector<kernels::Bounds>>;

}  // namespace starhist::tasks
