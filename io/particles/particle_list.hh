#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace starhist::io {

/// Particles that a file lists.
struct ParticleList {
  std::string source;                  ///< "groups.ndx: the group 'SOL'", for messages
  std::vector<std::uint64_t> numbers;  ///< places in the ParticleTable, from 1; in any
                                       ///< order, may repeat
};

using SharedParticleList = std::shared_ptr<const ParticleList>;

}  // namespace starhist::io
