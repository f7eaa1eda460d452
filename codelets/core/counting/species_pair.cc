#include "codelets/core/counting/species_pair.hh"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"

namespace starhist {
namespace {

/// Index of `name`, or species.size().
std::size_t find_species(const std::string& name,
                         const std::vector<std::string>& species) {
  return static_cast<std::size_t>(std::find(species.begin(), species.end(), name) -
                                  species.begin());
}

/// True if `name`, the name of `pair`, also reads as A-B of other species.
bool has_another_reading(const std::string& name, const SpeciesPair& pair,
                         const std::vector<std::string>& species) {
  const std::size_t own = species[pair.first.index()].size();
  for (std::size_t dash = name.find('-'); dash != std::string::npos;
       dash = name.find('-', dash + 1)) {
    if (dash != own && find_species(name.substr(0, dash), species) < species.size() &&
        find_species(name.substr(dash + 1), species) < species.size()) {
      return true;
    }
  }
  return false;
}

SpeciesPair ordered(std::size_t a, std::size_t b) {
  return {SpeciesId(static_cast<std::uint32_t>(std::min(a, b))),
          SpeciesId(static_cast<std::uint32_t>(std::max(a, b)))};
}

/// Returns the pair that `text` probably means if its species are misspelt, or its dash
/// is missing or another character, or if it is a single species. Returns "" if no pair
/// is similar.
std::string nearest_pair(const std::string& text,
                         const std::vector<std::string>& species) {
  for (std::size_t dash = text.find('-'); dash != std::string::npos;
       dash = text.find('-', dash + 1)) {
    const std::string left = nearest_word(text.substr(0, dash), species);
    const std::string right =
        left.empty() ? "" : nearest_word(text.substr(dash + 1), species);
    if (!right.empty()) {
      return left + "-" + right;
    }
  }
  for (std::size_t end = 1; end < text.size(); ++end) {
    const std::string left = text.substr(0, end);
    if (find_species(left, species) == species.size()) {
      continue;
    }
    const bool has_sign =
        std::ispunct(static_cast<unsigned char>(text[end])) != 0 || text[end] == ' ';
    const std::string right = text.substr(has_sign ? end + 1 : end);
    if (find_species(right, species) < species.size()) {
      return left + "-" + right;
    }
  }
  const std::string only = nearest_word(text, species);
  return only.empty() ? "" : only + "-" + only;
}

/// A pair that `text` names, and its two parts.
struct Reading {
  SpeciesPair pair;
  bool reversed = false;
  std::string left;
  std::string right;

