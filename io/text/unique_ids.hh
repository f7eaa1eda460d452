#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace starhist::io {

/// Checks that the ids of a frame's atoms are unique.
class UniqueIds {
 public:
  /// To be called before the lines of a frame with `atoms` atoms.
  void start_frame(std::uint64_t atoms);

  /// Throws InputError for an id that is not a whole number or has occurred in this
  /// frame.
  void add(std::string_view field);
  /// False if the id was there in this frame.
  bool insert(std::int64_t id);

 private:
  /// Last frame with each id, counted from 1, for ids below most_per_atom times the
  /// number of atoms; 0: not seen.
  std::vector<std::uint32_t> seen_;
  std::unordered_set<std::int64_t> others_;
  std::uint64_t most_ = 0;
  std::uint32_t frame_ = 0;
};

}  // namespace starhist::io
