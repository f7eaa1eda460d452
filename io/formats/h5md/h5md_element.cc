#include "io/formats/h5md/h5md_element.hh"

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

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
