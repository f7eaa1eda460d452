#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/particles/particle_table.hh"
#include "io/particles/read_from.hh"

namespace starhist::io {

/// Periodicity as a structure file states it. The values are those that starhist and
/// starhist-gromacs exchange.
enum class Pbc : char { unknown = 'u', none = 'n', xy = '2', xyz = '3', screw = 's' };

/// What a file tells of the atoms of a trajectory, whose frames name none.
struct Structure {
  std::string path;
  ParticleTable particles;
  Pbc pbc = Pbc::unknown;
  /// Units of the simulation that it is of, as the file states them; "": it does not.
  std::string length_unit = {};
  std::string time_unit = {};
  /// Sentences about what was guessed of the file, for TrajectoryInfo::remarks.
  std::vector<std::string> remarks = {};
  /// Phrases about names, elements and residues, and assumptions.
  ReadFrom from = {};
};

/// Null where there is no structure. Shared by the readers of one trajectory.
using SharedStructure = std::shared_ptr<const Structure>;

/// Adds what a structure tells and `table` does not of the particles of the file at
/// `path`; the species become the names, where these are added. Particles are matched
/// by their ids, where the structure has ids, and may be some of its own; else by the
/// order of their ids. Throws InputError where `table` has no ids, for an id that the
/// structure does not have, and where the two differ in number or in types.
void add_structure(const Structure& structure, const std::string& path,
                   ParticleTable& table);

/// The same for formats whose particles are in the same order in every frame: without
/// ids in one of the two they are matched by their places. Names of the structure take
/// the place of those of the file.
void name_by_structure(const Structure& structure, const std::string& path,
                       ParticleTable& table);

}  // namespace starhist::io
