#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/formats/h5md/h5md_element.hh"

namespace starhist::io {

/// Along which axes a box repeats.
using H5mdAxes = std::array<bool, 3>;

/// The periodic axes of an H5MD box group, in every spelling that writers use:
/// `boundary`, words, as an attribute (H5MD), a dataset or an element;
/// `pbc`, numbers or booleans, as any of these (ZnH5MD: an element, per frame).
/// Each has one value per axis, or one value for all. If there are several, they must
/// agree. A constant one beside one per frame is that of the first frame, as ZnH5MD
/// writes them.
class H5mdPeriodicity {
 public:
  /// Refers to `frames`, which must outlive it. Throws InputError without any of these,
  /// when they contradict each other, or when a value is unknown.
  H5mdPeriodicity(hid_t box, const H5mdSampling& frames);

  /// Whether any axis is periodic in any frame.
  bool any() const { return any_; }

  /// The names that state them, such as "boundary, pbc".
  const std::string& sources() const { return sources_; }

  /// Throws InputError when the file contradicts itself in this frame.
  H5mdAxes axes(std::uint64_t frame) const;

 private:
  struct Source;
  void check_agreement(const std::vector<Source>& constant);

  std::string place_;  ///< for messages
  std::string sources_;
  H5mdAxes axes_{};  ///< unless varying_
  /// Sources whose values change from frame to frame; null: there are none.
  std::shared_ptr<const std::vector<Source>> varying_;
  bool any_ = false;
};

}  // namespace starhist::io
