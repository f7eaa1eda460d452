#pragma once

#include <vector>

#include "codelets/kernels/bounds.hh"

namespace starhist::tasks {

/// Axis-parallel boxes around positions: [frame][species]. A box is empty where there
/// is no particle.
using BatchBounds = std::vector<std::vector<kernels::Bounds>>;

}  // namespace starhist::tasks
