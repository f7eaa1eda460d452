#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <starpu.h>

#include "codelets/core/base/error.hh"
#include "tasks/runtime/check.hh"

namespace starhist::tasks {

/// Owns a registration of data with StarPU. The destructor waits for the tasks that use
/// the data, and writes their last value back to the registered memory.
class DataHandle {
 public:
  /// An empty handle.
  DataHandle() = default;
  explicit DataHandle(starpu_data_handle_t handle) : handle_(handle) {}
  DataHandle(DataHandle&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)) {}
  DataHandle& operator=(DataHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  DataHandle(const DataHandle&) = delete;
  DataHandle& operator=(const DataHandle&) = delete;
  ~DataHandle() {
    if (handle_ != nullptr) {
      starpu_data_unregister(handle_);
    }
  }

  /// Null if the handle is empty.
  starpu_data_handle_t get() const { return handle_; }

  /// Frees the data after the tasks submitted so far have used it, without waiting for
  /// them. Only for memory that StarPU owns. The handle is empty afterwards.
  void release_after_use() {
    if (handle_ != nullptr) {
      starpu_data_unregister_submit(std::exchange(handle_, nullptr));
    }
  }

 private:
  starpu_data_handle_t handle_ = nullptr;
};

/// Registers a vector of `size` elements in `memory`, which must outlive the handle and
/// belong to this memory node of StarPU. If it is null or omitted, StarPU allocates
/// memory on the first write. Throws InputError for more than 2^32 - 1 elements, which
/// StarPU cannot count.
template <class T>
DataHandle make_vector_handle(T* memory, std::size_t size,
                              unsigned node = STARPU_MAIN_RAM) {
  if (size > UINT32_MAX) {
    throw InputError("StarPU cannot handle " + std::to_string(size) +
                     " numbers in one piece (too many particles or bins)");
  }
  starpu_data_handle_t handle = nullptr;
  starpu_vector_data_register(&handle, memory == nullptr ? -1 : static_cast<int>(node),
                              reinterpret_cast<std::uintptr_t>(memory),
                              static_cast<std::uint32_t>(size), sizeof(T));
  return DataHandle(handle);
}
template <class T>
DataHandle make_vector_handle(std::size_t size) {
  return make_vector_handle<T>(nullptr, size);
}

/// Gives the submitting thread access to a vector in main memory during this object's
/// lifetime.
template <class T>
class AcquiredVector {
 public:
  /// Waits for the tasks on which the mode depends. `action` completes the message
  /// "StarPU could not ..." of the RunError if that fails.
  AcquiredVector(const DataHandle& handle, starpu_data_access_mode mode,
                 const std::string& action)
      : handle_(handle.get()) {
    check_starpu(starpu_data_acquire(handle_, mode), action);
  }
  ~AcquiredVector() { starpu_data_release(handle_); }
  AcquiredVector(const AcquiredVector&) = delete;
  AcquiredVector& operator=(const AcquiredVector&) = delete;

  T* data() const { return reinterpret_cast<T*>(starpu_vector_get_local_ptr(handle_)); }

 private:
  starpu_data_handle_t handle_;
};

/// Returns a vector of `size` elements that StarPU owns, filled by fill(T*). Throws
/// like make_vector_handle() and AcquiredVector.
template <class T, class Fill>
DataHandle make_filled_vector(std::size_t size, const std::string& action, Fill fill) {
  DataHandle handle = make_vector_handle<T>(size);
  fill(AcquiredVector<T>(handle, STARPU_W, action).data());
  return handle;
}

}  // namespace starhist::tasks
