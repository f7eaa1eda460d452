#include "io/hdf5/hdf5_write.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

/// Property of links: creates missing parent groups.
Hdf5Object with_parents(hid_t parent, const std::string& path) {
  silence_hdf5();
  Hdf5Object links =
      own_hdf5<RunError>(H5Pcreate(H5P_LINK_CREATE), H5Pclose, parent, path);
  check_hdf5<RunError>(H5Pset_create_intermediate_group(links.get(), 1), parent, path);
  return links;
}

Hdf5Object string_type(std::size_t length, hid_t place, const std::string& name,
                       H5T_str_t padding = H5T_STR_NULLPAD) {
  silence_hdf5();
  Hdf5Object type = own_hdf5<RunError>(H5Tcopy(H5T_C_S1), H5Tclose, place, name);
  check_hdf5<RunError>(H5Tset_size(type.get(), std::max<std::size_t>(length, 1)), place,
                       name);
  check_hdf5<RunError>(H5Tset_strpad(type.get(), padding), place, name);
  check_hdf5<RunError>(H5Tset_cset(type.get(), H5T_CSET_UTF8), place, name);
  return type;
}

/// Concatenates the strings, padded with NUL to the longest, whose length is set.
std::string padded(const std::vector<std::string>& values, std::size_t& length) {
  length = 1;
  for (const auto& value : values) {
    length = std::max(length, value.size());
  }
  std::string text;
  for (const auto& value : values) {
    text += value + std::string(length - value.size(), '\0');
  }
  return text;
}

}  // namespace

Hdf5Object create_hdf5_group(hid_t parent, const std::string& path) {
  const Hdf5Object links = with_parents(parent, path);
  return own_hdf5<RunError>(
      H5Gcreate2(parent, path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
      parent, path, "cannot be created");
}

void link_hdf5_object(hid_t from, const std::string& name, hid_t to) {
  check_hdf5<RunError>(
      H5Lcreate_hard(from, name.c_str(), to, name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
      to, name);
}

Hdf5Object create_hdf5_space(const std::vector<hsize_t>& shape, hid_t place,
                             const std::string& name,
                             const std::vector<hsize_t>& limit) {
  silence_hdf5();
  const hid_t space =
      shape.empty() ? H5Screate(H5S_SCALAR)
                    : H5Screate_simple(static_cast<int>(shape.size()), shape.data(),
                                       limit.empty() ? nullptr : limit.data());
  return own_hdf5<RunError>(space, H5Sclose, place, name);
}

void check_hdf5_count(std::size_t count, const std::vector<hsize_t>& shape,
                      const std::string& path) {
  hsize_t room = 1;
  for (const hsize_t extent : shape) {
    room *= extent;
  }
  if (room != count) {
    throw InternalError("dataset " + path + " has " + std::to_string(count) +
                        " values for a shape of " + std::to_string(room));
  }
}

Hdf5Object create_hdf5_dataset(hid_t parent, const std::string& path, hid_t type,
                               const std::vector<hsize_t>& shape) {
  const Hdf5Object space = create_hdf5_space(shape, parent, path);
  const Hdf5Object links = with_parents(parent, path);
  return own_hdf5<RunError>(H5Dcreate2(parent, path.c_str(), type, space.get(),
                                       links.get(), H5P_DEFAULT, H5P_DEFAULT),
                            H5Dclose, parent, path);
}

Hdf5Object write_hdf5_values(hid_t parent, const std::string& path, hid_t type,
                             const std::vector<hsize_t>& shape, const void* values,
                             std::size_t count) {
  check_hdf5_count(count, shape, path);
  Hdf5Object dataset = create_hdf5_dataset(parent, path, type, shape);
  if (count > 0) {
    check_hdf5<RunError>(
        H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), parent,
        path);
  }
  return dataset;
}

Hdf5Object write_hdf5_strings(hid_t parent, const std::string& path,
                              const std::vector<std::string>& values) {
  std::size_t length = 1;
  const std::string text = padded(values, length);
  const Hdf5Object type = string_type(length, parent, path);
  return write_hdf5_values(parent, path, type.get(), {values.size()}, text.data(),
                           values.size());
}

void write_hdf5_text(hid_t parent, const std::string& name, const std::string& text) {
  const Hdf5Object type = string_type(text.size() + 1, parent, name, H5T_STR_NULLTERM);
  write_hdf5_values(parent, name, type.get(), {}, text.c_str(), 1);
}

void write_hdf5_attribute(hid_t object, const std::string& name, hid_t type,
                          const std::vector<hsize_t>& shape, const void* values) {
  const Hdf5Object space = create_hdf5_space(shape, object, name);
  if (H5Aexists(object, name.c_str()) > 0) {
    check_hdf5<RunError>(H5Adelete(object, name.c_str()), object, name);
  }
  const Hdf5Object attribute = own_hdf5<RunError>(
      H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, object, name);
  check_hdf5<RunError>(H5Awrite(attribute.get(), type, values), object, name);
}

void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::string& value) {
  const Hdf5Object type = string_type(value.size(), object, name);
  write_hdf5_attribute(object, name, type.get(), {}, value.c_str());
}

void write_hdf5_attribute(hid_t object, const std::string& name, std::int32_t value) {
  write_hdf5_attribute(object, name, hdf5_type<std::int32_t>(), {}, &value);
}

void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::vector<std::string>& values) {
  std::size_t length = 1;
  const std::string text = padded(values, length);
  const Hdf5Object type = string_type(length, object, name);
  write_hdf5_attribute(object, name, type.get(), {values.size()}, text.data());
}

void write_hdf5_unit(hid_t dataset, const std::string& unit) {
  if (unit.empty()) {
    return;
  }
  const Hdf5Object type = string_type(H5T_VARIABLE, dataset, "unit", H5T_STR_NULLTERM);
  const char* text = unit.c_str();
  write_hdf5_attribute(dataset, "unit", type.get(), {}, &text);
}

}  // namespace starhist::io
