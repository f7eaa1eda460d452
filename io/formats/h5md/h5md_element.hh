#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/rows/hdf5_rows.hh"

namespace starhist::io {

/// `step` or `time` of an H5MD element: one value per sample, or a scalar increment
/// with the attribute `offset`: value(i) = i * increment + offset.
template <class Number>
struct H5mdSequence {
  std::vector<Number> values;  ///< empty if regular
  bool regular = false;
  Number increment = 0;
  Number offset = 0;

  Number at(std::uint64_t sample) const;
};

/// Steps and times of an H5MD element's samples.
class H5mdSampling {
 public:
  /// A single sample, valid at all times.
  H5mdSampling() = default;

  /// Reads `step` and `time` (both may be missing) of an element with `count` samples.
  /// Skips a fill value before the first one, as written by ESPResSo. Throws InputError
  /// when the number of values differs.
  H5mdSampling(hid_t element, std::uint64_t count);

  std::uint64_t count() const { return count_; }
  bool has_quantised() const { return step_.has_value(); }
  const std::string& time_unit() const { return time_unit_; }

  std::int64_t step(std::uint64_t sample) const;  ///< 0 without steps
  double time(std::uint64_t sample) const;        ///< no_time without times

  /// Whether steps or times had an additional value before the first sample's.
  bool fill_in_front() const { return fill_in_front_; }

  /// True if the steps increase strictly, so that they can be searched.
  bool increasing() const;

  /// Number of samples with a step <= `step`; requires increasing().
  std::uint64_t samples_until(std::int64_t step) const;

  /// True if both have the same number of samples and the same steps, or both lack
  /// steps.
  bool same_as(const H5mdSampling& other) const;

 private:
  std::uint64_t count_ = 1;
  bool fill_in_front_ = false;
  std::optional<H5mdSequence<std::int64_t>> step_;
  std::optional<H5mdSequence<double>> time_;
  std::string time_unit_;
};

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
