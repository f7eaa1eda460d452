#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/geometry/box.hh"
#include "io/text/text_file.hh"
#include "io/text/text_particles.hh"

namespace starhist::io {

/// What stands before the atoms of a frame in a LAMMPS text dump.
struct LammpsHeader {
  std::int64_t step = 0;
  double time = no_time;
  std::uint64_t atoms = 0;
  Vec3 origin;
  std::array<Vec3, 3> edges{};  ///< also of axes that are not periodic
  std::array<bool, 3> periodic{};
  std::vector<std::string> columns;  ///< "id", "type", "xs", ...
  /// "real", "lj", ...; "" where neither this frame nor one that was read into the same
  /// header says it.
  std::string units;

  /// Throws InputError unless the cell can be used.
  Box box() const { return Box(edges, periodic); }
};

/// Which columns hold what.
struct LammpsColumns {
  std::optional<std::size_t> species;  ///< `element`, or `type` where there is none
  std::size_t position[3] = {};
  bool scaled = false;  ///< to fractions of the cell
  ParticleColumns particles;

  /// Throws InputError when there are no positions.
  explicit LammpsColumns(const std::vector<std::string>& names);
};

/// Reads up to the first atom. False when the file ends before. Throws InputError, with
/// the number of the line, for what is no LAMMPS dump.
bool read_lammps_header(TextFile& file, LammpsHeader& header);

}  // namespace starhist::io
