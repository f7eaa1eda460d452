#pragma once

#include <cstddef>
#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Throws InputError naming the filter when the dataset needs one that is not
/// installed, such as "filter blosc (id 32001)".
void check_hdf5_filters(hid_t dataset);

/// Throws InputError when a file of this size cannot contain `value_count` values of
/// the dataset, even with the best compression. To be called before memory is
/// allocated, because the extents in a damaged file are arbitrary.
void check_hdf5_extent(hid_t dataset, double value_count);

/// Like check_hdf5_extent(), for an attribute of `object`, whose values take
/// `value_bytes` each in the file and are never compressed.
void check_hdf5_attribute(hid_t object, const std::string& name, double value_count,
                          std::size_t value_bytes);

/// Whether the values are stored in the file itself without filters, contiguous or in
/// chunks. Throws InputError when the dataset cannot be read.
bool hdf5_is_plain(hid_t dataset);

}  // namespace starhist::io
