#include "io/reader/units.hh"

#include <algorithm>
#include <map>

namespace starhist::io {
namespace {

/// ASCII letters only; other bytes of UTF-8 stay.
std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                          : letter;
  });
  return text;
}

}  // namespace

std::string unit_spelling(const std::string& unit) {
  static const std::map<std::string, std::string> spellings = {
      {"a", "A"},
      {"angstrom", "A"},
      {"angstroms", "A"},
      {"ang", "A"},
      {"\xc3\x85", "A"},      // A with ring
      {"\xe2\x84\xab", "A"},  // the sign of the unit
      {"nm", "nm"},
      {"nanometer", "nm"},
      {"nanometers", "nm"},
      {"nanometre", "nm"},
      {"nanometres", "nm"},
      {"bohr", "bohr"},
      {"picosecond", "ps"},
      {"picoseconds", "ps"},
      {"femtosecond", "fs"},
      {"femtoseconds", "fs"},
      {"nanosecond", "ns"},
      {"nanoseconds", "ns"},
  };
  const std::size_t first = unit.find_first_not_of(" \t");
  if (first == std::string::npos) {
    return "";
  }
  const std::string bare = unit.substr(first, unit.find_last_not_of(" \t") + 1 - first);
  const auto known = spellings.find(lower_case(bare));
  return known == spellings.end() ? bare : known->second;
}

std::optional<double> angstroms_per(const std::string& unit) {
  static const std::map<std::string, double> lengths = {
      {"A", 1.0}, {"nm", 10.0}, {"bohr", 0.529177210903}, {"pm", 0.01}, {"um", 1e4}};
  const auto known = lengths.find(unit_spelling(unit));
  return known == lengths.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace starhist::io
