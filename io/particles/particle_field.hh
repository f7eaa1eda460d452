#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// What of a particle a selection can look at.
enum class ParticleField {
  id,
  species,
  name,
  type,
  element,
  residue_name,
  residue,
  molecule,
  index,  ///< place in the table, from 1; the last, as it is no column
};

/// The fields that are columns of a table.
inline constexpr std::size_t column_fields =
    static_cast<std::size_t>(ParticleField::index);
ParticleField column_field(std::size_t column);

/// The word for it in selections: "resname".
std::string word_of(ParticleField field);
std::optional<ParticleField> find_field(const std::string& word);

/// Whether it is a whole number; else it is text.
bool is_number(ParticleField field);

/// The column, empty when the file does not tell it. The field must be of that kind,
/// and not `index`.
std::vector<std::string>& text_column(ParticleTable& table, ParticleField field);
const std::vector<std::string>& text_column(const ParticleTable& table,
                                            ParticleField field);
std::vector<std::int64_t>& number_column(ParticleTable& table, ParticleField field);
const std::vector<std::int64_t>& number_column(const ParticleTable& table,
                                               ParticleField field);

/// Whether the file tells it.
bool has_field(const ParticleTable& table, ParticleField field);

/// "name, resname, resid, index".
std::string fields_text(const ParticleTable& table);

/// What occurs in a column, in order; text sorted, and shortened when it is much:
/// "HW1, HW2, OW", "1 .. 216".
std::string values_text(const ParticleTable& table, ParticleField field);

}  // namespace starhist::io
