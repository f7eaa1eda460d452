#pragma once

#include <string>
#include <vector>

#include "io/particles/particle_list.hh"

namespace starhist::io {

/// The groups of a GROMACS index file (.ndx) in file order. Each is a name in brackets
/// followed by atom numbers, counted from 1.
class IndexGroups {
 public:
  /// Reads a file, plain or compressed. Throws InputError with the line number if it is
  /// not an index file.
  explicit IndexGroups(const std::string& path);

  std::vector<std::string> names() const;

  /// Returns the group `name`. Throws InputError if it is missing (and lists all
  /// names), occurs twice, or is empty.
  SharedParticleList find(const std::string& name) const;

 private:
  std::string path_;
  std::vector<std::string> names_;
  std::vector<SharedParticleList> lists_;
};

}  // namespace starhist::io
