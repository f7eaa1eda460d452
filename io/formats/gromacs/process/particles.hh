#pragma once

#include <string>

#include "io/decoder/protocol.hh"

namespace starhist::io::gromacs {

struct Particles {
  ParticleTable table;
  Pbc pbc = Pbc::unknown;
};

/// Reads the atoms of a structure (G96) or of a topology (TPR).
Particles read_particles(const std::string& path);

}  // namespace starhist::io::gromacs
