#include "io/trajectory/index_species.hh"

#include <algorithm>
#include <set>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/counting/species_pair.hh"
#include "io/text/index_groups.hh"

namespace starhist::io {
namespace {

/// Throws InputError if a keyword of a selection is also a group of the index file.
void check_unambiguous(const Selection& selection,
                       const std::vector<std::string>& groups,
                       const std::string& path) {
  if (selection.kind == Selection::Kind::keyword) {
    const std::string& word = selection.values.front().text;
    if (std::find(groups.begin(), groups.end(), word) != groups.end()) {
      throw InputError("--species: '" + word + "' is a keyword and a group of " + path +
                       " (write group " + word +
                       " for the group, or resname and the residue names)");
    }
  }
  for (const Selection& part : selection.parts) {
    check_unambiguous(part, groups, path);
  }
}

}  // namespace

std::vector<SpeciesGroup> species_of_index(const std::string& path,
                                           const std::string& pairs) {
  const std::vector<std::string> names = IndexGroups(path).names();
  if (pairs.empty()) {
    throw InputError(
        "--index: choose the groups of " + path +
        " that are species with --pairs \"A-B\" or --species \"A; B\" (it has " +
        listed(names) + ")");
  }
  std::set<std::size_t> used;
  try {
    for (const SpeciesPair& pair : parse_pairs(pairs, names)) {
      used.insert({pair.first.index(), pair.second.index()});
    }
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  std::vector<SpeciesGroup> groups;
  for (const std::size_t k : used) {
    groups.push_back(species_of_group(names[k]));
  }
  return groups;
}

std::vector<SpeciesGroup> with_listed_groups(std::vector<SpeciesGroup> rules,
                                             const std::string& path) {
  const IndexGroups groups(path);
  for (SpeciesGroup& rule : rules) {
    if (rule.selection) {
      check_unambiguous(*rule.selection, groups.names(), path);
      list_groups(*rule.selection,
                  [&](const std::string& name) { return groups.find(name); });
    }
  }
  return rules;
}

}  // namespace starhist::io
