#include "io/selection/species_groups.hh"

#include <algorithm>
#include <map>

#include "codelets/core/base/error.hh"
#include "io/selection/selection_hints.hh"
#include "io/selection/selection_parser.hh"

namespace starhist::io {
namespace {

using Kind = RuleWords::Kind;

/// Parses "res_com of" and the like, if present.
Centres take_centres(RuleWords& words) {
  static const std::map<std::string, Centres> known{
      {"res_com", Centres::residue_mass},
      {"res_cog", Centres::residue_geometry},
      {"mol_com", Centres::molecule_mass},
      {"mol_cog", Centres::molecule_geometry},
  };
  const RuleWords::Word word = words.now();
  const auto found = known.find(word.text);
  if (word.kind != Kind::word || word.quoted || found == known.end()) {
    return Centres::none;
  }
  words.take();
  if (!words.now().is_keyword("of")) {
    words.refuse("no 'of' after '" + word.text + "'");
  }
  words.take();
  return found->second;
}

/// Whether a word is a LAMMPS range of several numbers.
bool is_open_range(const RuleWords::Word& word) {
  SelectionValue ignored;
  return !word.quoted && word.text.find('*') != std::string::npos && word.text != "*" &&
         set_range(word.text, ignored);
}

/// Selects the particles of the species, or groups, with these names.
Selection selection_of(const std::vector<std::string>& members, RuleNames names) {
  Selection selection;
  selection.kind =
      names == RuleNames::groups ? Selection::Kind::group : Selection::Kind::term;
  selection.field = ParticleField::species;
  for (const std::string& member : members) {
    SelectionValue& value = selection.values.emplace_back();
    value.text = member;
    value.range = set_range(member, value);
  }
  return selection;
}

void take_members(RuleWords& words, RuleNames names, SpeciesGroup& group) {
  bool ranges = false;
  while (words.now().kind == Kind::word) {
    const RuleWords::Word member = words.take();
    if (std::find(group.members.begin(), group.members.end(), member.text) !=
        group.members.end()) {
      words.refuse("'" + member.text + "' stands twice", member.begin);
    }
    ranges = ranges || is_open_range(member);
    group.members.push_back(member.text);
  }
  if (group.members.empty()) {
    words.refuse("no species for '" + group.name + "'");
  }
  if (ranges || names == RuleNames::groups) {
    group.selection = selection_of(group.members, names);
    group.members.clear();
  }
}

SpeciesGroup take_group(RuleWords& words, RuleNames names) {
  SpeciesGroup group;
  if (words.now().kind != Kind::word) {
    words.refuse("no name");
  }
  const std::string rule(words.rest());
  group.name = words.take().text;
  if (group.name.empty()) {
    words.refuse("an empty name before");
  }
  if (names == RuleNames::groups &&
      (words.now().is_sign(';') || words.now().kind == Kind::end)) {
    return species_of_group(group.name);
  }
  if (!words.now().is_sign('=')) {
    words.refuse("no '=' after '" + group.name + "'", words.now().begin,
                 name_hint(group.name, rule));
  }
  words.take();
  const std::size_t begin = words.now().begin;
  group.centres = take_centres(words);
  if (group.centres != Centres::none || begins_selection(words)) {
    group.selection = parse_selection(words);
  } else {
    take_members(words, names, group);
  }
  group.text = words.between(begin, words.now().begin);
  return group;
}

void check_names(const std::string& rules, const std::vector<SpeciesGroup>& groups) {
  std::vector<std::string> names;
  for (const SpeciesGroup& group : groups) {
    names.push_back(group.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    throw InputError("--species: '" + rules + "' defines '" + *twice +
                     "' twice (a rule may list several words, as in O=OW OH2)");
  }
}

}  // namespace

SpeciesGroup species_of_group(const std::string& name) {
  SpeciesGroup group;
  group.name = group.text = name;
  group.selection = selection_of({name}, RuleNames::groups);
  return group;
}

std::vector<SpeciesGroup> parse_species_groups(const std::string& rules,
                                               RuleNames names) {
  RuleWords words(rules);
  std::vector<SpeciesGroup> groups;
  do {
    groups.push_back(take_group(words, names));
    if (words.now().kind != Kind::end && !words.now().is_sign(';')) {
      words.refuse(
          "no ';'", words.now().begin,
          words.now().is_sign('=') ? ": end each rule with ;, as in A=X; B=Y" : "");
    }
    words.take();
  } while (words.now().kind != Kind::end);
  check_names(rules, groups);
  return groups;
}

bool need_particles(const std::vector<SpeciesGroup>& groups) {
  std::vector<std::string> members;
  for (const SpeciesGroup& group : groups) {
    if (group.selection) {
      return true;
    }
    members.insert(members.end(), group.members.begin(), group.members.end());
  }
  std::sort(members.begin(), members.end());
  return std::adjacent_find(members.begin(), members.end()) != members.end();
}

}  // namespace starhist::io
