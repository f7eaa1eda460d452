#pragma once

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Throws InputError naming the filter when the dataset needs one that HDF5 does not
/// have here, such as "filter blosc (id 32001)".
void check_hdf5_filters(hid_t dataset);

/// Throws InputError when `value_count` values of the dataset cannot be in its file,
/// however well they are compressed: before a damaged extent is taken for a size of
/// memory.
void check_hdf5_extent(hid_t dataset, double value_count);

/// Whether the values lie in the file itself, as they are: in one piece or in chunks
/// that no filter has changed. Throws InputError.
bool hdf5_is_plain(hid_t dataset);

}  // namespace starhist::io
