#include "io/formats/h5md/h5md_labels.hh"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/particles/species_order.hh"

namespace starhist::io {
namespace {

bool holds_text(hid_t particle_group, const std::string& name) {
  const H5mdElement element(particle_group, name);
  return H5Tget_class(element.values().type()) == H5T_STRING;
}

std::int64_t member_value(hid_t enumeration, unsigned member, hid_t dataset) {
  const Hdf5Object base = own_hdf5<InputError>(H5Tget_super(enumeration), H5Tclose,
                                               dataset, "", "has a broken enumeration");
  std::array<unsigned char, 16> bytes{};
  std::int64_t value = 0;
  // HDF5 writes as many bytes as the first type has; in a damaged file the sizes may
  // differ.
  if (H5Tget_size(enumeration) > bytes.size() ||
      H5Tget_size(base.get()) > sizeof value ||
      H5Tget_member_value(enumeration, member, bytes.data()) < 0 ||
      H5Tconvert(base.get(), H5T_NATIVE_INT64, 1, bytes.data(), nullptr, H5P_DEFAULT) <
          0) {
    throw_hdf5<InputError>(dataset, "", "has a broken enumeration");
  }
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::map<std::int64_t, std::string> member_names(hid_t enumeration, hid_t dataset) {
  std::map<std::int64_t, std::string> names;
  const int count = check_hdf5<InputError>(H5Tget_nmembers(enumeration), dataset, "",
                                           "has a broken enumeration");
  for (unsigned member = 0; member < static_cast<unsigned>(count); ++member) {
    char* name = H5Tget_member_name(enumeration, member);
    if (name == nullptr) {
      throw_hdf5<InputError>(dataset, "", "has a broken enumeration");
    }
    std::string text = name;
    H5free_memory(name);
    names[member_value(enumeration, member, dataset)] = std::move(text);
  }
  return names;
}

}  // namespace

H5mdLabels::H5mdLabels(hid_t particle_group, const H5mdSampling& frames,
                       std::uint64_t particle_count, bool nan_filled) {
  const auto source = [&]() -> std::string {
    for (const char* name : {"species", "species_label"}) {
      if (hdf5_exists(particle_group, name)) {
        return name;
      }
    }
    return "";
  }();
  if (source.empty()) {
    constant_values_.assign(particle_count, 0);
    names_[0] = "all";
  } else if (holds_text(particle_group, source)) {
    read_text(particle_group, source, particle_count);
  } else {
    row_.emplace(particle_group, source, frames, H5mdMatch::Rule::last_known,
                 particle_count);
    if (H5Tget_class(row_->type()) == H5T_ENUM) {
      names_ = member_names(row_->type(), row_->dataset());
      return;
    }
    fill_ = row_->fill_value();
    if (fill_ && (*fill_ < 0 || nan_filled)) {
      most_absent_ = *fill_;
    } else if (!fill_ && nan_filled) {
      most_absent_ = 0;
    }
  }
}

void H5mdLabels::read_text(hid_t particle_group, const std::string& name,
                           std::uint64_t particle_count) {
  if (hdf5_is_group(particle_group, name)) {
    throw InputError(hdf5_location(particle_group, name) +
                     ": text that changes with time is not supported");
  }
  const std::vector<std::string> text =
      read_hdf5_strings(open_hdf5_dataset(particle_group, name).get());
  if (text.size() != particle_count) {
    throw InputError(hdf5_location(particle_group, name) + ": has " +
                     std::to_string(text.size()) + " values for " +
                     std::to_string(particle_count) + " particles");
  }
  std::vector<std::string> distinct = text;
  sort_species(distinct);
  std::map<std::string, std::int64_t> labels;
  for (const std::string& word : distinct) {
    const auto label = static_cast<std::int64_t>(labels.size());
    labels[word] = label;
    names_[label] = word;
  }
  for (const std::string& word : text) {
    constant_values_.push_back(labels[word]);
  }
}

std::string H5mdLabels::name(std::int64_t label) const {
  if (label == H5mdRow::not_whole) {
    throw InputError("its species is not a whole number");
  }
  if (names_.empty()) {
    return std::to_string(label);
  }
  const auto known = names_.find(label);
  if (known == names_.end()) {
    throw InputError("its species " + std::to_string(label) +
                     " is not in the file's enumeration of species");
  }
  if (known->second.empty()) {
    throw InputError("its species has an empty name");
  }
  return known->second;
}

std::optional<std::size_t> H5mdLabels::name_count() const {
  return names_.empty() ? std::nullopt : std::optional(names_.size());
}

}  // namespace starhist::io
