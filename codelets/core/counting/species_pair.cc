#include "codelets/core/counting/species_pair.hh"

#include <algorithm>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist {
namespace {

/// Index of `name`, or species.size().
std::size_t find_species(const std::string& name,
                         const std::vector<std::string>& species) {
  return static_cast<std::size_t>(std::find(species.begin(), species.end(), name) -
                                  species.begin());
}

SpeciesPair parse_pair(const std::string& text,
                       const std::vector<std::string>& species) {
  for (std::size_t dash = text.find('-'); dash != std::string::npos;
       dash = text.find('-', dash + 1)) {
    const auto first = find_species(text.substr(0, dash), species);
    const auto second = find_species(text.substr(dash + 1), species);
    if (first < species.size() && second < species.size()) {
      return {SpeciesId(static_cast<std::uint32_t>(std::min(first, second))),
              SpeciesId(static_cast<std::uint32_t>(std::max(first, second)))};
    }
  }
  throw InputError("pair '" + text + "' is not A-B of two species in the file (" +
                   join(species, ", ") + ")");
}

}  // namespace

std::uint64_t pair_count(const SpeciesPair& pair, std::uint64_t n_first,
                         std::uint64_t n_second) {
  if (!pair.like()) {
    return n_first * n_second;
  }
  return n_first == 0 ? 0 : n_first * (n_first - 1) / 2;
}

std::vector<SpeciesPair> all_pairs(std::size_t species_count) {
  std::vector<SpeciesPair> pairs;
  for (std::uint32_t i = 0; i < species_count; ++i) {
    for (std::uint32_t j = i; j < species_count; ++j) {
      pairs.push_back({SpeciesId(i), SpeciesId(j)});
    }
  }
  return pairs;
}

std::string pair_name(const SpeciesPair& pair,
                      const std::vector<std::string>& species) {
  return species[pair.first.index()] + "-" + species[pair.second.index()];
}

std::vector<SpeciesPair> parse_pairs(const std::string& list,
                                     const std::vector<std::string>& species) {
  std::vector<SpeciesPair> pairs;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const SpeciesPair pair = parse_pair(word, species);
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) {
      pairs.push_back(pair);
    }
  }
  if (pairs.empty()) {
    throw InputError("the list of pairs is empty (write --pairs " + species.front() +
                     "-" + species.back() + ")");
  }
  return pairs;
}

}  // namespace starhist
