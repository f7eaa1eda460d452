#include "io/hdf5/hdf5_filters.hh"

#include <array>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

Hdf5Object creation_properties(hid_t dataset) {
  silence_hdf5();
  return own_hdf5<InputError>(H5Dget_create_plist(dataset), H5Pclose, dataset);
}

/// Returns the name of a filter for messages, because files often lack it.
std::string filter_name(H5Z_filter_t id, const std::string& name_in_file) {
  switch (id) {
    case 32000:
      return "lzf";
    case 32001:
      return "blosc";
    case 32004:
      return "lz4";
    case 32008:
      return "bitshuffle";
    case 32013:
      return "zfp";
    case 32015:
      return "zstd";
    case 32017:
      return "sz";
    case 32026:
      return "blosc2";
    case H5Z_FILTER_SZIP:
      return "szip";
    default:
      return name_in_file.empty() ? "without a name" : name_in_file;
  }
}

/// Whether the data lie in other files, so that the size of this file does not limit
/// them.
bool is_elsewhere(hid_t properties) {
  return H5Pget_layout(properties) == H5D_VIRTUAL ||
         H5Pget_external_count(properties) > 0;
}

[[noreturn]] void refuse_claim(hid_t object, const std::string& name,
                               double value_count, std::uint64_t file_size) {
  throw InputError(hdf5_location(object, name) + ": claims " +
                   number_text(value_count) + " values, more than a file of " +
                   std::to_string(file_size) +
                   " bytes can contain (the file is damaged)");
}

}  // namespace

void check_hdf5_filters(hid_t dataset) {
  const Hdf5Object properties = creation_properties(dataset);
  const int count = check_hdf5<InputError>(H5Pget_nfilters(properties.get()), dataset);
  for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) {
    std::array<char, 64> name{};
    std::size_t parameter_count = 0;
    unsigned flags = 0;
    const H5Z_filter_t id = check_hdf5<InputError>(
        H5Pget_filter2(properties.get(), i, &flags, &parameter_count, nullptr,
                       name.size() - 1, name.data(), nullptr),
        dataset);
    if (H5Zfilter_avail(id) <= 0) {
      throw InputError(hdf5_location(dataset) + ": needs the HDF5 filter " +
                       filter_name(id, name.data()) + " (id " + std::to_string(id) +
                       "), which is not installed here (install its plugin, or rewrite "
                       "the file where it is: h5repack -f NONE)");
    }
  }
}

void check_hdf5_extent(hid_t dataset, double value_count) {
  // Deflate, the densest of the usual filters, expands one byte to at most 1032.
  constexpr double densest_filter = 1100.0;
  constexpr double room_for_unwritten_data = 65536.0;
  const Hdf5Object properties = creation_properties(dataset);
  if (is_elsewhere(properties.get())) {
    return;
  }
  const Hdf5Object type = own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset);
  const double needed = value_count * static_cast<double>(H5Tget_size(type.get()));
  const std::uint64_t file_size = hdf5_file_size(dataset);
  const double density = H5Pget_nfilters(properties.get()) > 0 ? densest_filter : 1.0;
  if (needed > density * static_cast<double>(file_size) + room_for_unwritten_data) {
    refuse_claim(dataset, "", value_count, file_size);
  }
}

void check_hdf5_attribute(hid_t object, const std::string& name, double value_count,
                          std::size_t value_bytes) {
  const std::uint64_t file_size = hdf5_file_size(object);
  if (value_count * static_cast<double>(value_bytes) > static_cast<double>(file_size)) {
    refuse_claim(object, name, value_count, file_size);
  }
}

bool hdf5_is_plain(hid_t dataset) {
  const Hdf5Object properties = creation_properties(dataset);
  return !is_elsewhere(properties.get()) && H5Pget_nfilters(properties.get()) == 0;
}

}  // namespace starhist::io
