#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

// Reading HDF5 objects by path. `path` is relative to `parent` (a file or a group) and
// may have several components, "box/edges". All functions throw InputError with file
// and path when the object cannot be read.

Hdf5Object open_hdf5_group(hid_t parent, const std::string& path);
Hdf5Object open_hdf5_dataset(hid_t parent, const std::string& path);
/// Opens a group or a dataset.
Hdf5Object open_hdf5_object(hid_t parent, const std::string& path);

/// Whether the path leads to an object; a dangling link does not. Throws InputError if
/// HDF5 fails to determine it, because memory runs out or the file is damaged.
bool hdf5_exists(hid_t parent, const std::string& path);
bool hdf5_is_group(hid_t parent, const std::string& path);
bool hdf5_has_attribute(hid_t object, const std::string& name);

/// Returns the names of the links in a group, sorted bytewise.
std::vector<std::string> hdf5_names(hid_t group);

/// Returns the names of an object's attributes, sorted bytewise.
std::vector<std::string> hdf5_attribute_names(hid_t object);

/// Returns the extents of a dataset; empty for a scalar.
std::vector<hsize_t> hdf5_shape(hid_t dataset);

/// Returns the size of the object's file [bytes].
std::uint64_t hdf5_file_size(hid_t object);

/// Returns the fill value of a dataset, converted by HDF5, if its writer has set one.
template <class Number>
std::optional<Number> hdf5_fill_value(hid_t dataset);

/// Returns all values of a dataset, flattened in C order, converted by HDF5.
template <class Number>
std::vector<Number> read_hdf5_numbers(hid_t dataset);
/// Reads them into `values`, whose memory is reused.
template <class Number>
void read_hdf5_numbers(hid_t dataset, std::vector<Number>& values);

/// Returns all values of a dataset of whole numbers. Throws InputError for fractions,
/// which read_hdf5_numbers() truncates.
std::vector<std::int64_t> read_hdf5_whole_numbers(hid_t dataset);

/// Returns all strings of a dataset, of fixed or variable length, scalar or array, with
/// any padding. Trailing blanks are removed.
std::vector<std::string> read_hdf5_strings(hid_t dataset);

/// Counterparts for attributes of an object.
template <class Number>
std::vector<Number> read_hdf5_numbers(hid_t object, const std::string& attribute);
std::vector<std::string> read_hdf5_strings(hid_t object, const std::string& attribute);

}  // namespace starhist::io
