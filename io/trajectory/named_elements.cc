#include "io/trajectory/named_elements.hh"

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/files/file_signature.hh"
#include "io/particles/elements.hh"
#include "io/reader/source_defaults.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_file.hh"
#include "io/trajectory/wrapped_trajectory.hh"

namespace starhist::io {
namespace {

void add_line(std::string_view line, ElementAliases& aliases) {
  const auto fields = fields_of(line.substr(0, line.find('#')));
  if (fields.empty()) {
    return;
  }
  if (fields.size() != 2) {
    throw InputError("has " + std::to_string(fields.size()) +
                     " words instead of a name and its element");
  }
  const std::string name(fields[0]);
  const std::string element = element_spelling(std::string(fields[1]));
  if (element.empty()) {
    throw InputError("'" + std::string(fields[1]) + "', for the name '" + name +
                     "', is neither an element nor DUMMY (a site without an atom)");
  }
  const auto [known, is_new] = aliases.emplace(name, element);
  if (!is_new && known->second != element) {
    throw InputError("the name '" + name + "' has the elements " + known->second +
                     " and " + element);
  }
}

class WithElements : public WrappedTrajectory {
 public:
  WithElements(std::unique_ptr<TrajectoryReader> reader, const ElementRules& rules,
               const Structure* structure)
      : WrappedTrajectory(std::move(reader)) {
    info_.from.elements =
        complete_read_from(info_, structure, info_.length_unit).elements;
    const std::string sentence = name_elements(rules, info_.particles, info_.from);
    info_.remarks.push_back(info_.paths.front() + ": " + sentence);
  }
};

const std::vector<std::string>& names_of(const ParticleTable& table) {
  return !table.name.empty()   ? table.name
         : !table.type.empty() ? table.type
                               : table.species;
}

/// Lists alias names that match no particle: "CX (did you mean CA?)"; "" if all match.
std::string without_particle(const ElementAliases& aliases,
                             const std::vector<std::string>& names) {
  if (aliases.empty()) {
    return "";
  }
  const std::set<std::string_view> present(names.begin(), names.end());
  const std::vector<std::string> known(present.begin(), present.end());
  std::vector<std::string> absent;
  for (const auto& [name, element] : aliases) {
    if (!present.contains(name)) {
      const std::string nearest = nearest_word(name, known);
      absent.push_back(name +
                       (nearest.empty() ? "" : " (did you mean " + nearest + "?)"));
    }
  }
  return listed(absent);
}

}  // namespace

ElementAliases read_element_aliases(const std::string& path) {
  check_is_file(path);
  TextFile file(path);
  ElementAliases aliases;
  take_lines(
      file, [](std::string_view) { return true; },
      [&](std::string_view line) { add_line(line, aliases); });
  if (aliases.empty()) {
    throw InputError(path + ": has no line with a name and its element");
  }
  return aliases;
}

std::string name_elements(const ElementRules& rules, ParticleTable& table,
                          ReadFrom& from) {
  if (table.species.empty()) {
    fill_species(table);
  }
  table.element.resize(table.count);
  table.element_source.assign(table.count, ElementSource::file);
  const std::vector<std::string>& names = names_of(table);
  // The keys are names, and residues of the same name.
  std::map<std::pair<std::string, std::string>, std::pair<std::string, ElementSource>>
      known;
  std::map<std::string, std::set<std::string>> named;
  std::map<std::string, std::set<std::string>> guessed;
  std::set<std::string> without;
  for (std::size_t k = 0; k < table.count; ++k) {
    if (!table.element[k].empty()) {
      continue;
    }
    const std::string residue =
        table.residue_name.empty() || table.residue_name[k] != names[k] ? "" : names[k];
    const auto [found, is_new] = known.try_emplace(std::pair(names[k], residue),
                                                   std::string(), ElementSource::file);
    auto& [element, source] = found->second;
    if (is_new) {
      const auto alias = rules.aliases.find(names[k]);
      if (alias != rules.aliases.end()) {
        element = alias->second;
        source = ElementSource::aliases;
        named[element].insert(names[k]);
      } else if (rules.guess && !(element = guess_element(names[k], residue)).empty()) {
        source = ElementSource::guess;
        guessed[element].insert(names[k]);
      } else {
        without.insert(names[k]);
      }
    }
    table.element[k] = element;
    table.element_source[k] = source;
  }
  std::vector<std::string> parts;
  if (!named.empty()) {
    parts.push_back("elements by --aliases: " + names_by_element(named));
    add_phrase("--aliases", from.elements_by_rule);
  }
  if (!guessed.empty()) {
    parts.push_back("elements guessed from names: " + names_by_element(guessed));
    add_phrase("guessed from names", from.elements_by_rule);
    from.assumptions.push_back("elements: guessed from names (" +
                               names_by_element(guessed) + ")");
  }
  if (!without.empty()) {
    parts.push_back(names_by_element({{"no element", without}}) +
                    " (--aliases FILE names it)");
  }
  if (const std::string absent = without_particle(rules.aliases, names);
      !absent.empty()) {
    parts.push_back("no particle has these names of --aliases: " + absent);
  }
  return parts.empty() ? "all particles have elements of the file" : join(parts, "; ");
}

std::unique_ptr<TrajectoryReader> with_elements(
    std::unique_ptr<TrajectoryReader> reader, const ElementRules& rules,
    const Structure* structure) {
  return std::make_unique<WithElements>(std::move(reader), rules, structure);
}

}  // namespace starhist::io
