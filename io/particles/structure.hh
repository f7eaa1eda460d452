#pragma once

#include <memory>
#include <string>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Periodicity as a structure file states it. The values are those that starhist and
/// starhist-gromacs exchange.
enum class Pbc : char { unknown = 'u', none = 'n', xy = '2', xyz = '3', screw = 's' };

/// What a file tells of the atoms of a trajectory, whose frames name none.
struct Structure {
  std::string path;
  ParticleTable particles;
  Pbc pbc = Pbc::unknown;
};

/// Null where there is no structure. Shared by the readers of one trajectory.
using SharedStructure = std::shared_ptr<const Structure>;

}  // namespace starhist::io
