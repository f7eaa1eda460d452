#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <starpu.h>

#include "codelets/core/base/error.hh"
#include "tasks/runtime/check.hh"

namespace starhist::tasks {

/// Owns a registration of data with StarPU. Destruction waits for the tasks that use
/// the data, and brings their last value back to the memory that was registered.
class DataHandle {
 public:
  /// None.
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

  /// Null where there is none.
  starpu_data_handle_t get() const { return handle_; }

  /// Frees the data when the tasks submitted so far have used it, without waiting for
  /// them. Only for memory that StarPU owns. There is no handle afterwards.
  void release_after_use() {
    if (handle_ != nullptr) {
      starpu_data_unregister_submit(std::exchange(handle_, nullptr));
    }
  }

 private:
  starpu_data_handle_t handle_ = nullptr;
};

/// Registers a vector of `size` elements in `memory`, which must live longer, of this
/// memory node of StarPU. Null, or the overload without memory: StarPU allocates it
/// when it is written first. Throws InputError for more than 2^32 - 1 elements, which
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

/// A vector that the submitting thread may use, in main memory, while this lives.
template <class T>
class AcquiredVector {
 public:
  /// Waits for the tasks that the mode depends on. `action` completes the message
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

/// A vector of `size` elements that StarPU owns, filled by fill(T*). Throws as
/// make_vector_handle() and AcquiredVector do.
template <class T, class Fill>
DataHandle make_filled_vector(std::size_t size, const std::string& action, Fill fill) {
  DataHandle handle = make_vector_handle<T>(size);
  fill(AcquiredVector<T>(handle, STARPU_W, action).data());
  return handle;
}

}  // namespace starhist::tasks
