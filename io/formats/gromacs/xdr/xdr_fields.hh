#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace starhist::io {

/// Reads consecutive numbers in XDR (RFC 4506): big-endian, IEEE. After the end they
/// are 0, and ok() is false.
class XdrFields {
 public:
  explicit XdrFields(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }

  std::uint32_t take_unsigned() { return static_cast<std::uint32_t>(take(4)); }
  std::int32_t take_int() { return static_cast<std::int32_t>(take_unsigned()); }
  std::uint64_t take_unsigned_hyper() { return take(8); }
  float take_float() { return std::bit_cast<float>(take_unsigned()); }
  double take_double() { return std::bit_cast<double>(take(8)); }
  std::string_view take_bytes(std::size_t count) {
    ok_ = ok_ && count <= bytes_.size();
    const std::string_view taken = bytes_.substr(0, ok_ ? count : 0);
    bytes_.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::uint64_t take(std::size_t count) {
    std::uint64_t value = 0;
    for (const char byte : take_bytes(count)) {
      value = value << 8U | static_cast<unsigned char>(byte);
    }
    return value;
  }

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace starhist::io
