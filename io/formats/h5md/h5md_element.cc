#include "io/formats/h5md/h5md_element.hh"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "codelets/core/counting/frame.hh"
#include "io/hdf5/h5md_root.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

template <class Number>
bool is_nan(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    return std::isnan(value);
  } else {
    return false;
  }
}

/// Whether the first value does not belong to a sample: it is the dataset's fill value,
/// NaN, negative while others are not, or not less than the second. In ESPResSo files,
/// also a zero that is not one step before the second.
template <class Number>
bool begins_with_fill(hid_t dataset, const std::vector<Number>& values) {
  const Number first = values[0];
  if (is_nan(first) || first == hdf5_fill_value<Number>(dataset)) {
    return true;
  }
  if (values.size() < 2) {
    return first < 0;
  }
  const Number next = values[1];
  const bool is_other_gap = values.size() == 2 || next - first != values[2] - next;
  return (first < 0 && next >= 0) || first >= next ||
         (first == 0 && is_other_gap && h5md_creator(dataset) == "espresso");
}

bool is_single_precision(hid_t dataset) {
  const Hdf5Object type = own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset,
                                               "", "cannot be read");
  return H5Tget_class(type.get()) == H5T_FLOAT && H5Tget_size(type.get()) == 4;
}

/// `name`: name of the sequence in the file. `fill_in_front`: set if there is one value
/// more than samples, and the first is a fill value.
template <class Number>
std::optional<H5mdSequence<Number>> read_sequence(hid_t element,
                                                  const std::string& name,
                                                  std::uint64_t count,
                                                  bool& fill_in_front) {
  if (!hdf5_exists(element, name)) {
    return std::nullopt;
  }
  const Hdf5Object dataset = open_hdf5_dataset(element, name);
  H5mdSequence<Number> sequence;
  sequence.regular = hdf5_shape(dataset.get()).empty();
  if constexpr (std::is_integral_v<Number>) {
    sequence.values = read_hdf5_whole_numbers(dataset.get());
  } else {
    sequence.values = read_hdf5_numbers<Number>(dataset.get());
  }
  if (sequence.regular) {
    sequence.increment = sequence.values.at(0);
    sequence.values.clear();
    if (hdf5_has_attribute(dataset.get(), "offset")) {
      const auto offset = read_hdf5_numbers<Number>(dataset.get(), "offset");
      sequence.offset = offset.empty() ? Number{0} : offset.front();
    }
  } else if (sequence.values.size() == count + 1 &&
             begins_with_fill(dataset.get(), sequence.values)) {
    fill_in_front = true;
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (is_single_precision(dataset.get())) {
      const auto decimal = [](Number value) {
        return shortest_decimal(static_cast<float>(value));
      };
      sequence.increment = decimal(sequence.increment);
      std::transform(sequence.values.begin(), sequence.values.end(),
                     sequence.values.begin(), decimal);
    }
  }
  return sequence;
}

/// Removes the value before the first sample's.
template <class Number>
void fit(hid_t element, const std::string& name, std::uint64_t count,
         bool fill_in_front, std::optional<H5mdSequence<Number>>& sequence) {
  if (!sequence || sequence->regular) {
    return;
  }
  std::vector<Number>& values = sequence->values;
  if (fill_in_front && values.size() == count + 1) {
    values.erase(values.begin());
  }
  if (values.size() != count) {
    throw InputError(hdf5_location(element, name) + ": has " +
                     std::to_string(values.size()) + " values for " +
                     std::to_string(count) +
                     " samples (was its writer interrupted? cut them to the samples)");
  }
}

std::string compound_of(hid_t element, const std::string& name) {
  if (!hdf5_exists(element, name)) {
    return "";
  }
  const Hdf5Object dataset = open_hdf5_dataset(element, name);
  if (!hdf5_has_attribute(dataset.get(), "unit")) {
    return "";
  }
  const auto unit = read_hdf5_strings(dataset.get(), "unit");
  return unit.empty() ? "" : unit_spelling(unit.front());
}

/// Multiplies the unit by NOMAD's attribute unit_factor: "0.5 A" for a factor of 0.5.
std::string scaled_unit(hid_t object, const std::string& unit) {
  if (!hdf5_has_attribute(object, "unit_factor")) {
    return unit;
  }
  const auto factor = read_hdf5_numbers<double>(object, "unit_factor");
  return factor.empty() || factor.front() == 1.0
             ? unit
             : number_text(factor.front()) + " " + unit;
}

