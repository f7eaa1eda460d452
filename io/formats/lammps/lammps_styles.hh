#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace starhist::io {

/// Where the lines of an atom style have what, in the section Atoms of a LAMMPS data
/// file (LAMMPS manual, read_data). Columns count from 0; the id is the first.
struct AtomStyle {
  std::string name;  ///< as LAMMPS' command atom_style has it: "full"
  std::size_t type = 0;
  std::optional<std::size_t> molecule;
  std::size_t position = 0;  ///< of x; y and z follow
};

/// Empty for a name that is no atom style.
std::optional<AtomStyle> find_atom_style(std::string_view name);

/// Names of atom styles, for messages.
std::string atom_style_names();

/// What the lines of a section Atoms have in common, from which its style is guessed.
struct AtomLines {
  std::size_t columns = 0;
  bool types_in_third = true;  ///< the third column has nothing but types
  bool images_at_end = true;  ///< the last three columns have nothing but whole numbers
};

/// The style of such lines: atomic, charge, molecular, full or sphere. Empty where the
/// columns are of none of these.
std::optional<AtomStyle> guess_atom_style(const AtomLines& lines);

}  // namespace starhist::io
