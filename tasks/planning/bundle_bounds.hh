#pragma once

#include <vector>

#include "codelets/kernels/bounds.hh"

namespace starhist {

/// Boxes around the positions, [frame][species].
using BundleBounds = std::vector<std::vector<Bounds>>;

}  // namespace starhist
