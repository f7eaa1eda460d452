#include "io/particles/particle_field.hh"

#include <algorithm>
#include <array>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/particles/species_order.hh"

namespace starhist::io {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<std::int64_t>;

/// Word of a field, and its column, of which there is at most one.
struct Field {
  const char* word;
  Texts ParticleTable::*texts = nullptr;
  Numbers ParticleTable::*numbers = nullptr;
};

/// In the order of ParticleField.
constexpr std::array<Field, column_fields + 1> all_fields{{
    {"id", nullptr, &ParticleTable::id},
    {"species", &ParticleTable::species},
    {"name", &ParticleTable::name},
    {"type", &ParticleTable::type},
    {"element", &ParticleTable::element},
    {"resname", &ParticleTable::residue_name},
    {"resid", nullptr, &ParticleTable::residue},
    {"icode", &ParticleTable::insertion_code},
    {"chain", &ParticleTable::chain},
    {"segment", &ParticleTable::segment},
    {"altloc", &ParticleTable::alternate_location},
    {"molecule", nullptr, &ParticleTable::molecule},
    {"index"},
}};

const Field& entry_of(ParticleField field) {
  return all_fields[static_cast<std::size_t>(field)];
}

/// Returns the member that is a field's column. Throws InternalError if it is null.
template <class Column>
Column ParticleTable::*member(Column ParticleTable::*column, ParticleField field) {
  if (column == nullptr) {
    throw InternalError("the column " + word_of(field) + " has values of another type");
  }
  return column;
}

}  // namespace

ParticleField column_field(std::size_t column) {
  return static_cast<ParticleField>(column);
}

std::string word_of(ParticleField field) {
  return entry_of(field).word;
}

std::optional<ParticleField> find_field(const std::string& word) {
  const auto* const found =
      std::find_if(all_fields.begin(), all_fields.end(),
                   [&](const Field& field) { return field.word == word; });
  return found == all_fields.end()
             ? std::nullopt
             : std::optional(static_cast<ParticleField>(found - all_fields.begin()));
}

bool is_number(ParticleField field) {
  return entry_of(field).texts == nullptr;
}

std::vector<std::string>& text_column(ParticleTable& table, ParticleField field) {
  return table.*member(entry_of(field).texts, field);
}

const std::vector<std::string>& text_column(const ParticleTable& table,
                                            ParticleField field) {
  return table.*member(entry_of(field).texts, field);
}

std::vector<std::int64_t>& number_column(ParticleTable& table, ParticleField field) {
  return table.*member(entry_of(field).numbers, field);
}

const std::vector<std::int64_t>& number_column(const ParticleTable& table,
                                               ParticleField field) {
  return table.*member(entry_of(field).numbers, field);
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
