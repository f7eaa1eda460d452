#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "codelets/core/base/error.hh"

namespace starhist::io {

/// An HDF5 identifier that is closed at the end of its scope; false if it is empty.
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

  /// Closes the identifier. Returns HDF5's status, negative for a failure: a full disk
  /// may cause closing a written file to fail. Closing an empty object succeeds.
  [[nodiscard]] herr_t close() noexcept;

 private:
  hid_t id_ = H5I_INVALID_HID;
  Closer closer_ = nullptr;
};

/// Stops HDF5 from printing its error stack in this thread. Functions of io/ call it
/// before their first HDF5 call, because each thread has its own error stack.
void silence_hdf5() noexcept;

/// Returns the reason for the failure of this thread's last HDF5 call, in one line: the
/// innermost entry of the error stack. Any further HDF5 call clears it.
std::string hdf5_reason();

/// Adds a name; for callbacks of HDF5 iterations, which must not throw. Returns a
/// negative status if memory runs out.
herr_t append_name(std::vector<std::string>& names, const char* name) noexcept;

/// End of the names of HDF5 files in memory, which hdf5_location() omits.
inline constexpr const char* hdf5_image_suffix = "/\n";

/// Returns the HDF5 location of `name` below `object`, or of the object itself for "":
/// "water.h5: /particles/all/position".
std::string hdf5_location(hid_t object, const std::string& name = "");

/// Problem of reading (InputError) or writing (RunError), unless another is given.
template <class Error>
inline constexpr const char* usual_problem = "cannot be read";
template <>
inline constexpr const char* usual_problem<RunError> = "cannot be written";

/// Throws Error "<location>: <problem> (<reason>)", such as InputError "water.h5:
/// /particles/all/id: cannot be opened (object 'id' doesn't exist)".
template <class Error>
[[noreturn]] void throw_hdf5(hid_t object, const std::string& name = "",
                             const char* problem = usual_problem<Error>) {
  const std::string reason = hdf5_reason();  // before hdf5_location(), which calls HDF5
  throw Error(hdf5_location(object, name) + ": " + problem + " (" + reason + ")");
}

/// Takes ownership of an identifier just returned by HDF5; throws like throw_hdf5() if
/// it is negative.
template <class Error>
Hdf5Object own_hdf5(hid_t id, Hdf5Object::Closer closer, hid_t object,
                    const std::string& name = "",
                    const char* problem = usual_problem<Error>) {
  if (id < 0) {
    throw_hdf5<Error>(object, name, problem);
  }
  return {id, closer};
}

/// Returns a status just returned by HDF5; throws like throw_hdf5() if it is negative.
template <class Error, class Status>
Status check_hdf5(Status status, hid_t object, const std::string& name = "",
                  const char* problem = usual_problem<Error>) {
  if (status < 0) {
    throw_hdf5<Error>(object, name, problem);
  }
  return status;
}

/// Returns the HDF5 type of a number in memory, such as H5T_NATIVE_DOUBLE.
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
