#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// `step` or `time` of an H5MD element: one value per sample, or a scalar increment
/// with the attribute `offset`, value(i) = i * increment + offset.
template <class Number>
struct H5mdSequence {
  std::vector<Number> values;  ///< empty when regular
  bool regular = false;
  Number increment = 0;
  Number offset = 0;

  Number at(std::uint64_t sample) const;
};

/// When the samples of an H5MD element were taken.
class H5mdSampling {
 public:
  /// One sample that holds at any time.
  H5mdSampling() = default;

  /// `step` and `time` (both may be missing) of the element's group, `count` samples.
  /// A fill value in front of them, as ESPResSo leaves it, is left out. Throws
  /// InputError when one has another number of values.
  H5mdSampling(hid_t element, std::uint64_t count);

  std::uint64_t count() const { return count_; }
  bool has_quantised() const { return step_.has_value(); }
  const std::string& time_unit() const { return time_unit_; }

  std::int64_t step(std::uint64_t sample) const;  ///< 0 without steps
  double time(std::uint64_t sample) const;        ///< no_time without times

  /// Whether steps or times had a value in front that belongs to no sample.
  bool fill_in_front() const { return fill_in_front_; }

  /// True if the steps increase from sample to sample, so that they can be searched.
  bool increasing() const;

  /// Number of samples with a step <= `step`; requires increasing().
  std::uint64_t samples_until(std::int64_t step) const;

  /// True if both have as many samples and the same steps, or both no steps.
  bool same_as(const H5mdSampling& other) const;

 private:
  std::uint64_t count_ = 1;
  bool fill_in_front_ = false;
  std::optional<H5mdSequence<std::int64_t>> step_;
  std::optional<H5mdSequence<double>> time_;
  std::string time_unit_;
};

}  // namespace starhist::io
