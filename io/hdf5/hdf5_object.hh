#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <hdf5.h>

namespace starhist::io {

/// An HDF5 identifier that is closed at the end of its scope.
class Hdf5Object {
 public:
  using Closer = herr_t (*)(hid_t);

  Hdf5Object() = default;
  Hdf5Object(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Hdf5Object(Hdf5Object&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}
  Hdf5Object& operator=(Hdf5Object&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  Hdf5Object(const Hdf5Object&) = delete;
  Hdf5Object& operator=(const Hdf5Object&) = delete;
  ~Hdf5Object() { (void)close(); }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

  /// Closes now and returns what HDF5 returned, negative for a failure (a file that
  /// was written may fail here, on a full disk). Closing nothing succeeds.
  [[nodiscard]] herr_t close() noexcept;

 private:
  hid_t id_ = H5I_INVALID_HID;
  Closer closer_ = nullptr;
};

/// Stops HDF5 from printing its error stack in this thread; every function of io/
/// calls it before its first HDF5 call, as each thread has an error stack of its own.
void silence_hdf5() noexcept;

/// Why the last HDF5 call of this thread failed, in one line: the innermost entry
/// of the error stack. Any further HDF5 call forgets it, so ask at once.
std::string hdf5_reason();

/// "water.h5: /particles/all/position": where `name` below `object` is. An empty
/// `name` means the object itself.
std::string hdf5_location(hid_t object, const std::string& name = "");

/// Throws Error "<place>: <problem> (<reason>)", such as InputError "water.h5:
/// /particles/all/id: cannot be opened (object 'id' doesn't exist)".
template <class Error>
[[noreturn]] void throw_hdf5(hid_t object, const std::string& name,
                             const char* problem) {
  const std::string reason = hdf5_reason();  // first: the place is asked from HDF5
  throw Error(hdf5_location(object, name) + ": " + problem + " (" + reason + ")");
}

/// Takes an identifier that HDF5 has just returned; throws as above if it failed.
template <class Error>
Hdf5Object own_hdf5(hid_t id, Hdf5Object::Closer closer, hid_t object,
                    const std::string& name, const char* problem) {
  if (id < 0) {
    throw_hdf5<Error>(object, name, problem);
  }
  return {id, closer};
}

/// Passes on a status that HDF5 has just returned; throws as above if negative.
template <class Error, class Status>
Status check_hdf5(Status status, hid_t object, const std::string& name,
                  const char* problem) {
  if (status < 0) {
    throw_hdf5<Error>(object, name, problem);
  }
  return status;
}

/// The memory type of a number: H5T_NATIVE_DOUBLE and so on.
template <class Number>
hid_t hdf5_type();
template <>
hid_t hdf5_type<float>();
template <>
hid_t hdf5_type<double>();
template <>
hid_t hdf5_type<std::int32_t>();
template <>
hid_t hdf5_type<std::int64_t>();
template <>
hid_t hdf5_type<std::uint32_t>();
template <>
hid_t hdf5_type<std::uint64_t>();

}  // namespace starhist::io
