#pragma once

#include <vector>

#include "codelets/kernels/bounds.hh"

namespace starhist::tasks {

/// Axis-parallel boxes around positions: [frame][species]. A species without particles
/// has an empty box.
using BatchBounds = std::vector<std::vector<kernels::Bounds>>;

}  // namespace starhist::tasks
