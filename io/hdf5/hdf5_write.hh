#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

// Writing small HDF5 objects. All functions throw RunError with file and path when
// writing fails.

/// Creates a group and its missing parent groups.
Hdf5Object create_hdf5_group(hid_t parent, const std::string& path);

/// Links the object `name` of one group under the same name in another, without copying
/// it.
void link_hdf5_object(hid_t from, const std::string& name, hid_t to);

/// Creates and writes a contiguous dataset and its missing parent groups. An empty
/// `shape` makes a scalar. Throws InternalError when `values` do not fill the shape.
template <class Number>
Hdf5Object write_hdf5_numbers(hid_t parent, const std::string& path,
                              const std::vector<Number>& values,
                              const std::vector<hsize_t>& shape);

/// Creates such a dataset of doubles, to be written in parts (hdf5_append.hh).
Hdf5Object create_hdf5_doubles(hid_t parent, const std::string& path,
                               const std::vector<hsize_t>& shape);

/// Like write_hdf5_numbers(), for fixed-length strings (UTF-8, padded with NUL) of
/// shape {values.size()}.
Hdf5Object write_hdf5_strings(hid_t parent, const std::string& path,
                              const std::vector<std::string>& values);

/// Writes an attribute, replacing one of the same name: one fixed-length string or
/// number, or several of shape {values.size()}.
void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::string& value);
void write_hdf5_attribute(hid_t object, const std::string& name, std::int32_t value);
void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::vector<std::string>& values);
template <class Number>
void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::vector<Number>& values);

}  // namespace starhist::io
