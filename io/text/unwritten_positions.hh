#pragma once

#include <cstdint>
#include <string>

#include "codelets/core/base/vec3.hh"

namespace starhist::io {

/// Throws InputError: particles `first` to `last` all have this position.
[[noreturn]] void refuse_unwritten(std::uint64_t first, std::uint64_t last,
                                   const std::string& position);

/// Looks for positions that were never written: check_positions() (io/reader) for
/// finite positions that are read one after the other, in the order of the file.
class UnwrittenPositions {
 public:
  /// Throws InputError when eight in a row are zero.
  void add(const Vec3& position) {
    ++count_;
    run_ = position == Vec3{} ? run_ + 1 : 0;
    if (run_ > longest_chance) {
      refuse();
    }
  }
  /// After the last one. Throws InputError when there are several and all are zero.
  void finish() const {
    if (run_ > 1 && run_ == count_) {
      refuse();
    }
  }

 private:
  static constexpr std::uint64_t longest_chance = 7;
  [[noreturn]] void refuse() const;

  std::uint64_t count_ = 0;
  std::uint64_t run_ = 0;  ///< zero positions up to the last one
};

}  // namespace starhist::io
