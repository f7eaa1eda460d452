#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/core/base/vec3.hh"
#include "codelets/core/counting/frame.hh"
#include "codelets/core/geometry/box.hh"
#include "io/text/text_file.hh"
#include "io/text/text_particles.hh"

namespace starhist::io {

/// The cell of a LAMMPS dump's frame, from `ITEM: BOX BOUNDS` and its three lines.
///
/// These headings of LAMMPS (manual: dump, Howto triclinic) are supported. Each is
/// followed by a pair of the letters p, f, s, m per axis, except in files of old
/// versions, whose boxes are periodic.
///
///     ITEM: BOX BOUNDS                lo hi          of each axis
///     ITEM: BOX BOUNDS xy xz yz       lo hi tilt     of the box around the tilted cell
///     ITEM: BOX BOUNDS abc origin     ax ay az ox    each edge, and the origin
struct LammpsBox {
  Vec3 origin;
  std::array<Vec3, 3> edges{};  ///< also for non-periodic axes
  std::array<bool, 3> periodic{};
};

/// `heading`: the words after BOX BOUNDS; `rows`: the lines below. Throws InputError
/// for an unsupported heading, and for lines that do not match it.
LammpsBox lammps_box(std::string_view heading, const std::vector<std::string>& rows);

/// Header of a frame in a LAMMPS text dump, before the atoms.
///
/// | item | use |
/// |---|---|
/// | `UNITS`, `TIME`, `TIMESTEP` | units, time and step; the first two may be missing |
/// | `NUMBER OF ATOMS` | number of lines after `ATOMS` |
/// | `BOX BOUNDS` | lammps_box(); a frame without it has no box |
/// | `ATOMS` | names of the columns: LammpsColumns |
///
/// Other items, and repeated items, are refused.
struct LammpsHeader {
  std::int64_t step = 0;
  double time = no_time;
  std::uint64_t atoms = 0;
  LammpsBox cell;
  /// Reason, with the line, why the box cannot be used; "": its lines are valid.
  std::string box_problem;
  std::vector<std::string> columns;  ///< "id", "type", "xs", ...
  /// "real", "lj", ...; "" if neither this frame nor an earlier one read into the same
  /// header specifies it.
  std::string units;
  /// Reason why frames read into the same header are incompatible, or "".
  std::string units_problem;
  /// The file has only blank lines where a frame was to be read.
  bool only_blank = false;

  /// Throws InputError if the cell cannot be used.
  Box box() const;
};

/// Columns of a dump, by their names.
struct LammpsColumns {
  /// The first available of `element`, `typelabel` and `type`.
  std::optional<std::size_t> species;
  std::size_t position[3] = {};
  bool scaled = false;  ///< positions are fractions of the cell
  ParticleColumns particles;

  /// Throws InputError when positions are missing, or a column is repeated. Other
  /// columns are ignored.
  explicit LammpsColumns(const std::vector<std::string>& names);
};

/// Reads the header up to the first atom. False at the end of the file. Throws
/// InputError with the line number if the file is not a LAMMPS dump, and NoFrameBegins
/// if the first line is not an item.
bool read_lammps_header(TextFile& file, LammpsHeader& header);

/// Seeks from `begin` to the beginning of the next frame: an item that cannot belong to
/// the frame at `begin`. It may be within a line, if a run was appended to a truncated
/// file. False at the end of the file.
bool find_lammps_frame(TextFile& file, const TextFile::Position& begin);

}  // namespace starhist::io
