#include "io/formats/h5md/h5md_row.hh"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

std::int64_t whole_number(double value) {
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  if (std::isnan(value)) {
    return H5mdRow::missing;
  }
  return std::abs(value) <= largest_exact && value == std::trunc(value)
             ? static_cast<std::int64_t>(value)
             : H5mdRow::not_whole;
}

}  // namespace

H5mdRow::H5mdRow(hid_t particle_group, const std::string& name,
                 const H5mdSampling& frames, H5mdMatch::Rule rule,
                 std::uint64_t particle_count)
    : element_(particle_group, name), match_(element_, frames, rule) {
  const H5T_class_t kind = H5Tget_class(type());
  if (kind != H5T_INTEGER && kind != H5T_ENUM && kind != H5T_FLOAT) {
    throw InputError(hdf5_location(dataset()) + ": does not contain numbers");
  }
  if (element_.values().row_shape() != std::vector<hsize_t>{particle_count}) {
    throw InputError(hdf5_location(dataset()) + ": has " +
                     std::to_string(element_.values().row_size()) + " values for " +
                     std::to_string(particle_count) + " particles");
  }
  bytes_.resize(particle_count * H5Tget_size(type()));
}

std::optional<std::int64_t> H5mdRow::fill_value() const {
  switch (H5Tget_class(type())) {
    case H5T_FLOAT: {
      const auto fill = hdf5_fill_value<double>(dataset());
      return fill ? std::optional(whole_number(*fill)) : std::nullopt;
    }
    case H5T_INTEGER:
      return hdf5_fill_value<std::int64_t>(dataset());
    default:
      return std::nullopt;
  }
}

bool H5mdRow::read(std::uint64_t frame) {
  const std::uint64_t row = match_.row(frame);
  if (row == row_) {
    return false;
  }
  element_.values().read(row, type(), bytes_.data());
  const bool changed = !row_ || bytes_ != last_bytes_;
  row_.reset();  // until the read has succeeded
  if (changed) {
    bytes_.swap(last_bytes_);
    bytes_.resize(last_bytes_.size());
    convert();
  }
  row_ = row;
  return changed;
}

void H5mdRow::convert() {
  const std::size_t count = element_.values().row_size();
  const bool is_float = H5Tget_class(type()) == H5T_FLOAT;
  const hid_t target = is_float ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  scratch_ = last_bytes_;
  scratch_.resize(count * std::max(H5Tget_size(type()), sizeof(std::int64_t)));
  check_hdf5<InputError>(
      H5Tconvert(type(), target, count, scratch_.data(), nullptr, H5P_DEFAULT),
      dataset(), "", "cannot be converted to numbers");
  values_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (is_float) {
      double value = 0.0;
      std::memcpy(&value, &scratch_[i * sizeof value], sizeof value);
      values_[i] = whole_number(value);
    } else {
      std::memcpy(&values_[i], &scratch_[i * sizeof(std::int64_t)],
                  sizeof(std::int64_t));
    }
  }
}

}  // namespace starhist::io
