#pragma once

#include <cstdint>
#include <string>

#include "io/formats/h5md/h5md_sampling.hh"
#include "io/hdf5/rows/hdf5_rows.hh"

namespace starhist::io {

/// An H5MD element: a dataset that holds for the whole trajectory, or a group {step,
/// time, value} with one row of `value` per sample. Throws InputError.
class H5mdElement {
 public:
  H5mdElement(hid_t parent, const std::string& name);

  bool constant() const { return constant_; }
  const H5mdSampling& sampling() const { return sampling_; }
  Hdf5Rows& values() { return values_; }
  const Hdf5Rows& values() const { return values_; }
  /// Attribute `unit` of the values or of the element, in one spelling; "" without.
  const std::string& unit() const { return unit_; }

 private:
  bool constant_;
  Hdf5Object object_;
  Hdf5Rows values_;
  H5mdSampling sampling_;
  std::string unit_;
};

/// Finds the row of an element that belongs to a frame: by step, never by row, as
/// elements may be sampled more or less often than positions are.
class H5mdMatch {
 public:
  enum class Rule {
    same_step,   ///< the sample of the frame's own step, such as a box
    last_known,  ///< the last sample at or before it, such as species
  };

  /// Both must outlive this object. Throws InputError when the steps of the element
  /// are needed and are missing or not increasing.
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
