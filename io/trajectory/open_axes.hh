#pragma once

#include <array>
#include <memory>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Opens axes of every box: distances have no images along these edges. `axes`: by
/// edge, a (x), b (y) and c (z).
std::unique_ptr<TrajectoryReader> with_open_axes(
    std::unique_ptr<TrajectoryReader> reader, const std::array<bool, 3>& axes);

}  // namespace starhist::io
