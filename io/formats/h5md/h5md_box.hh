#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"
#include "io/formats/h5md/h5md_element.hh"
#include "io/formats/h5md/h5md_periodicity.hh"

namespace starhist::io {

/// Whether the particle group has box edges where H5mdBox looks for them.
bool has_h5md_edges(hid_t particle_group);

/// Reads the boxes of an H5MD particle group: `box` or, in early H5MD, `position/box`,
/// with periodic axes and `edges`. If both exist, they must be equal in every frame.
class H5mdBox {
 public:
  H5mdBox() = default;
  /// `frames` must outlive this object. Throws InputError when the box is missing, when
  /// its group contains an unknown name, when an axis is periodic and there are no
  /// edges, when the box is not three-dimensional, and for periodicity that
  /// H5mdPeriodicity refuses.
  H5mdBox(hid_t particle_group, const H5mdSampling& frames);

  /// Returns the unit of the edges; "" if the file does not specify it.
  std::string length_unit() const { return edges_ ? edges_->unit() : ""; }

  /// Returns the source of edges and periodic axes, for ReadFrom.
  std::string source() const { return edges_ ? path_ + "/edges" : "none"; }
  std::string periodic_source() const { return path_ + "/" + periodicity_->sources(); }

  /// Throws InputError when the edges of the frame are not a valid box, and when the
  /// file contradicts itself.
  const Box& read(std::uint64_t frame);

 private:
  void open(hid_t particle_group, const std::string& path, const H5mdSampling& frames);
  /// Reads the box without comparing it with `other_`.
  const Box& read_own(std::uint64_t frame);

  std::string place_;  ///< for messages
  std::string path_;   ///< in the particle group
  std::optional<H5mdPeriodicity> periodicity_;
  std::optional<H5mdElement> edges_;  ///< empty if all axes are open in all frames
  std::optional<H5mdMatch> match_;
  std::optional<std::uint64_t> row_;  ///< row of the edges in `box_`
  H5mdAxes last_periodic_{};          ///< periodic axes of `box_`
  std::vector<double> last_values_;   ///< edges of `box_` as in the file
  std::vector<double> values_;
  Box box_;
  Box open_box_;  ///< box of frames without a periodic axis
  /// the second place of the box; null: there is only one
  std::unique_ptr<H5mdBox> other_;
};

}  // namespace starhist::io