  std::string quoted() const { return "'" + left + "' with '" + right + "'"; }
};

/// The different pairs that `text` names; at most the first two.
std::vector<Reading> readings_of(const std::string& text,
                                 const std::vector<std::string>& species) {
  std::vector<Reading> readings;
  const auto add = [&](const std::string& left, const std::string& right) {
    const std::size_t first = find_species(left, species);
    const std::size_t second =
        first == species.size() ? first : find_species(right, species);
    if (second < species.size()) {
      const SpeciesPair pair = ordered(first, second);
      if (readings.empty() || !(readings.front().pair == pair)) {
        readings.push_back({pair, first > second, left, right});
      }
    }
  };
  const std::size_t middle = text.find(")-(");
  if (text.starts_with('(') && text.ends_with(')') && middle != std::string::npos) {
    add(text.substr(1, middle - 1), text.substr(middle + 3, text.size() - middle - 4));
    if (!readings.empty()) {
      return readings;
    }
  }
  for (std::size_t dash = text.find('-');
       dash != std::string::npos && readings.size() < 2;
       dash = text.find('-', dash + 1)) {
    add(text.substr(0, dash), text.substr(dash + 1));
  }
  return readings;
}

/// Why the text is not a pair: a species that does not exist, or its form.
std::string fault_of_pair(const std::string& text,
                          const std::vector<std::string>& species) {
  std::string form =
      " is not two species joined by '-' (there are " + listed(species) + ")";
  const std::size_t dash = text.find('-');
  if (dash == std::string::npos || text.find('-', dash + 1) != std::string::npos) {
    return form;
  }
  for (std::string name : {text.substr(0, dash), text.substr(dash + 1)}) {
    if (name.size() > 2 && name.front() == '(' && name.back() == ')') {
      name = name.substr(1, name.size() - 2);
    }
    if (!name.empty() &&
        std::find(species.begin(), species.end(), name) == species.end()) {
      return ": there is no species '" + name + "' (there are " + listed(species) + ")";
    }
  }
  return form;
}

CentredPair parse_pair(const std::string& text,
                       const std::vector<std::string>& species) {
  const std::vector<Reading> readings = readings_of(text, species);
  if (readings.size() == 1) {
    return {readings.front().pair, readings.front().reversed};
  }
  if (!readings.empty()) {
    const Reading& last = readings.back();
    throw InputError("pair '" + text + "' is ambiguous: " + readings.front().quoted() +
                     ", or " + last.quoted() + " (write (" + last.left + ")-(" +
                     last.right + ") for the last one)");
  }
  if (species.size() == 1 && species.front() == "all") {
    throw InputError("pair '" + text +
                     "' is unknown, as all particles are one species named 'all' (name "
                     "species with --structure FILE or --species)");
  }
  const std::string meant = nearest_pair(text, species);
  throw InputError("pair '" + text + "'" + fault_of_pair(text, species) +
                   (meant.empty() ? "" : ": did you mean " + meant + "?"));
}

/// The first pair of a comma-separated list. Names may contain commas, too: then the
/// longest text that is a pair.
std::string first_pair(const std::string& list,
                       const std::vector<std::string>& species) {
  std::string shortest = list.substr(0, list.find(','));
  bool commas = false;
  std::size_t longest = 0;
  for (const std::string& name : species) {
    commas = commas || name.find(',') != std::string::npos;
    longest = std::max(longest, name.size());
  }
  const std::size_t most = 2 * longest + std::string_view("()-()").size();
  if (!commas || shortest.size() > most) {
    return shortest;
  }
  for (std::size_t end = list.size() > most ? list.rfind(',', most) : list.size();
       end > shortest.size(); end = list.rfind(',', end - 1)) {
    if (!readings_of(list.substr(0, end), species).empty()) {
      return list.substr(0, end);
    }
  }
  return shortest;
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
  STARHIST_EXPECT(
      pair.first.index() < species.size() && pair.second.index() < species.size(),
      "both species of the pair have names");
  const std::string& first = species[pair.first.index()];
  const std::string& second = species[pair.second.index()];
  const std::string name = first + "-" + second;
  const bool ambiguous = std::count(name.begin(), name.end(), '-') > 1 &&
                         has_another_reading(name, pair, species);
  return ambiguous ? "(" + first + ")-(" + second + ")" : name;
}

std::string centred_name(const CentredPair& pair,
                         const std::vector<std::string>& species) {
  return pair_name(
      pair.reversed ? SpeciesPair{pair.pair.second, pair.pair.first} : pair.pair,
      species);
}

std::vector<CentredPair> parse_centred_pairs(const std::string& list,
                                             const std::vector<std::string>& species) {
  std::vector<CentredPair> pairs;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::string word = first_pair(list.substr(begin), species);
    begin += word.size() + 1;
    const CentredPair pair = parse_pair(word, species);
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) {
      pairs.push_back(pair);
    }
  }
  if (pairs.empty()) {
    throw InputError("the list of pairs is empty" +
                     (species.empty() ? " (and so is the list of species)"
                                      : " (write --pairs " + species.front() + "-" +
                                            species.back() + ")"));
  }
  return pairs;
}

std::vector<SpeciesPair> parse_pairs(const std::string& list,
                                     const std::vector<std::string>& species) {
  std::vector<SpeciesPair> pairs;
  for (const CentredPair& named : parse_centred_pairs(list, species)) {
    if (std::find(pairs.begin(), pairs.end(), named.pair) == pairs.end()) {
      pairs.push_back(named.pair);
    }
  }
  return pairs;
}

}  // namespace starhist
