#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"
#include "io/formats/h5md/h5md_element.hh"

namespace starhist::io {

/// The boxes of an H5MD particle group: `box/boundary`, `box/edges`.
class H5mdBox {
 public:
  /// `frames` must outlive this object. Throws InputError when there is no box, when
  /// a boundary is neither "periodic" nor "none", when an axis is periodic and there
  /// are no edges, or when the box is not three-dimensional.
  H5mdBox(hid_t particle_group, const H5mdSampling& frames);

  /// The unit of the edges; "" when the file does not say.
  std::string length_unit() const { return edges_ ? edges_->unit() : ""; }

  /// Throws InputError when the edges of the frame make no box.
  const Box& read(std::uint64_t frame);

 private:
  std::array<bool, 3> periodic_{};
  std::optional<H5mdElement> edges_;  ///< none when no axis is periodic
  std::optional<H5mdMatch> match_;
  std::optional<std::uint64_t> row_;  ///< row of the edges that `box_` belongs to
  std::vector<double> last_values_;   ///< those that `box_` was made of
  std::vector<double> values_;
  Box box_;
};

}  // namespace starhist::io
