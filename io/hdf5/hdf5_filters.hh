#pragma once

#include <cstddef>
#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Throws InputError, with the name of the filter, when the dataset needs one that is
/// not installed, such as "filter blosc (id 32001)".
void check_hdf5_filters(hid_t dataset);

/// Throws InputError when a file of this size cannot hold `value_count` values of the
/// dataset, however well they are compressed. To be called before memory is allocated,
/// as the extent in a damaged file may be anything.
void check_hdf5_extent(hid_t dataset, double value_count);

/// The same for an attribute of `object`, whose values take `value_bytes` each in the
/// file and are never compressed.
void check_hdf5_attribute(hid_t object, const std::string& name, double value_count,
                          std::size_t value_bytes);

/// Whether the values lie in the file itself without filters, contiguous or in chunks.
/// Throws InputError when the dataset cannot be read.
bool hdf5_is_plain(hid_t dataset);

}  // namespace starhist::io
