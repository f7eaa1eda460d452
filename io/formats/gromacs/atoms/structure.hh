#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "io/formats/gromacs/decoder/gromacs_process.hh"
#include "io/particles/particle_table.hh"

namespace starhist::io {

/// What a structure file says of the atoms of a trajectory.
struct Structure {
  std::string path;
  ParticleTable particles;
  gromacs::Pbc pbc = gromacs::Pbc::unknown;
};

/// "gro" of "conf.GRO" and "conf.gro.gz", for the endings of GROMACS' files; "ent" is
/// "pdb". "" for others.
std::string gromacs_ending(const std::string& path);

/// Whether a G96 file names its atoms: those of trajectories have positions alone.
bool g96_has_names(const std::string& path);

/// Reads GRO, PDB, G96 or TPR. Throws InputError.
std::shared_ptr<const Structure> read_structure(const std::string& path);

/// The same of a file's bytes; `ending` tells the format. Messages do not name it.
std::shared_ptr<const Structure> read_structure(const std::string& path,
                                                const std::string& ending,
                                                std::string_view bytes);

}  // namespace starhist::io
