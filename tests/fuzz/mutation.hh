#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace starhist::fuzz {

/// Files made from others by small damages: bits, numbers, pieces, ends.
class Mutation {
 public:
  /// `originals`: the contents of one or more files.
  explicit Mutation(std::vector<std::string> originals)
      : originals_(std::move(originals)) {}

  /// The file with this number. Reproducible for the same number and originals.
  std::string file(std::uint64_t number) const;

 private:
  std::vector<std::string> originals_;
};

}  // namespace starhist::fuzz
