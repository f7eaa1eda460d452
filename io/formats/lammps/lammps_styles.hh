#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace starhist::io {

/// Columns of an atom style in the section Atoms of a LAMMPS data file (LAMMPS manual,
/// read_data; where it differs from LAMMPS' fields_data_atom, LAMMPS counts). Columns
/// count from 0; the id is the first.
struct AtomStyle {
  std::string name;  ///< name in LAMMPS' command atom_style: "full"
  std::size_t type = 0;
  std::optional<std::size_t> molecule;
  std::size_t position = 0;  ///< column of x; y and z follow
  /// Number of columns, without the three image numbers that may follow; 0 if styles or
  /// options that the file does not state decide.
  std::size_t columns = 0;
  std::optional<std::size_t> charge = {};
};

/// Returns the style of this name, or of its variant for accelerators ("full/kk");
/// empty for an unknown name.
std::optional<AtomStyle> find_atom_style(std::string_view name);

/// Lists the names of atom styles, for messages.
std::string atom_style_names();

/// Properties common to the lines of a section Atoms, from which the style is guessed.
struct AtomLines {
  std::size_t columns = 0;
  bool types_in_third = true;  ///< the third column contains only types
  bool images_at_end = true;   ///< the last three columns contain only whole numbers
};

/// Guesses the style of such lines: atomic, charge, molecular, full or sphere. Empty if
/// the columns do not match.
std::optional<AtomStyle> guess_atom_style(const AtomLines& lines);

}  // namespace starhist::io
