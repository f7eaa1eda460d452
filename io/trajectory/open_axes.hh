#pragma once

#include <array>
#include <memory>
#include <optional>

#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// A box with open axes, kept until the box of the file changes.
class OpenedBox {
 public:
  /// `axes`: by edge, a (x), b (y) and c (z).
  explicit OpenedBox(const std::array<bool, 3>& axes) : axes_(axes) {}

  /// The box with these axes open, valid until the next call.
  const Box& of(const Box& box);

 private:
  std::array<bool, 3> axes_;
  std::optional<Box> of_file_;  ///< box of the previous call
  Box opened_;                  ///< the same with open axes
};

/// Opens axes of every box: distances have no images along these edges. `axes`: by
/// edge, a (x), b (y) and c (z).
std::unique_ptr<TrajectoryReader> with_open_axes(
    std::unique_ptr<TrajectoryReader> reader, const std::array<bool, 3>& axes);

}  // namespace starhist::io
