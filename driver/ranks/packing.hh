#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "codelets/core/base/error.hh"

namespace starhist::driver {

/// Appends values to bytes. A struct is packed by a function fields(archive, value),
/// which calls the archive for each of its members.
class Packer {
 public:
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      append(&value, sizeof value);
    } else {
      fields(*this, value);
    }
  }
  void operator()(std::string& text) { sequence(text); }
  template <class T>
  void operator()(std::vector<T>& values) {
    if constexpr (std::is_arithmetic_v<T>) {
      sequence(values);
    } else {
      std::uint64_t size = values.size();
      (*this)(size);
      for (T& value : values) {
        (*this)(value);
      }
    }
  }

  std::vector<char> bytes;

 private:
  template <class Sequence>
  void sequence(Sequence& values) {
    std::uint64_t size = values.size();
    (*this)(size);
    append(values.data(), size * sizeof values[0]);
  }
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const char*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

/// Takes values from bytes in the same order. Throws InternalError where there are too
/// few.
class Unpacker {
 public:
  explicit Unpacker(const std::vector<char>& bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      take(&value, sizeof value);
    } else {
      fields(*this, value);
    }
  }
  void operator()(std::string& text) { sequence(text); }
  template <class T>
  void operator()(std::vector<T>& values) {
    if constexpr (std::is_arithmetic_v<T>) {
      sequence(values);
    } else {
      std::uint64_t size = 0;
      (*this)(size);
      check(size);
      values.resize(size);
      for (T& value : values) {
        (*this)(value);
      }
    }
  }

 private:
  template <class Sequence>
  void sequence(Sequence& values) {
    std::uint64_t size = 0;
    (*this)(size);
    check(size);
    values.resize(size);
    take(values.data(), size * sizeof values[0]);
  }
  /// Each value takes a byte at least.
  void check(std::uint64_t size) const {
    if (size > bytes_.size() - next_) {
      throw InternalError("a message between ranks is too short");
    }
  }
  void take(void* data, std::size_t size) {
    check(size);
    if (size > 0) {
      std::memcpy(data, bytes_.data() + next_, size);
    }
    next_ += size;
  }

  const std::vector<char>& bytes_;
  std::size_t next_ = 0;
};

}  // namespace starhist::driver
