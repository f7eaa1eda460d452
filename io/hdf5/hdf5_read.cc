#include "io/hdf5/hdf5_read.hh"

#include <algorithm>
#include <cmath>
#include <functional>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/hdf5/hdf5_filters.hh"

namespace starhist::io {
namespace {

/// A dataset or an attribute: their HDF5 functions differ only in name.
struct Source {
  hid_t place;       ///< for messages: the dataset, or the object with the attribute
  std::string name;  ///< for messages: name of the attribute; "" for a dataset
  Hdf5Object type;
  Hdf5Object space;
  std::function<herr_t(hid_t memory_type, void* out)> read;
};

std::size_t value_count(const Source& source) {
  return static_cast<std::size_t>(check_hdf5<InputError>(
      H5Sget_simple_extent_npoints(source.space.get()), source.place, source.name));
}

Source dataset_source(hid_t dataset) {
  silence_hdf5();
  check_hdf5_filters(dataset);
  Source source = {
      dataset, "", own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset),
      own_hdf5<InputError>(H5Dget_space(dataset), H5Sclose, dataset),
      [dataset](hid_t memory_type, void* out) {
        return H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
      }};
  check_hdf5_extent(dataset, static_cast<double>(value_count(source)));
  return source;
}

Source attribute_source(const Hdf5Object& attribute, hid_t object,
                        const std::string& name) {
  const hid_t id = attribute.get();
  Source source = {
      object, name, own_hdf5<InputError>(H5Aget_type(id), H5Tclose, object, name),
      own_hdf5<InputError>(H5Aget_space(id), H5Sclose, object, name),
      [id](hid_t memory_type, void* out) { return H5Aread(id, memory_type, out); }};
  check_hdf5_attribute(object, name, static_cast<double>(value_count(source)),
                       H5Tget_size(source.type.get()));
  return source;
}

Hdf5Object open_attribute(hid_t object, const std::string& name) {
  silence_hdf5();
  return own_hdf5<InputError>(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose,
                              object, name);
}

template <class Number>
void read_numbers(const Source& source, std::vector<Number>& values) {
  const H5T_class_t kind = H5Tget_class(source.type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM) {
    throw InputError(hdf5_location(source.place, source.name) +
                     ": does not contain numbers");
  }
  values.resize(value_count(source));
  if (!values.empty()) {
    check_hdf5<InputError>(source.read(hdf5_type<Number>(), values.data()),
                           source.place, source.name);
  }
}

std::string trimmed(std::string text) {
  text.resize(std::min(text.find('\0'), text.size()));
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

std::vector<std::string> read_variable_strings(const Source& source) {
  std::vector<char*> pointers(value_count(source), nullptr);
  const Hdf5Object type = own_hdf5<InputError>(H5Tcopy(source.type.get()), H5Tclose,
                                               source.place, source.name);
  if (pointers.empty()) {
    return {};
  }
  check_hdf5<InputError>(source.read(type.get(), pointers.data()), source.place,
                         source.name);
  std::vector<std::string> values;
  values.reserve(pointers.size());
  for (const char* text : pointers) {
    values.push_back(text == nullptr ? "" : trimmed(text));
  }
  check_hdf5<InputError>(
      H5Dvlen_reclaim(type.get(), source.space.get(), H5P_DEFAULT, pointers.data()),
      source.place, source.name);
  return values;
}

std::vector<std::string> read_strings(const Source& source) {
  if (H5Tget_class(source.type.get()) != H5T_STRING) {
    throw InputError(hdf5_location(source.place, source.name) +
                     ": does not contain text");
  }
  if (check_hdf5<InputError>(H5Tis_variable_str(source.type.get()), source.place,
                             source.name) > 0) {
    return read_variable_strings(source);
  }
  const std::size_t length = H5Tget_size(source.type.get());
  std::vector<std::string> values(value_count(source));
  std::vector<char> text(values.size() * length);
  if (!text.empty()) {
    check_hdf5<InputError>(source.read(source.type.get(), text.data()), source.place,
                           source.name);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = trimmed(std::string(text.data() + i * length, length));
  }
  return values;
}

/// Whether an existing link resolves to an object.
bool leads_to_object(hid_t parent, const std::string& path) {
  H5L_info_t link{};
  check_hdf5<InputError>(H5Lget_info(parent, path.c_str(), &link, H5P_DEFAULT), parent,
                         path);
  if (link.type == H5L_TYPE_HARD) {
    return true;
  }
  const htri_t exists = H5Oexists_by_name(parent, path.c_str(), H5P_DEFAULT);
  if (link.type == H5L_TYPE_SOFT) {
    check_hdf5<InputError>(exists, parent, path);
  }
  return exists > 0;  // fails for a link to a missing file
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  return append_name(*static_cast<std::vector<std::string>*>(names), name);
}

herr_t add_attribute_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  return append_name(*static_cast<std::vector<std::string>*>(names), name);
}

}  // namespace

Hdf5Object open_hdf5_group(hid_t parent, const std::string& path) {
  silence_hdf5();
  return own_hdf5<InputError>(H5Gopen2(parent, path.c_str(), H5P_DEFAULT), H5Gclose,
                              parent, path, "cannot be opened");
}

Hdf5Object open_hdf5_dataset(hid_t parent, const std::string& path) {
  silence_hdf5();
  return own_hdf5<InputError>(H5Dopen2(parent, path.c_str(), H5P_DEFAULT), H5Dclose,
                              parent, path, "cannot be opened");
}

