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

/// Creates a dataspace; {}: scalar. `limit`: its largest extents; {}: fixed. `place`
/// and `name`: for messages.
Hdf5Object create_hdf5_space(const std::vector<hsize_t>& shape, hid_t place,
                             const std::string& name,
                             const std::vector<hsize_t>& limit = {});

/// Throws InternalError unless `count` values fill the shape.
void check_hdf5_count(std::size_t count, const std::vector<hsize_t>& shape,
                      const std::string& path);

/// Creates a contiguous dataset and its missing parent groups. An empty `shape` makes a
/// scalar.
Hdf5Object create_hdf5_dataset(hid_t parent, const std::string& path, hid_t type,
                               const std::vector<hsize_t>& shape);

/// Creates such a dataset and writes it; `values` are of the same type. Throws
/// InternalError unless they fill the shape.
Hdf5Object write_hdf5_values(hid_t parent, const std::string& path, hid_t type,
                             const std::vector<hsize_t>& shape, const void* values,
                             std::size_t count);
template <class Number>
Hdf5Object write_hdf5_numbers(hid_t parent, const std::string& path,
                              const std::vector<Number>& values,
                              const std::vector<hsize_t>& shape) {
  return write_hdf5_values(parent, path, hdf5_type<Number>(), shape, values.data(),
                           values.size());
}

/// Like write_hdf5_numbers(), for fixed-length strings (UTF-8, padded with NUL) of
/// shape {values.size()}.
Hdf5Object write_hdf5_strings(hid_t parent, const std::string& path,
                              const std::vector<std::string>& values);

/// Creates a dataset that consists of one fixed-length string.
void write_hdf5_text(hid_t parent, const std::string& name, const std::string& text);

/// Writes an attribute, replacing one of the same name: one fixed-length string or
/// number, or several of shape {values.size()}.
void write_hdf5_attribute(hid_t object, const std::string& name, hid_t type,
                          const std::vector<hsize_t>& shape, const void* values);
void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::string& value);
void write_hdf5_attribute(hid_t object, const std::string& name, std::int32_t value);
void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::vector<std::string>& values);
template <class Number>
void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::vector<Number>& values) {
  write_hdf5_attribute(object, name, hdf5_type<Number>(), {values.size()},
                       values.data());
}

/// Attaches the attribute `unit`, a string of variable length, unless the unit is "".
/// H5MD requires a fixed length, but MDAnalysis cannot read such files.
void write_hdf5_unit(hid_t dataset, const std::string& unit);

}  // namespace starhist::io
