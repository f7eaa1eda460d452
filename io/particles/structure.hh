#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/particles/particle_table.hh"
#include "io/particles/read_from.hh"

namespace starhist::io {

/// Periodicity according to a structure file. The values are part of the protocol of
/// starhist-gromacs.
enum class Pbc : char { unknown = 'u', none = 'n', xy = '2', xyz = '3', screw = 's' };

/// Particle properties from a structure file, for a trajectory that lacks them.
struct Structure {
  std::string path;
  ParticleTable particles;
  Pbc pbc = Pbc::unknown;
  /// Units of the simulation according to the file; "": not specified.
  std::string length_unit = {};
  std::string time_unit = {};
  /// Messages about guessed properties, for TrajectoryInfo::remarks.
  std::vector<std::string> remarks = {};
  /// Sources of names, elements and residues, and assumptions.
  ReadFrom from = {};
};

/// Null without a structure. Shared by the readers of one trajectory.
using SharedStructure = std::shared_ptr<const Structure>;

/// Adds to `table`, the particles of the file at `path`, the columns that only the
/// structure has; added names become the species. Particles are matched by id, and the
/// file may hold a subset of the structure; if the structure has no ids, by the order
/// of their ids. Throws InputError if `table` has no ids, for an id that the structure
/// lacks, and if numbers of particles or types differ.
void add_structure(const Structure& structure, const std::string& path,
                   ParticleTable& table);

/// Like add_structure(), for formats whose particles have the same order in every
/// frame: if either side lacks ids, particles are matched by position. Names of the
/// structure replace names of the file.
void name_by_structure(const Structure& structure, const std::string& path,
                       ParticleTable& table);

/// Throws InputError if the atoms `own` that the file at `path` names are not the
/// structure's in the same order. Returns at once if their numbers differ.
void check_own_atoms(const Structure& structure, const std::string& path,
                     const ParticleTable& own);

}  // namespace starhist::io
