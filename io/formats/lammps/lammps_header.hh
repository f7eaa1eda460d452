#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/geometry/box.hh"
#include "io/formats/lammps/lammps_box.hh"
#include "io/text/text_file.hh"
#include "io/text/text_particles.hh"

namespace starhist::io {

/// What stands before the atoms of a frame in a LAMMPS text dump.
///
/// | item | use |
/// |---|---|
/// | `UNITS`, `TIME`, `TIMESTEP` | units, time and step; the first two may be missing |
/// | `NUMBER OF ATOMS` | as many lines follow `ATOMS` |
/// | `BOX BOUNDS` | lammps_box(); a frame without it has no box |
/// | `ATOMS` | names of the columns: LammpsColumns |
///
/// Other items, and an item that a frame has twice, are refused.
struct LammpsHeader {
  std::int64_t step = 0;
  double time = no_time;
  std::uint64_t atoms = 0;
  LammpsBox cell;
  /// Why the box cannot be used, with the line; "": it can, as far as its lines tell.
  std::string box_problem;
  std::vector<std::string> columns;  ///< "id", "type", "xs", ...
  /// "real", "lj", ...; "" where neither this frame nor one that was read into the same
  /// header says it.
  std::string units;
  /// Why the frames that were read into the same header do not go together, or "".
  std::string units_problem;

  /// Throws InputError unless the cell can be used.
  Box box() const;
};

/// Which columns hold what.
struct LammpsColumns {
  /// `element`, else `typelabel`, else `type`.
  std::optional<std::size_t> species;
  std::size_t position[3] = {};
  bool scaled = false;  ///< to fractions of the cell
  ParticleColumns particles;

  /// Throws InputError when there are no positions, or two columns of one name. Columns
  /// that are not in the members above hold nothing that is needed.
  explicit LammpsColumns(const std::vector<std::string>& names);
};

/// Reads up to the first atom. False when the file ends before. Throws InputError, with
/// the number of the line, for what is no LAMMPS dump, and NoFrameBegins where another
/// line than that of an item comes first.
bool read_lammps_header(TextFile& file, LammpsHeader& header);

/// Goes to the next beginning of a frame behind `begin`: an item that cannot belong to
/// the frame at `begin`, at the begin of a line or within one, as a run that is
/// appended to a cut file leaves it. False where there is none.
bool find_lammps_frame(TextFile& file, const TextFile::Position& begin);

}  // namespace starhist::io
