#pragma once

#include <cstdint>
#include <string_view>

namespace starhist::io {

/// A sequence of numbers of any width, most significant bit first. All bits after the
/// end are 0, and ok() is false.
class BitStream {
 public:
  explicit BitStream(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the next `count` bits [0, 32] as a number.
  std::uint32_t take(unsigned count) {
    if (held_ < count) {
      refill();
    }
    held_ -= count;
    const std::uint64_t mask = (std::uint64_t{1} << count) - 1U;
    return static_cast<std::uint32_t>(bits_ >> held_ & mask);
  }

  /// False once a bit after the end has been taken.
  bool ok() const { return behind_end_ * 8U <= held_; }

 private:
  /// Makes at least 32 bits available.
  void refill() {
    if (next_ + 4 <= bytes_.size()) {
      const auto byte = [&](std::size_t k) {
        return std::uint64_t{static_cast<unsigned char>(bytes_[next_ + k])};
      };
      bits_ = bits_ << 32U | byte(0) << 24U | byte(1) << 16U | byte(2) << 8U | byte(3);
      next_ += 4;
      held_ += 32;
      return;
    }
    while (held_ < 32) {
      const bool left = next_ < bytes_.size();
      bits_ = bits_ << 8U | (left ? static_cast<unsigned char>(bytes_[next_])
                                  : static_cast<unsigned char>(0));
      next_ += left ? 1 : 0;
      behind_end_ += left ? 0U : 1U;
      held_ += 8;
    }
  }

  std::string_view bytes_;
  std::size_t next_ = 0;
  std::uint64_t bits_ = 0;  ///< the last held_ bits have not been taken yet
  unsigned held_ = 0;
  std::uint64_t behind_end_ = 0;  ///< zero bytes appended to `bytes_`
};

}  // namespace starhist::io
