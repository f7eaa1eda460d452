#include "codelets/core/base/units.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"

namespace starhist {
namespace {

/// A unit and its spellings in files, in lower case.
struct LengthUnit {
  std::string_view name;
  double picometres;
  std::vector<std::string_view> spellings;
};

/// Returns all length units of known size. scripts/user/units.py must agree.
const std::array<LengthUnit, 8>& length_units() {
  static const std::array<LengthUnit, 8> units{{
      {"A",
       100.0,
       {"angstrom", "angstroms", "ang", "\xc3\x85ngstr\xc3\xb6m",
        "\xc3\xa5ngstr\xc3\xb6m",
        "\xc3\x85",        // A with ring above
        "\xc3\xa5",        // a with ring above
        "\xe2\x84\xab"}},  // the Angstrom sign
      {"nm", 1e3, {"nanometer", "nanometers", "nanometre", "nanometres"}},
      {"pm", 1.0, {"picometer", "picometers", "picometre", "picometres"}},
      {"um",
       1e6,
       {"micrometer", "micrometers", "micrometre", "micrometres", "micron", "microns",
        "\xc2\xb5m",    // micro sign
        "\xce\xbcm"}},  // Greek letter mu
      {"mm", 1e9, {"millimeter", "millimeters", "millimetre", "millimetres"}},
      {"cm", 1e10, {"centimeter", "centimeters", "centimetre", "centimetres"}},
      {"m", 1e12, {"meter", "meters", "metre", "metres"}},
      {"bohr", 52.9177210903, {"bohrs", "a0"}},
  }};
  return units;
}

/// Returns unit names by their spellings in lower case.
std::map<std::string, std::string> all_spellings() {
  std::map<std::string, std::string> names = {
      {"picosecond", "ps"},   {"picoseconds", "ps"},  {"femtosecond", "fs"},
      {"femtoseconds", "fs"}, {"nanosecond", "ns"},   {"nanoseconds", "ns"},
      {"microsecond", "us"},  {"microseconds", "us"}, {"sigma", "sigma"},
      {"\xcf\x83", "sigma"},  // Greek letters
      {"tau", "tau"},         {"\xcf\x84", "tau"},
  };
  for (const LengthUnit& unit : length_units()) {
    names.emplace(lower_case(unit.name), unit.name);
    for (const std::string_view spelling : unit.spellings) {
      names.emplace(spelling, unit.name);
    }
  }
  return names;
}

// Time units, and names of reduced units of length and time. Functions, because running
// out of memory before main() could not be reported.
std::vector<std::string> time_units() {
  return {"ps", "fs", "ns", "us", "s"};
}
std::vector<std::string> reduced_lengths() {
  return {"sigma", "lj", "reduced"};
}
std::vector<std::string> reduced_times() {
  return {"tau", "lj", "reduced"};
}

/// unit_spelling(), or the first of `reduced` for each of them.
std::string spelling(const std::string& unit, const std::vector<std::string>& reduced) {
  std::string name = unit_spelling(unit);
  const bool known =
      std::find(reduced.begin(), reduced.end(), lower_case(name)) != reduced.end();
  return known ? reduced.front() : name;
}

std::vector<std::string> length_names() {
  std::vector<std::string> names;
  for (const LengthUnit& unit : length_units()) {
    names.emplace_back(unit.name);
  }
  return names;
}

/// Returns the canonical spelling of `text` if it is one of `units` or `reduced`, whose
/// first name is canonical.
std::string parse_unit(const std::string& option, const std::string& text,
                       const std::string& kind, const std::vector<std::string>& units,
                       const std::vector<std::string>& reduced) {
  std::string unit = spelling(text, reduced);
  std::vector<std::string> known = units;
  known.insert(known.end(), reduced.begin(), reduced.end());
  if (std::find(known.begin(), known.end(), unit) != known.end()) {
    return unit;
  }
  // A text similar to any spelling suggests the unit of that spelling.
  std::vector<std::string> spellings = known;
  for (const auto& [spelling, name] : all_spellings()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      spellings.push_back(spelling);
    }
  }
  const std::string nearest = unit_spelling(nearest_word(unit, spellings));
  throw InputError(
      option + " '" + text + "' is not a known unit of " + kind + " (choose " +
      join(units, ", ") +
      (reduced.empty() ? "" : "; in reduced units " + join(reduced, ", ")) + ")" +
      (nearest.empty() ? "" : ": did you mean " + nearest + "?"));
}

/// Returns the unit of a file: `own`, or `given` if that is empty. `kind`: "lengths" or
/// "times"; `more`: end of the message, on the use of `option`.
std::string settled_unit(const std::string& path, const std::string& own,
                         const std::string& given, const std::string& kind,
                         const std::string& option, const std::string& more) {
  if (!own.empty() && !given.empty() && own != given) {
    throw InputError(path + ": has " + kind + " in " + own + ", not in " + given +
                     " (" + option + " is for files without a unit): omit it" + more);
  }
  return own.empty() ? given : own;
}

double with_15_digits(double value) {
  if (!std::isfinite(value)) {
    return value;
  }
  std::array<char, 32> text{};
  const char* const end = std::to_chars(text.data(), text.data() + text.size(), value,
                                        std::chars_format::general, 15)
                              .ptr;
  std::from_chars(text.data(), end, value);
  return value;
}

std::optional<double> picometres_per(const std::string& unit) {
  const std::string name = unit_spelling(unit);
  for (const LengthUnit& known : length_units()) {
    if (known.name == name) {
      return known.picometres;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string unit_spelling(const std::string& unit) {
  static const std::map<std::string, std::string> names = all_spellings();
  const std::size_t first = unit.find_first_not_of(" \t");
  if (first == std::string::npos) {
    return "";
  }
  const std::string bare = unit.substr(first, unit.find_last_not_of(" \t") + 1 - first);
  const auto known = names.find(lower_case(bare));
  return known == names.end() ? bare : known->second;
}

std::string length_unit_spelling(const std::string& unit) {
  return spelling(unit, reduced_lengths());
}

std::string time_unit_spelling(const std::string& unit) {
  return spelling(unit, reduced_times());
}

std::string length_unit_names() {
  return join(length_names(), ", ");
}

std::string parse_length_unit(const std::string& option, const std::string& text) {
  return parse_unit(option, text, "length", length_names(), reduced_lengths());
}

std::string parse_time_unit(const std::string& option, const std::string& text) {
  return parse_unit(option, text, "time", time_units(), reduced_times());
}

std::string parse_shown_unit(const std::string& option, const std::string& text) {
  const std::string unit = length_unit_spelling(text);
  return unit == reduced_lengths().front()
             ? unit
             : parse_unit(option, text, "length", length_names(), {});
}

std::optional<double> angstroms_per(const std::string& unit) {
  const auto picometres = picometres_per(unit);
  return picometres ? std::optional(*picometres / *picometres_per("A")) : std::nullopt;
}

LengthConversion::LengthConversion(const std::string& path, const std::string& from,
                                   const std::string& to) {
  if (from == to) {
    return;
  }
  const auto from_size = picometres_per(from);
  const auto to_size = picometres_per(to);
  if (!to_size) {
    throw InputError("--out-unit " + to + " is not a known length unit (choose " +
                     length_unit_names() + ")");
  }
  if (from.empty()) {
    throw InputError(path + ": has no length unit, so lengths cannot be converted to " +
                     to + " (give the unit with --unit)");
  }
  if (!from_size) {
    throw InputError(path + ": has lengths in " + from +
                     ", a unit of unknown size, so they cannot be converted to " + to +
                     " (leave --out-unit out)");
  }
  from_ = std::max(1.0, *from_size / *to_size);
  to_ = std::max(1.0, *to_size / *from_size);
}

double LengthConversion::operator()(double value, int power) const {
  if (from_ == to_) {
    return value;
  }
  const double up = std::pow(power > 0 ? from_ : to_, std::abs(power));
  const double down = std::pow(power > 0 ? to_ : from_, std::abs(power));
  return with_15_digits(value * up / down);
}

std::string settled_length_unit(const std::string& path, const std::string& own,
                                const std::string& given) {
  return settled_unit(path, length_unit_spelling(own), given, "lengths", "--unit",
                      ", give lengths in " + length_unit_spelling(own) +
                          ", and convert results, for example with starhist export "
                          "RESULT.h5 --out-unit " +
                          given);
}

std::string settled_time_unit(const std::string& path, const std::string& own,
                              const std::string& given) {
  return settled_unit(path, time_unit_spelling(own), given, "times", "--time-unit", "");
}

}  // namespace starhist
