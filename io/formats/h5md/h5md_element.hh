#pragma once

#include <cstdint>
#include <string>

#include "io/formats/h5md/h5md_sampling.hh"
#include "io/hdf5/rows/hdf5_rows.hh"

namespace starhist::io {

/// An H5MD element: a dataset that is constant in time, or a group {step, time, value}
/// with one row of `value` per sample. Throws InputError.
class H5mdElement {
 public:
  H5mdElement(hid_t parent, const std::string& name);

  bool constant() const { return constant_; }
  const H5mdSampling& sampling() const { return sampling_; }
  Hdf5Rows& values() { return values_; }
  const Hdf5Rows& values() const { return values_; }
  /// Attribute `unit` of the values or of the element, in its canonical spelling; ""
  /// without.
  const std::string& unit() const { return unit_; }

 private:
  bool constant_;
  Hdf5Object object_;
  Hdf5Rows values_;
  H5mdSampling sampling_;
  std::string unit_;
};

/// Finds the row of an element that belongs to a frame by step, because elements may be
/// sampled more or less often than positions.
class H5mdMatch {
 public:
  enum class Rule {
    same_step,   ///< the sample at the frame's step, for example a box
    last_known,  ///< the last sample up to the frame's step, for example species
  };

  /// Both must outlive this object. Throws InputError when the element's steps are
  /// required but missing or not increasing.
  H5mdMatch(const H5mdElement& element, const H5mdSampling& frames, Rule rule);

  /// Throws InputError when the element has no sample for the frame.
  std::uint64_t row(std::uint64_t frame) const;

 private:
  enum class How { the_only_row, the_frame_itself, search };

  const H5mdElement& element_;
  const H5mdSampling& frames_;
  Rule rule_;
  How how_;
};

}  // namespace starhist::io