Hdf5Object open_hdf5_object(hid_t parent, const std::string& path) {
  silence_hdf5();
  return own_hdf5<InputError>(H5Oopen(parent, path.c_str(), H5P_DEFAULT), H5Oclose,
                              parent, path, "cannot be opened");
}

bool hdf5_exists(hid_t parent, const std::string& path) {
  silence_hdf5();
  // H5Lexists fails if a component before the last one is missing or is not a group, so
  // each is checked. All other failures, such as lack of memory, are errors.
  for (std::size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string part = path.substr(0, end);
    if (check_hdf5<InputError>(H5Lexists(parent, part.c_str(), H5P_DEFAULT), parent,
                               part) == 0 ||
        !leads_to_object(parent, part) ||
        (end != std::string::npos &&
         H5Iget_type(open_hdf5_object(parent, part).get()) != H5I_GROUP)) {
      return false;
    }
  }
  return true;
}

bool hdf5_is_group(hid_t parent, const std::string& path) {
  return hdf5_exists(parent, path) &&
         H5Iget_type(open_hdf5_object(parent, path).get()) == H5I_GROUP;
}

bool hdf5_has_attribute(hid_t object, const std::string& name) {
  silence_hdf5();
  return check_hdf5<InputError>(H5Aexists(object, name.c_str()), object, name) > 0;
}

std::vector<std::string> hdf5_names(hid_t group) {
  silence_hdf5();
  std::vector<std::string> names;
  check_hdf5<InputError>(
      H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add_name, &names),
      group, "", "cannot be listed");
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> hdf5_attribute_names(hid_t object) {
  silence_hdf5();
  std::vector<std::string> names;
  check_hdf5<InputError>(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr,
                                     add_attribute_name, &names),
                         object, "", "its attributes cannot be listed");
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<hsize_t> hdf5_shape(hid_t dataset) {
  silence_hdf5();
  const Hdf5Object space =
      own_hdf5<InputError>(H5Dget_space(dataset), H5Sclose, dataset);
  const int rank =
      check_hdf5<InputError>(H5Sget_simple_extent_ndims(space.get()), dataset);
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  check_hdf5<InputError>(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr),
                         dataset);
  return shape;
}

std::uint64_t hdf5_file_size(hid_t object) {
  silence_hdf5();
  const Hdf5Object file =
      own_hdf5<InputError>(H5Iget_file_id(object), H5Fclose, object);
  hsize_t size = 0;
  check_hdf5<InputError>(H5Fget_filesize(file.get(), &size), object);
  return size;
}

template <class Number>
std::optional<Number> hdf5_fill_value(hid_t dataset) {
  silence_hdf5();
  const Hdf5Object properties =
      own_hdf5<InputError>(H5Dget_create_plist(dataset), H5Pclose, dataset);
  H5D_fill_value_t status = H5D_FILL_VALUE_UNDEFINED;
  check_hdf5<InputError>(H5Pfill_value_defined(properties.get(), &status), dataset);
  if (status != H5D_FILL_VALUE_USER_DEFINED) {
    return std::nullopt;
  }
  Number value = 0;
  check_hdf5<InputError>(
      H5Pget_fill_value(properties.get(), hdf5_type<Number>(), &value), dataset);
  return value;
}

template <class Number>
std::vector<Number> read_hdf5_numbers(hid_t dataset) {
  std::vector<Number> values;
  read_hdf5_numbers(dataset, values);
  return values;
}

template <class Number>
void read_hdf5_numbers(hid_t dataset, std::vector<Number>& values) {
  read_numbers(dataset_source(dataset), values);
}

std::vector<std::int64_t> read_hdf5_whole_numbers(hid_t dataset) {
  silence_hdf5();
  const Hdf5Object type = own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset);
  if (H5Tget_class(type.get()) != H5T_FLOAT) {
    return read_hdf5_numbers<std::int64_t>(dataset);
  }
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  std::vector<std::int64_t> whole;
  for (const double value : read_hdf5_numbers<double>(dataset)) {
    if (!(std::abs(value) <= largest_exact) || value != std::trunc(value)) {
      throw InputError(hdf5_location(dataset) + ": " + number_text(value) +
                       " is not a whole number");
    }
    whole.push_back(static_cast<std::int64_t>(value));
  }
  return whole;
}

template <class Number>
std::vector<Number> read_hdf5_numbers(hid_t object, const std::string& attribute) {
  const Hdf5Object opened = open_attribute(object, attribute);
  std::vector<Number> values;
  read_numbers(attribute_source(opened, object, attribute), values);
  return values;
}

std::vector<std::string> read_hdf5_strings(hid_t dataset) {
  return read_strings(dataset_source(dataset));
}

std::vector<std::string> read_hdf5_strings(hid_t object, const std::string& attribute) {
  const Hdf5Object opened = open_attribute(object, attribute);
  return read_strings(attribute_source(opened, object, attribute));
}

template std::optional<double> hdf5_fill_value(hid_t);
template std::optional<std::int64_t> hdf5_fill_value(hid_t);
template std::vector<double> read_hdf5_numbers(hid_t);
template std::vector<std::int32_t> read_hdf5_numbers(hid_t);
template std::vector<std::int64_t> read_hdf5_numbers(hid_t);
template std::vector<std::uint32_t> read_hdf5_numbers(hid_t);
template std::vector<std::uint64_t> read_hdf5_numbers(hid_t);
template void read_hdf5_numbers(hid_t, std::vector<double>&);
template std::vector<double> read_hdf5_numbers(hid_t, const std::string&);
template std::vector<std::int32_t> read_hdf5_numbers(hid_t, const std::string&);
template std::vector<std::int64_t> read_hdf5_numbers(hid_t, const std::string&);

}  // namespace starhist::io
