#include "io/formats/h5md/h5md_periodicity.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

constexpr const char* boundary_remedy =
    " (replace the file's box with --box a,b,c or --box none)";

/// Periodic axes of one sample: bit k is set if axis k is periodic.
using Bits = std::uint8_t;
constexpr Bits invalid = 8;

Bits bit_of(const std::string& word) {
  return word == "periodic" ? 1 : word == "none" ? 0 : invalid;
}
Bits bit_of(double value) {
  return value == 1.0 ? 1 : value == 0.0 ? 0 : invalid;
}

std::string shown(const std::string& word) {
  return '"' + word + '"';
}
std::string shown(double value) {
  return number_text(value);
}

std::string axes_text(Bits bits) {
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if ((bits >> axis & 1) != 0) {
      names.emplace_back(1, "xyz"[axis]);
    }
  }
  return names.empty() ? "no axis" : join(names, ", ");
}

/// Returns one entry per sample. `place`: for messages.
template <class Value>
std::vector<Bits> bits_of(const std::vector<Value>& values, std::uint64_t samples,
                          const std::string& place) {
  const std::size_t width = samples == 0 ? 0 : values.size() / samples;
  if ((width != 1 && width != 3) || width * samples != values.size()) {
    throw InputError(place + ": has " + std::to_string(values.size()) + " values for " +
                     std::to_string(samples) + (samples == 1 ? " box" : " boxes") +
                     ", but a box has 3, one for each axis, or a single one" +
                     boundary_remedy);
  }
  std::vector<Bits> bits;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    Bits all = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Value& value = values[sample * width + (width == 1 ? 0 : axis)];
      const Bits bit = bit_of(value);
      if (bit == invalid) {
        throw InputError(
            place + ": " + shown(value) + " of box " + std::to_string(sample) +
            " is neither \"periodic\" (1) nor \"none\" (0)" + boundary_remedy);
      }
      all = static_cast<Bits>(all | bit << axis);
    }
    bits.push_back(all);
  }
  return bits;
}

/// `kind`: class of the values; `source`: a dataset, or an object and an attribute.
template <class... Source>
std::vector<Bits> read_bits(H5T_class_t kind, std::uint64_t samples,
                            const std::string& place, const Source&... source) {
  switch (kind) {
    case H5T_STRING:
      return bits_of(read_hdf5_strings(source...), samples, place);
    case H5T_FLOAT:
      return bits_of(read_hdf5_numbers<double>(source...), samples, place);
    default: {
      const auto whole = read_hdf5_numbers<std::int64_t>(source...);
      return bits_of(std::vector<double>(whole.begin(), whole.end()), samples, place);
    }
  }
}

std::vector<Bits> attribute_bits(hid_t box, const std::string& name) {
  const Hdf5Object attribute = own_hdf5<InputError>(
      H5Aopen(box, name.c_str(), H5P_DEFAULT), H5Aclose, box, name);
  const Hdf5Object type =
      own_hdf5<InputError>(H5Aget_type(attribute.get()), H5Tclose, box, name);
  return read_bits(H5Tget_class(type.get()), 1, hdf5_location(box, name), box, name);
}

std::vector<Bits> element_bits(const H5mdElement& element) {
  const hid_t dataset = element.values().dataset();
  const std::uint64_t samples = element.constant() ? 1 : element.values().count();
  return read_bits(H5Tget_class(element.values().type()), samples,
                   hdf5_location(dataset), dataset);
}

}  // namespace

/// One place in the file that states periodic axes.
struct H5mdPeriodicity::Source {
  std::string name;
  std::vector<Bits> bits;                ///< a single entry holds for all frames
  std::unique_ptr<H5mdElement> element;  ///< null: constant
  std::unique_ptr<H5mdMatch> match;

  Bits at(std::uint64_t frame) const {
    return match ? bits[match->row(frame)] : bits.front();
  }
};

H5mdPeriodicity::H5mdPeriodicity(hid_t box, const H5mdSampling& frames)
    : place_(hdf5_location(box)) {
  std::vector<Source> constant;
  std::vector<Source> varying;
  for (const std::string name : {"boundary", "pbc"}) {
    if (hdf5_has_attribute(box, name) || hdf5_exists(box, name)) {
      sources_ += (sources_.empty() ? "" : ", ") + name;
    }
    if (hdf5_has_attribute(box, name)) {
      constant.push_back({name, attribute_bits(box, name), nullptr, nullptr});
    }
    if (!hdf5_exists(box, name)) {
      continue;
    }
    Source source{name, {}, std::make_unique<H5mdElement>(box, name), nullptr};
    source.bits = element_bits(*source.element);
    const auto differs = std::adjacent_find(source.bits.begin(), source.bits.end(),
                                            std::not_equal_to<>());
    if (differs == source.bits.end()) {
      source.bits.resize(1);
      constant.push_back({name, std::move(source.bits), nullptr, nullptr});
    } else {
      source.match = std::make_unique<H5mdMatch>(*source.element, frames,
                                                 H5mdMatch::Rule::same_step);
      varying.push_back(std::move(source));
    }
  }
  if (constant.empty() && varying.empty()) {
    throw InputError(place_ + ": has no boundary" + boundary_remedy);
  }
  if (!varying.empty()) {
    varying_ = std::make_shared<const std::vector<Source>>(std::move(varying));
  }
  check_agreement(constant);
}

/// Compares the constant sources with each other and with the first frame.
void H5mdPeriodicity::check_agreement(const std::vector<Source>& constant) {
  const Source& first = constant.empty() ? varying_->front() : constant.front();
  const auto compare = [&](const Source& other) {
    if (other.at(0) != first.at(0)) {
      throw InputError(place_ + ": by \"" + first.name + "\" it is periodic along " +
                       axes_text(first.at(0)) + ", but by \"" + other.name +
                       (constant.size() > 1 && !varying_ ? "\"" : "\" of frame 0") +
                       " along " + axes_text(other.at(0)) + boundary_remedy);
    }
  };
  std::for_each(constant.begin(), constant.end(), compare);
  Bits seen = first.at(0);
  if (varying_) {
    std::for_each(varying_->begin(), varying_->end(), compare);
    for (const Source& source : *varying_) {
      for (const Bits bits : source.bits) {
        seen = static_cast<Bits>(seen | bits);
      }
    }
  }
  any_ = seen != 0;
  axes_ = {(seen & 1) != 0, (seen & 2) != 0, (seen & 4) != 0};
}

H5mdAxes H5mdPeriodicity::axes(std::uint64_t frame) const {
  if (!varying_) {
    return axes_;
  }
  const Bits bits = varying_->front().at(frame);
  for (const Source& source : *varying_) {
    if (source.at(frame) != bits) {
      throw InputError(place_ + ": by \"" + varying_->front().name +
                       "\" it is periodic along " + axes_text(bits) + ", but by \"" +
                       source.name + "\" along " + axes_text(source.at(frame)) +
                       boundary_remedy);
    }
  }
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

}  // namespace starhist::io
