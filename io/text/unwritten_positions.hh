#pragma once

#include <cstdint>
#include <string>

#include "codelets/core/base/vec3.hh"

namespace starhist::io {

/// Throws InputError, because particles `first` to `last` all have this position.
[[noreturn]] void refuse_unwritten(std::uint64_t first, std::uint64_t last,
                                   const std::string& position);

/// Detects positions that were never written, like check_positions() (io/reader), in
/// finite positions that are read one by one in file order.
class UnwrittenPositions {
 public:
  /// Throws InputError when eight consecutive positions are zero.
  void add(const Vec3& position) {
    ++count_;
    run_ = position == Vec3{} ? run_ + 1 : 0;
    if (run_ > longest_chance) {
      refuse();
    }
  }
  /// To be called after the last position. Throws InputError if there are several
  /// positions and all are zero.
  void finish() const {
    if (run_ > 1 && run_ == count_) {
      refuse();
    }
  }

 private:
  static constexpr std::uint64_t longest_chance = 7;
  [[noreturn]] void refuse() const;

  std::uint64_t count_ = 0;
  std::uint64_t run_ = 0;  ///< length of the current run of zero positions
};

}  // namespace starhist::io
