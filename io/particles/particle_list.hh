#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace starhist::io {

/// Particles listed in a file, such as an index group.
struct ParticleList {
  std::string source;  ///< description for messages: "groups.ndx: the group 'SOL'"
  /// positions in the ParticleTable, from 1; unordered, may repeat
  std::vector<std::uint64_t> numbers;
};

using SharedParticleList = std::shared_ptr<const ParticleList>;

}  // namespace starhist::io
