#include "io/selection/species_by.hh"

#include <algorithm>
#include <map>
#include <set>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/species_pair.hh"
#include "io/particles/elements.hh"
#include "io/particles/particle_field.hh"

namespace starhist::io {
namespace {

ParticleField field_of(SpeciesBy by) {
  switch (by) {
    case SpeciesBy::name:
      return ParticleField::name;
    case SpeciesBy::type:
      return ParticleField::type;
    case SpeciesBy::element:
      return ParticleField::element;
    case SpeciesBy::residue_name:
      return ParticleField::residue_name;
    case SpeciesBy::chain:
      return ParticleField::chain;
    case SpeciesBy::segment:
      return ParticleField::segment;
    case SpeciesBy::molecule:
      return ParticleField::molecule;
    case SpeciesBy::file:
    case SpeciesBy::all:
      return ParticleField::species;
  }
  throw InternalError("unknown property of species");
}

SpeciesGroup rule(const std::string& name, ParticleField field, SelectionValue value) {
  Selection selection;
  selection.kind = Selection::Kind::term;
  selection.field = field;
  selection.values.push_back(std::move(value));
  SpeciesGroup group;
  group.name = name;
  group.selection = std::move(selection);
  group.text = word_of(field) + " " + name;
  return group;
}

/// Lists the first names of particles whose entry in a text column is empty.
std::string without_text(const ParticleTable& table, ParticleField field) {
  constexpr std::size_t most_shown = 8;
  const std::vector<std::string>& column = text_column(table, field);
  const auto& names = !table.name.empty() ? table.name : table.species;
  std::set<std::string> without;
  for (std::size_t k = 0; k < std::min(column.size(), names.size()); ++k) {
    if (column[k].empty() && without.size() < most_shown) {
      without.insert(names[k]);
    }
  }
  return join({without.begin(), without.end()}, ", ");
}

/// Suggests how particles can get elements to be counted by: "name their elements by
/// --guess-elements (C, H, N, O), "; "" if they have elements.
std::string element_remedy(const ParticleTable& table) {
  if (can_tell(table, SpeciesBy::element)) {
    return "";
  }
  const std::vector<std::string>& names = !table.name.empty()   ? table.name
                                          : !table.type.empty() ? table.type
                                                                : table.species;
  std::set<std::string> elements;
  for (const std::string& name : std::set(names.begin(), names.end())) {
    elements.insert(guess_element(name));
  }
  const bool all = elements.erase("") == 0;
  return "count elements by " +
         (elements.empty()
              ? std::string("--aliases FILE")
              : "--guess-elements (" + listed({elements.begin(), elements.end()}) +
                    (all ? ") or --aliases FILE"
                         : ", and some names without) and --aliases FILE")) +
         ", ";
}

std::string why_not(const ParticleTable& table, SpeciesBy by) {
  return (has_field(table, field_of(by))
              ? "some particles have no " + to_string(by) + ", such as those called " +
                    without_text(table, field_of(by))
              : "the particles of the file have no " + to_string(by)) +
         " (only " + fields_text(table) + "): " +
         (by == SpeciesBy::element
              ? "get elements with --guess-elements or --aliases FILE"
              : "give a --structure FILE that has it, or another --by");
}

}  // namespace

const std::vector<SpeciesBy>& all_species_by() {
  static const std::vector<SpeciesBy> list{SpeciesBy::name,     SpeciesBy::type,
                                           SpeciesBy::element,  SpeciesBy::residue_name,
                                           SpeciesBy::chain,    SpeciesBy::segment,
                                           SpeciesBy::molecule, SpeciesBy::all};
  return list;
}

std::string to_string(SpeciesBy by) {
  if (by == SpeciesBy::file) {
    return "file";
  }
  return by == SpeciesBy::all ? "all" : word_of(field_of(by));
}

SpeciesBy parse_species_by(const std::string& word) {
  std::vector<std::string> words;
  for (const SpeciesBy by : all_species_by()) {
    words.push_back(to_string(by));
    if (words.back() == word) {
      return by;
    }
  }
  if (word == "file") {
    return SpeciesBy::file;
  }
  throw InputError("'" + word + "' is not one of " + join(words, ", ") + ", file");
}

bool can_tell(const ParticleTable& table, SpeciesBy by) {
  if (by == SpeciesBy::all || by == SpeciesBy::file) {
    return true;
  }
  const ParticleField field = field_of(by);
  if (!has_field(table, field)) {
    return false;
  }
  if (is_number(field)) {
    return true;
  }
  const std::vector<std::string>& column = text_column(table, field);
  return std::find(column.begin(), column.end(), "") == column.end();
}

std::vector<SpeciesGroup> species_groups_by(const ParticleTable& table, SpeciesBy by) {
  if (!can_tell(table, by)) {
    throw InputError("--by " + to_string(by) + ": " + why_not(table, by));
  }
  const ParticleField field = field_of(by);
  std::vector<SpeciesGroup> groups;
  if (by == SpeciesBy::all) {
    SpeciesGroup& group = groups.emplace_back();
    group.name = group.text = "all";
    group.selection.emplace();
  } else if (is_number(field)) {
    const std::vector<std::int64_t>& column = number_column(table, field);
    for (const std::int64_t number : std::set(column.begin(), column.end())) {
      const std::string text = std::to_string(number);
      groups.push_back(rule(text, field, {text, false, number, number}));
    }
  } else {
    const std::vector<std::string>& column = text_column(table, field);
    for (const std::string& word : std::set(column.begin(), column.end())) {
      groups.push_back(rule(word, field, {word, false, 0, 0}));
    }
  }
  return groups;
}

bool has_more_species(const ParticleTable& table, std::size_t most) {
  std::set<std::string_view> names;
  for (const auto* column :
       {&table.species, &table.name, &table.type, &table.element}) {
    if (!column->empty()) {
      for (const std::string& name : *column) {
        names.insert(name);
        if (names.size() > most) {
          return true;
        }
      }
      return false;
    }
  }
  return most < 1;
}

std::string too_many_species(const ParticleTable& table, bool named) {
  constexpr std::size_t most_shown = 8;
  std::map<std::string, std::size_t> counts;
  for (const std::string& name : table.species) {
    ++counts[name];
  }
  std::vector<std::pair<std::size_t, std::string>> largest;
  for (const auto& [name, count] : counts) {
    largest.emplace_back(count, name);
  }
  std::stable_sort(largest.begin(), largest.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < std::min(most_shown, largest.size()); ++k) {
    shown.push_back(largest[k].second + " " + grouped(largest[k].first));
  }
  std::vector<std::string> fewer;
  for (const SpeciesBy by : all_species_by()) {
    if (can_tell(table, by) && species_groups_by(table, by).size() < counts.size()) {
      fewer.push_back(to_string(by));
    }
  }
  return grouped(counts.size()) + " species make " +
         grouped(all_pairs(counts.size()).size()) + " pairs; " +
         (named ? "give elements with --aliases FILE to the particles called " +
                      without_text(table, ParticleField::element) + ", "
                : element_remedy(table)) +
         "choose some with --pairs or --species, define fewer species with --by " +
         join(fewer, "|") +
         ", or count them all with --all-pairs (the largest: " + join(shown, ", ") +
         ")";
}

}  // namespace starhist::io
