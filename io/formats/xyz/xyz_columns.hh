#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/text_particles.hh"

namespace starhist::io {

/// Columns of an atom's line, from 0: name x y z, or as defined by `Properties`:
///
/// - `pos:R:3`: the position, which is required
/// - `species`, `symbols`, `types`, `names`, `elements`, `Z`: the first available one
///   defines the species
/// - `elements`, `symbols`, `Z`, `numbers`, `atomic_numbers`: the element
/// - `id`, `masses`, `charges`, `chain`, `segment`, `icode`, names and numbers of
///   residues, molecules: the property of that name
///
/// Most names are also accepted without the s, and in any case. Other columns, such as
/// forces, are ignored.
struct XyzColumns {
  std::optional<std::size_t> species = 0;
  std::size_t position = 1;   ///< column of x, before y and z
  std::size_t count = 4;      ///< number of columns in a line
  bool exact = false;         ///< further columns are an error
  bool number_first = false;  ///< the first column is a number
  ParticleColumns particles;
  /// Columns with the element, as a symbol or an atomic number.
  std::vector<std::size_t> elements;

  /// Columns of a line with only a name and a position.
  XyzColumns();
  /// Parses `Properties`, "species:S:1:pos:R:3:...": name, kind (R, I, L or S) and
  /// number of columns of each property. Throws InputError.
  explicit XyzColumns(const std::string& properties);

  /// Throws InputError for a line with a wrong number of fields.
  void check_count(std::size_t fields) const;
  /// Throws InputError if two columns contain different elements.
  void check_elements(const std::vector<std::string_view>& fields) const;
};

}  // namespace starhist::io
