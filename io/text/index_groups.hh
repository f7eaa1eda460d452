#pragma once

#include <string>
#include <vector>

#include "io/particles/particle_list.hh"

namespace starhist::io {

/// The groups of an index file of GROMACS (.ndx), in the order of the file: names in
/// brackets, then numbers of atoms, counted from 1.
class IndexGroups {
 public:
  /// Reads a file, plain or compressed. Throws InputError, with the number of the line,
  /// for what is no index file.
  explicit IndexGroups(const std::string& path);

  std::vector<std::string> names() const;

  /// Throws InputError for a name that is not there, with those that are, or is there
  /// twice, and for a group without atoms.
  SharedParticleList find(const std::string& name) const;

 private:
  std::string path_;
  std::vector<std::string> names_;
  std::vector<SharedParticleList> lists_;
};

}  // namespace starhist::io
