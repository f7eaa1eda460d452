#include "io/hdf5/hdf5_object.hh"

#include <algorithm>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

namespace starhist::io {
namespace {

/// Callback for an upward walk of the error stack: keeps the description of the
/// innermost entry, which comes first. Stops the walk if memory runs out.
herr_t keep_first(unsigned depth, const H5E_error2_t* entry, void* text) {
  try {
    if (depth == 0 && entry->desc != nullptr) {
      *static_cast<std::string*>(text) = entry->desc;
    }
    return 0;
  } catch (const std::bad_alloc&) {  // exceptions must not pass through HDF5
    return -1;
  }
}

/// The operating system's reason in the description of a failed access to a file, which
/// also has the time, the file's name and addresses, in two lines.
std::optional<std::string> system_error_in(const std::string& text) {
  constexpr std::string_view before = "error message = '";
  const std::size_t found = text.find(before);
  if (found == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t begin = found + before.size();
  return text.substr(begin, text.find('\'', begin) - begin);
}

std::string name_of(ssize_t (*ask)(hid_t, char*, size_t), hid_t object) {
  const ssize_t length = ask(object, nullptr, 0);
  if (length <= 0) {
    return "";
  }
  std::vector<char> name(static_cast<std::size_t>(length) + 1);
  return ask(object, name.data(), name.size()) > 0 ? std::string(name.data()) : "";
}

}  // namespace

herr_t Hdf5Object::close() noexcept {
  if (id_ < 0) {
    return 0;
  }
  silence_hdf5();
  return closer_(std::exchange(id_, H5I_INVALID_HID));
}

void silence_hdf5() noexcept {
  // At exit, HDF5 would close all open objects, and crash on a file that could not be
  // closed. This call has no effect after the first HDF5 call.
  static const herr_t left_open = H5dont_atexit();
  (void)left_open;
  thread_local const herr_t silenced = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  (void)silenced;
}

herr_t append_name(std::vector<std::string>& names, const char* name) noexcept {
  try {
    names.emplace_back(name);
    return 0;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

std::string hdf5_reason() {
  std::string text;
  if (H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text) < 0 || text.empty()) {
    return "HDF5 gives no reason";
  }
  return system_error_in(text).value_or(text);
}

std::string hdf5_location(hid_t object, const std::string& name) {
  silence_hdf5();
  std::string file = name_of(H5Fget_name, object);
  file.resize(std::min(file.size(), file.find(hdf5_image_suffix)));
  std::string path = name_of(H5Iget_name, object);
  if (!name.empty()) {
    path += (path.empty() || path.back() == '/' ? "" : "/") + name;
  }
  return file + (path.empty() || path == "/" ? "" : ": " + path);
}

// HDF5's type names are macros that call HDF5 each time, and wait for its lock.
template <>
hid_t hdf5_type<float>() {
  static const hid_t type = H5T_NATIVE_FLOAT;
  return type;
}
template <>
hid_t hdf5_type<double>() {
  static const hid_t type = H5T_NATIVE_DOUBLE;
  return type;
}
template <>
hid_t hdf5_type<std::int32_t>() {
  static const hid_t type = H5T_NATIVE_INT32;
  return type;
}
template <>
hid_t hdf5_type<std::int64_t>() {
  static const hid_t type = H5T_NATIVE_INT64;
  return type;
}
template <>
hid_t hdf5_type<std::uint32_t>() {
  static const hid_t type = H5T_NATIVE_UINT32;
  return type;
}
template <>
hid_t hdf5_type<std::uint64_t>() {
  static const hid_t type = H5T_NATIVE_UINT64;
  return type;
}

}  // namespace starhist::io
