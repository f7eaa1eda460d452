#pragma once

#include <optional>
#include <string>

namespace starhist {

/// Returns the canonical spelling of a unit: "nm" for "nanometers", "A" for "Angstrom",
/// "ps" for "picosecond". Other units ("lj", "0.1 nm") stay unchanged.
std::string unit_spelling(const std::string& unit);

/// Like unit_spelling(); the names of the unit of a simulation in reduced units, "lj"
/// and "reduced", become "sigma" for lengths and "tau" for times.
std::string length_unit_spelling(const std::string& unit);
std::string time_unit_spelling(const std::string& unit);

/// Lists the length units of known size: "A, nm, pm, ...".
std::string length_unit_names();

/// Returns the size of a length unit in Angstrom; empty for units such as "sigma",
/// which are not in length_unit_names().
std::optional<double> angstroms_per(const std::string& unit);

/// Converts quantities between two length units.
class LengthConversion {
 public:
  /// The identity: values do not change.
  LengthConversion() = default;
  /// Throws InputError beginning with `path` unless the units are equal or both in
  /// length_unit_names(). `from`: the unit of the file `path`; "": unknown.
  LengthConversion(const std::string& path, const std::string& from,
                   const std::string& to);

  /// Converts a quantity whose dimension is length to the power `power`. Converted
  /// values are rounded to 15 digits, so that 4.94 A give 0.494 nm, the nearest double.
  double operator()(double value, int power = 1) const;

 private:
  double from_ = 1.0;  ///< unit of the file in units of the smaller one, >= 1
  double to_ = 1.0;    ///< other unit in units of the smaller one, >= 1
};

/// Returns the canonical spelling of the unit that a user states for files that do not
/// specify one: a unit of known size, "sigma" or "tau". Throws InputError beginning
/// with `option` for other words and for "".
std::string parse_length_unit(const std::string& option, const std::string& text);
std::string parse_time_unit(const std::string& option, const std::string& text);

/// Like parse_length_unit(), for a unit of results. Messages list only
/// length_unit_names(), because values cannot be converted to reduced units.
std::string parse_shown_unit(const std::string& option, const std::string& text);

/// Returns the length unit of data from `path`: `own`, from the file, or `given` if the
/// file does not specify one. Throws InputError if they are different units.
std::string settled_length_unit(const std::string& path, const std::string& own,
                                const std::string& given);

/// Like settled_length_unit(), for the time unit.
std::string settled_time_unit(const std::string& path, const std::string& own,
                              const std::string& given);

}  // namespace starhist
