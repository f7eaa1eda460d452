#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/particles/particle_table.hh"

namespace starhist::io {

/// Property of a particle that selections can refer to.
enum class ParticleField {
  id,
  species,
  name,
  type,
  element,
  residue_name,
  residue,
  insertion_code,
  chain,
  segment,
  alternate_location,
  molecule,
  index,  ///< position in the table, from 1; last because it is not a column
};

/// Number of fields that are columns of a table.
inline constexpr std::size_t column_fields =
    static_cast<std::size_t>(ParticleField::index);
/// Returns the field of a column [0, column_fields); column_fields gives `index`.
ParticleField column_field(std::size_t column);

/// Converts between a field and its word in selections, such as "resname".
std::string word_of(ParticleField field);
std::optional<ParticleField> find_field(const std::string& word);

/// Whether the values of a field are whole numbers; otherwise they are text.
bool is_number(ParticleField field);

/// Returns the column of a field; empty if the file does not have it. Throws
/// InternalError for a field of the other value type and for `index`.
std::vector<std::string>& text_column(ParticleTable& table, ParticleField field);
const std::vector<std::string>& text_column(const ParticleTable& table,
                                            ParticleField field);
std::vector<std::int64_t>& number_column(ParticleTable& table, ParticleField field);
const std::vector<std::int64_t>& number_column(const ParticleTable& table,
                                               ParticleField field);

/// Whether the file has the field; always true for `index`.
bool has_field(const ParticleTable& table, ParticleField field);

/// Lists the fields that the file has: "name, resname, resid, index".
std::string fields_text(const ParticleTable& table);

/// Summarizes the values of a column: a range of numbers, "1 .. 216", or at most 12
/// sorted words, "HW1, HW2, OW".
std::string values_text(const ParticleTable& table, ParticleField field);

}  // namespace starhist::io
