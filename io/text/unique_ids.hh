#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace starhist::io {

/// The ids of the atoms of a frame, each of which may stand once.
class UniqueIds {
 public:
  /// Before the lines of a frame of so many atoms.
  void start_frame(std::uint64_t atoms);

  /// Throws InputError for an id that is no whole number, or was there in this frame.
  void add(std::string_view field);

 private:
  /// By id, for ids below most_per_atom times the number of atoms: the frame that had
  /// it last, counted from 1.
  std::vector<std::uint32_t> seen_;
  std::unordered_set<std::int64_t> others_;
  std::uint64_t most_ = 0;
  std::uint32_t frame_ = 0;
};

}  // namespace starhist::io
