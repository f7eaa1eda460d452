#include "io/hdf5/hdf5_write.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

Hdf5Object make_space(const std::vector<hsize_t>& shape, hid_t parent,
                      const std::string& name) {
  silence_hdf5();
  const hid_t space = shape.empty() ? H5Screate(H5S_SCALAR)
                                    : H5Screate_simple(static_cast<int>(shape.size()),
                                                       shape.data(), nullptr);
  return own_hdf5<RunError>(space, H5Sclose, parent, name, unwritable);
}

/// Creates a dataset and its missing parent groups.
Hdf5Object create_dataset(hid_t parent, const std::string& path, hid_t type,
                          const std::vector<hsize_t>& shape) {
  const Hdf5Object space = make_space(shape, parent, path);
  const Hdf5Object links = own_hdf5<RunError>(H5Pcreate(H5P_LINK_CREATE), H5Pclose,
                                              parent, path, unwritable);
  check_hdf5<RunError>(H5Pset_create_intermediate_group(links.get(), 1), parent, path,
                       unwritable);
  return own_hdf5<RunError>(H5Dcreate2(parent, path.c_str(), type, space.get(),
                                       links.get(), H5P_DEFAULT, H5P_DEFAULT),
                            H5Dclose, parent, path, unwritable);
}

Hdf5Object string_type(std::size_t length, hid_t parent, const std::string& name) {
  silence_hdf5();
  Hdf5Object type =
      own_hdf5<RunError>(H5Tcopy(H5T_C_S1), H5Tclose, parent, name, unwritable);
  check_hdf5<RunError>(H5Tset_size(type.get(), std::max<std::size_t>(length, 1)),
                       parent, name, unwritable);
  check_hdf5<RunError>(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), parent, name,
                       unwritable);
  check_hdf5<RunError>(H5Tset_cset(type.get(), H5T_CSET_UTF8), parent, name,
                       unwritable);
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

void write_attribute(hid_t object, const std::string& name, hid_t type,
                     const std::vector<hsize_t>& shape, const void* values) {
  const Hdf5Object space = make_space(shape, object, name);
  if (H5Aexists(object, name.c_str()) > 0) {
    check_hdf5<RunError>(H5Adelete(object, name.c_str()), object, name, unwritable);
  }
  const Hdf5Object attribute = own_hdf5<RunError>(
      H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, object, name, unwritable);
  check_hdf5<RunError>(H5Awrite(attribute.get(), type, values), object, name,
                       unwritable);
}

}  // namespace

Hdf5Object create_hdf5_group(hid_t parent, const std::string& path) {
  silence_hdf5();
  const Hdf5Object links = own_hdf5<RunError>(H5Pcreate(H5P_LINK_CREATE), H5Pclose,
                                              parent, path, unwritable);
  check_hdf5<RunError>(H5Pset_create_intermediate_group(links.get(), 1), parent, path,
                       unwritable);
  return own_hdf5<RunError>(
      H5Gcreate2(parent, path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
      parent, path, "cannot be created");
}

void link_hdf5_object(hid_t from, const std::string& name, hid_t to) {
  check_hdf5<RunError>(
      H5Lcreate_hard(from, name.c_str(), to, name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
      to, name, unwritable);
}

Hdf5Object create_hdf5_doubles(hid_t parent, const std::string& path,
                               const std::vector<hsize_t>& shape) {
  return create_dataset(parent, path, hdf5_type<double>(), shape);
}

template <class Number>
Hdf5Object write_hdf5_numbers(hid_t parent, const std::string& path,
                              const std::vector<Number>& values,
                              const std::vector<hsize_t>& shape) {
  hsize_t count = 1;
  for (const hsize_t extent : shape) {
    count *= extent;
  }
  if (count != values.size()) {
    throw InternalError("dataset " + path + " has " + std::to_string(values.size()) +
                        " values for a shape of " + std::to_string(count));
  }
  Hdf5Object dataset = create_dataset(parent, path, hdf5_type<Number>(), shape);
  if (count > 0) {
    check_hdf5<RunError>(H5Dwrite(dataset.get(), hdf5_type<Number>(), H5S_ALL, H5S_ALL,
                                  H5P_DEFAULT, values.data()),
                         parent, path, unwritable);
  }
  return dataset;
}

Hdf5Object write_hdf5_strings(hid_t parent, const std::string& path,
                              const std::vector<std::string>& values) {
  std::size_t length = 1;
  const std::string text = padded(values, length);
  const Hdf5Object type = string_type(length, parent, path);
  Hdf5Object dataset = create_dataset(parent, path, type.get(), {values.size()});
  if (!values.empty()) {
    check_hdf5<RunError>(
        H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()),
        parent, path, unwritable);
  }
  return dataset;
}

void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::string& value) {
  const Hdf5Object type = string_type(value.size(), object, name);
  write_attribute(object, name, type.get(), {}, value.c_str());
}

void write_hdf5_attribute(hid_t object, const std::string& name, std::int32_t value) {
  write_attribute(object, name, hdf5_type<std::int32_t>(), {}, &value);
}

void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::vector<std::string>& values) {
  std::size_t length = 1;
  const std::string text = padded(values, length);
  const Hdf5Object type = string_type(length, object, name);
  write_attribute(object, name, type.get(), {values.size()}, text.data());
}

template <class Number>
void write_hdf5_attribute(hid_t object, const std::string& name,
                          const std::vector<Number>& values) {
  write_attribute(object, name, hdf5_type<Number>(), {values.size()}, values.data());
}

template Hdf5Object write_hdf5_numbers(hid_t, const std::string&,
                                       const std::vector<float>&,
                                       const std::vector<hsize_t>&);
template Hdf5Object write_hdf5_numbers(hid_t, const std::string&,
                                       const std::vector<double>&,
                                       const std::vector<hsize_t>&);
template Hdf5Object write_hdf5_numbers(hid_t, const std::string&,
                                       const std::vector<std::int32_t>&,
                                       const std::vector<hsize_t>&);
template Hdf5Object write_hdf5_numbers(hid_t, const std::string&,
                                       const std::vector<std::int64_t>&,
                                       const std::vector<hsize_t>&);
template Hdf5Object write_hdf5_numbers(hid_t, const std::string&,
                                       const std::vector<std::uint32_t>&,
                                       const std::vector<hsize_t>&);
template Hdf5Object write_hdf5_numbers(hid_t, const std::string&,
                                       const std::vector<std::uint64_t>&,
                                       const std::vector<hsize_t>&);
template void write_hdf5_attribute(hid_t, const std::string&,
                                   const std::vector<double>&);
template void write_hdf5_attribute(hid_t, const std::string&,
                                   const std::vector<std::int32_t>&);
template void write_hdf5_attribute(hid_t, const std::string&,
                                   const std::vector<std::int64_t>&);

}  // namespace starhist::io