std::string read_unit(hid_t values, hid_t element) {
  for (const hid_t object : {values, element}) {
    if (hdf5_has_attribute(object, "unit")) {
      const auto unit = read_hdf5_strings(object, "unit");
      return unit.empty() ? "" : scaled_unit(object, unit_spelling(unit.front()));
    }
  }
  return "";
}

}  // namespace

template <>
std::int64_t H5mdSequence<std::int64_t>::at(std::uint64_t sample) const {
  // Unsigned arithmetic, so that the values of a damaged file wrap instead of
  // overflowing.
  return regular ? static_cast<std::int64_t>(sample *
                                                 static_cast<std::uint64_t>(increment) +
                                             static_cast<std::uint64_t>(offset))
                 : values[sample];
}

template <>
double H5mdSequence<double>::at(std::uint64_t sample) const {
  return regular ? static_cast<double>(sample) * increment + offset : values[sample];
}

H5mdSampling::H5mdSampling(hid_t element, std::uint64_t count)
    : count_(count),
      step_(read_sequence<std::int64_t>(element, "step", count, fill_in_front_)),
      time_(read_sequence<double>(element, "time", count, fill_in_front_)),
      time_unit_(compound_of(element, "time")) {
  // ESPResSo, until 2026, writes a fill value before both. An interrupted writer leaves
  // one value too many at the end.
  fit(element, "step", count, fill_in_front_, step_);
  fit(element, "time", count, fill_in_front_, time_);
}

std::int64_t H5mdSampling::step(std::uint64_t sample) const {
  return step_ ? step_->at(sample) : 0;
}

double H5mdSampling::time(std::uint64_t sample) const {
  return time_ ? time_->at(sample) : no_time;
}

bool H5mdSampling::increasing() const {
  if (!step_) {
    return false;
  }
  if (step_->regular) {
    return step_->increment > 0;
  }
  for (std::uint64_t sample = 1; sample < count_; ++sample) {
    if (step_->values[sample] <= step_->values[sample - 1]) {
      return false;
    }
  }
  return true;
}

std::uint64_t H5mdSampling::samples_until(std::int64_t step) const {
  std::uint64_t low = 0;
  std::uint64_t high = count_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (this->step(middle) <= step) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool H5mdSampling::same_as(const H5mdSampling& other) const {
  if (count_ != other.count_ || has_quantised() != other.has_quantised()) {
    return false;
  }
  if (!has_quantised()) {
    return true;
  }
  if (step_->regular && other.step_->regular) {
    return step_->increment == other.step_->increment &&
           step_->offset == other.step_->offset;
  }
  for (std::uint64_t sample = 0; sample < count_; ++sample) {
    if (step(sample) != other.step(sample)) {
      return false;
    }
  }
  return true;
}

H5mdElement::H5mdElement(hid_t parent, const std::string& name)
    : constant_(!hdf5_is_group(parent, name)),
      object_(open_hdf5_object(parent, name)),
      values_(parent, constant_ ? name : name + "/value",
              constant_ ? Hdf5Rows::Layout::one_row : Hdf5Rows::Layout::many_rows),
      sampling_(constant_ ? H5mdSampling()
                          : H5mdSampling(object_.get(), values_.count())),
      unit_(read_unit(values_.dataset(), object_.get())) {}

H5mdMatch::H5mdMatch(const H5mdElement& element, const H5mdSampling& frames, Rule rule)
    : element_(element), frames_(frames), rule_(rule), how_(How::search) {
  if (element.constant()) {
    how_ = How::the_only_row;
  } else if (element.sampling().same_as(frames)) {
    how_ = How::the_frame_itself;
  } else if (!element.sampling().has_quantised() || !frames.has_quantised()) {
    throw InputError(hdf5_location(element.values().dataset()) + ": has " +
                     std::to_string(element.sampling().count()) + " samples for " +
                     std::to_string(frames.count()) +
                     " frames and no steps to match them by");
  } else if (!element.sampling().increasing()) {
    throw InputError(
        hdf5_location(element.values().dataset()) +
        ": its steps do not increase, so they cannot be matched with those "
        "of the positions");
  }
}

std::uint64_t H5mdMatch::row(std::uint64_t frame) const {
  if (how_ == How::the_only_row) {
    return 0;
  }
  if (how_ == How::the_frame_itself) {
    return frame;
  }
  const H5mdSampling& samples = element_.sampling();
  const std::int64_t step = frames_.step(frame);
  const std::uint64_t until = samples.samples_until(step);
  if (until == 0 || (rule_ == Rule::same_step && samples.step(until - 1) != step)) {
    throw InputError(hdf5_location(element_.values().dataset()) +
                     ": has no sample for step " + std::to_string(step));
  }
  return until - 1;
}

}  // namespace starhist::io
