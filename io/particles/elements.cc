#include "io/particles/elements.hh"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

constexpr const char* symbol_text =
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn "
    "Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce "
    "Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At "
    "Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn "
    "Nh Fl Mc Lv Ts Og D T DUMMY";

/// Number of elements in `symbol_text`, which further symbols follow.
constexpr std::int64_t element_count = 118;

constexpr std::array<std::string_view, 16> common{"H",  "LI", "BE", "B",  "C",  "N",
                                                  "O",  "F",  "NA", "MG", "AL", "P",
                                                  "SI", "S",  "CL", "K"};

/// Returns the names of ions, sites without an atom and other special atoms of CHARMM,
/// AMBER and GROMOS.
const std::map<std::string_view, std::string_view>& special_names() {
  static const std::map<std::string_view, std::string_view> names{
      {"BR", "Br"},     {"CAL", "Ca"},   {"C0", "Ca"},    {"CA2+", "Ca"},
      {"CES", "Cs"},    {"CLA", "Cl"},   {"CLAL", "Cl"},  {"CL", "Cl"},
      {"CL-", "Cl"},    {"IOD", "I"},    {"FE", "Fe"},    {"FE2", "Fe"},
      {"LIT", "Li"},    {"LI", "Li"},    {"LI+", "Li"},   {"QL", "Li"},
      {"MG", "Mg"},     {"MG2+", "Mg"},  {"K", "K"},      {"POT", "K"},
      {"K+", "K"},      {"QK", "K"},     {"SOD", "Na"},   {"NA", "Na"},
      {"NA+", "Na"},    {"QN", "Na"},    {"ZN", "Zn"},    {"CU", "Cu"},
      {"CS", "Cs"},     {"CS+", "Cs"},   {"QC", "Ce"},    {"RB", "Rb"},
      {"QR", "Rb"},     {"BC", "C"},     {"AC", "C"},     {"MW", "DUMMY"},
      {"EPW", "DUMMY"}, {"EP", "DUMMY"}, {"LP", "DUMMY"},
  };
  return names;
}

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string in_capitals(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), upper);
  return word;
}

/// Returns the symbols: index k is atomic number k + 1; then D, T, DUMMY.
const std::vector<std::string>& symbols() {
  static const std::vector<std::string> list = [] {
    std::istringstream words(symbol_text);
    return std::vector<std::string>{std::istream_iterator<std::string>(words), {}};
  }();
  return list;
}

/// Returns the index in symbols() of each symbol, in capitals.
const std::unordered_map<std::string, std::size_t>& places() {
  static const std::unordered_map<std::string, std::size_t> all = [] {
    std::unordered_map<std::string, std::size_t> by_capitals;
    for (const std::string& symbol : symbols()) {
      by_capitals.emplace(in_capitals(symbol), by_capitals.size());
    }
    return by_capitals;
  }();
  return all;
}

bool is_common(std::string_view name) {
  return std::find(common.begin(), common.end(), name) != common.end();
}

/// Guesses the element from the letters of a name, in capitals.
std::string_view by_letters(std::string_view name) {
  while (!name.empty()) {
    for (const std::string_view part :
         {name, name.substr(0, name.size() - 1), name.substr(1)}) {
      if (is_common(part)) {
        return part;
      }
    }
    if (name.size() <= 2) {
      return name.substr(0, 1);
    }
    name.remove_suffix(1);
  }
  return name;
}

}  // namespace

std::string element_spelling(const std::string& word) {
  const auto found = places().find(in_capitals(word));
  return found == places().end() ? "" : symbols()[found->second];
}

std::string element_of_number(std::int64_t number) {
  return number < 1 || number > element_count
             ? ""
             : symbols()[static_cast<std::size_t>(number - 1)];
}

std::int64_t number_of_element(const std::string& symbol) {
  const std::string& word = symbol == "D" || symbol == "T" ? symbols()[0] : symbol;
  const auto found = places().find(in_capitals(word));
  if (found == places().end() || symbols()[found->second] != word) {
    return 0;
  }
  const auto number = static_cast<std::int64_t>(found->second) + 1;
  return number <= element_count ? number : 0;
}

std::string guess_element(const std::string& name, const std::string& residue) {
  std::string capitals = in_capitals(name);
  if (std::string ion = element_spelling(capitals);
      !ion.empty() && capitals == in_capitals(residue)) {
    return ion;
  }
  const auto special = [&] {
    const auto found = special_names().find(capitals);
    return std::string(found == special_names().end() ? "" : found->second);
  };
  if (std::string element = special(); !element.empty()) {
    return element;
  }
  capitals.erase(std::remove_if(capitals.begin(), capitals.end(),
                                [](char c) {
                                  return c == '*' || c == '+' || c == '-' ||
                                         (c >= '0' && c <= '9');
                                }),
                 capitals.end());
  if (std::string element = special(); !element.empty()) {
    return element;
  }
  return element_spelling(std::string(by_letters(capitals)));
}

std::string names_by_element(
    const std::map<std::string, std::set<std::string>>& names) {
  constexpr std::size_t most_names = 40;
  std::vector<std::string> parts;
  for (const auto& [element, of] : names) {
    std::vector<std::string> shown(of.begin(), of.end());
    const std::size_t more = shown.size() - std::min(shown.size(), most_names);
    shown.resize(shown.size() - more);
    parts.push_back(element + ": " + join(shown, " ") +
                    (more == 0 ? "" : " and " + grouped(more) + " more"));
  }
  return join(parts, ", ");
}

}  // namespace starhist::io
