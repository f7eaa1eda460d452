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

/// Whether the particle group has edges of a box, where H5mdBox looks for them.
bool has_h5md_edges(hid_t particle_group);

/// The boxes of an H5MD particle group: `box` or, in early H5MD, `position/box`, with
/// periodic axes and `edges`. If there are both, they must be equal in every frame.
class H5mdBox {
 public:
  H5mdBox() = default;
  /// `frames` must outlive this object. Throws InputError when there is no box, when
  /// its group contains a name that is unknown, when an axis is periodic and there are
  /// no edges, when the box is not three-dimensional, and for what H5mdPeriodicity
  /// refuses.
  H5mdBox(hid_t particle_group, const H5mdSampling& frames);

  /// The unit of the edges; "" when the file does not say.
  std::string length_unit() const { return edges_ ? edges_->unit() : ""; }

  /// Where edges and periodic axes come from, for ReadFrom.
  std::string source() const { return edges_ ? path_ + "/edges" : "none"; }
  std::string periodic_source() const {
    return path_ + " (" + periodicity_->sources() + ")";
  }

  /// Throws InputError when the edges of the frame make no box, and when the file
  /// contradicts itself.
  const Box& read(std::uint64_t frame);

 private:
  void open(hid_t particle_group, const std::string& path, const H5mdSampling& frames);
  /// Without a look at `other_`.
  const Box& read_own(std::uint64_t frame);

  std::string place_;  ///< for messages
  std::string path_;   ///< in the particle group
  std::optional<H5mdPeriodicity> periodicity_;
  std::optional<H5mdElement> edges_;  ///< none when no axis is ever periodic
  std::optional<H5mdMatch> match_;
  std::optional<std::uint64_t> row_;  ///< row of the edges that `box_` belongs to
  H5mdAxes last_periodic_{};          ///< those of `box_`
  std::vector<double> last_values_;   ///< those that `box_` was made of
  std::vector<double> values_;
  Box box_;
  Box open_box_;                    ///< of frames without a periodic axis
  std::unique_ptr<H5mdBox> other_;  ///< null: the file has one box
};

}  // namespace starhist::io
