#include "io/particles/particle_field.hh"

#include <algorithm>
#include <array>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/particles/species_order.hh"

namespace starhist::io {
namespace {

/// Words of the fields, in the order of ParticleField.
constexpr std::array<const char*, column_fields + 1> words{
    "id",    "species", "name",    "type",   "element",  "resname", "resid",
    "icode", "chain",   "segment", "altloc", "molecule", "index"};

std::vector<std::string> ParticleTable::*text_member(ParticleField field) {
  switch (field) {
    case ParticleField::species:
      return &ParticleTable::species;
    case ParticleField::name:
      return &ParticleTable::name;
    case ParticleField::type:
      return &ParticleTable::type;
    case ParticleField::element:
      return &ParticleTable::element;
    case ParticleField::residue_name:
      return &ParticleTable::residue_name;
    case ParticleField::insertion_code:
      return &ParticleTable::insertion_code;
    case ParticleField::chain:
      return &ParticleTable::chain;
    case ParticleField::segment:
      return &ParticleTable::segment;
    case ParticleField::alternate_location:
      return &ParticleTable::alternate_location;
    default:
      throw InternalError("the column " + word_of(field) + " was taken for text");
  }
}

std::vector<std::int64_t> ParticleTable::*number_member(ParticleField field) {
  switch (field) {
    case ParticleField::id:
      return &ParticleTable::id;
    case ParticleField::residue:
      return &ParticleTable::residue;
    case ParticleField::molecule:
      return &ParticleTable::molecule;
    default:
      throw InternalError("the column " + word_of(field) + " was taken for numbers");
  }
}

}  // namespace

ParticleField column_field(std::size_t column) {
  return static_cast<ParticleField>(column);
}

std::string word_of(ParticleField field) {
  return words[static_cast<std::size_t>(field)];
}

std::optional<ParticleField> find_field(const std::string& word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end()
             ? std::nullopt
             : std::optional(static_cast<ParticleField>(found - words.begin()));
}

bool is_number(ParticleField field) {
  switch (field) {
    case ParticleField::id:
    case ParticleField::residue:
    case ParticleField::molecule:
    case ParticleField::index:
      return true;
    default:
      return false;
  }
}

std::vector<std::string>& text_column(ParticleTable& table, ParticleField field) {
  return table.*text_member(field);
}

const std::vector<std::string>& text_column(const ParticleTable& table,
                                            ParticleField field) {
  return table.*text_member(field);
}

std::vector<std::int64_t>& number_column(ParticleTable& table, ParticleField field) {
  return table.*number_member(field);
}

const std::vector<std::int64_t>& number_column(const ParticleTable& table,
                                               ParticleField field) {
  return table.*number_member(field);
}

bool has_field(const ParticleTable& table, ParticleField field) {
  if (field == ParticleField::index) {
    return true;
  }
  return is_number(field) ? !number_column(table, field).empty()
                          : !text_column(table, field).empty();
}

std::string fields_text(const ParticleTable& table) {
  std::vector<std::string> told;
  for (std::size_t k = 0; k <= column_fields; ++k) {
    if (has_field(table, column_field(k))) {
      told.push_back(word_of(column_field(k)));
    }
  }
  return join(told, ", ");
}

std::string values_text(const ParticleTable& table, ParticleField field) {
  if (field == ParticleField::index) {
    return "1 .. " + std::to_string(table.count);
  }
  if (is_number(field)) {
    const auto& numbers = number_column(table, field);
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    return low == numbers.end() ? ""
                                : std::to_string(*low) + " .. " + std::to_string(*high);
  }
  std::vector<std::string> names = text_column(table, field);
  sort_species(names);
  return listed(names);
}

}  // namespace starhist::io
