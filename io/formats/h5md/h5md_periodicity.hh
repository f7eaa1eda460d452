#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/formats/h5md/h5md_element.hh"

namespace starhist::io {

/// Periodicity of each axis.
using H5mdAxes = std::array<bool, 3>;

/// The periodic axes of an H5MD box group, in all variants that writers use:
/// `boundary`, words, as an attribute (H5MD), a dataset or an element; `pbc`, numbers
/// or booleans, in the same forms (ZnH5MD: an element, per frame). Each has one value
/// per axis, or one value for all. Several sources must agree. If one is constant and
/// another varies, the constant one describes the first frame, as written by ZnH5MD.
class H5mdPeriodicity {
 public:
  /// `frames` must outlive this object. Throws InputError when all sources are missing,
  /// when they contradict each other, or for an unknown value.
  H5mdPeriodicity(hid_t box, const H5mdSampling& frames);

  /// Whether any axis is periodic in any frame.
  bool any() const { return any_; }

  /// Names of the sources, such as "boundary, pbc".
  const std::string& sources() const { return sources_; }

  /// Throws InputError when the file contradicts itself in this frame.
  H5mdAxes axes(std::uint64_t frame) const;

 private:
  struct Source;
  void check_agreement(const std::vector<Source>& constant);

  std::string place_;  ///< for messages
  std::string sources_;
  H5mdAxes axes_{};  ///< unless varying_
  /// Sources whose values vary between frames; null if all are constant.
  std::shared_ptr<const std::vector<Source>> varying_;
  bool any_ = false;
};

}  // namespace starhist::io
