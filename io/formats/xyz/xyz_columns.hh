#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/text_particles.hh"

namespace starhist::io {

/// Columns of an atom's line, from 0: name x y z, or those of `Properties`.
///
/// * `pos:R:3`: the position. Without it `Properties` is refused.
/// * `species`, `symbols`, `types`, `names`, `elements`, `Z`: the first that is there
///   names the species.
/// * `elements`, `symbols`, `Z`, `numbers`, `atomic_numbers`: the element.
/// * `id`, `masses`, `charges`, `chain`, `segment`, `icode`, names and numbers of
///   residues, molecules: the property of that name.
///
/// Most may be written without the s, in any case of letters. Other columns, such as
/// forces, hold nothing that is needed.
struct XyzColumns {
  std::optional<std::size_t> species = 0;
  std::size_t position = 1;   ///< of x, before y and z
  std::size_t count = 4;      ///< of a line
  bool exact = false;         ///< whether a line may not have more
  bool number_first = false;  ///< whether the first column is a number
  ParticleColumns particles;
  /// Columns that tell the element, as a symbol or an atomic number.
  std::vector<std::size_t> elements;

  /// Columns of a line that has only names and positions.
  XyzColumns();
  /// Of `Properties`, "species:S:1:pos:R:3:...": name, kind (R, I, L or S) and number
  /// of columns of each property. Throws InputError.
  explicit XyzColumns(const std::string& properties);

  /// Throws InputError for a line with another number of fields.
  void check_count(std::size_t fields) const;
  /// Throws InputError where two columns tell different elements.
  void check_elements(const std::vector<std::string_view>& fields) const;
};

}  // namespace starhist::io
