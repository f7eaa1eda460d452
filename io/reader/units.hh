#pragma once

#include <optional>
#include <string>

namespace starhist::io {

/// One spelling for each unit: "nanometers" becomes "nm", "Angstrom" becomes "A",
/// "picosecond" becomes "ps". Other units ("sigma", "0.1 nm") stay as they are.
std::string unit_spelling(const std::string& unit);

/// The length units of which the size is known: "A, nm, pm, ...".
std::string length_unit_names();

/// How many Angstrom the unit is, where it is one of length_unit_names(); nothing for
/// "sigma" and the like.
std::optional<double> angstroms_per(const std::string& unit);

/// Converts what is measured in one length unit to another one.
class LengthConversion {
 public:
  /// From a unit to the same unit: values do not change.
  LengthConversion() = default;
  /// Throws InputError, which begins with `path`, unless the units are the same or both
  /// are among length_unit_names(). `from` is the unit of the file `path`; "": unknown.
  LengthConversion(const std::string& path, const std::string& from,
                   const std::string& to);

  /// The value of a quantity whose unit is that of a length to the power `power`. What
  /// is converted is rounded to 15 digits, so that 4.94 A are 0.494 nm, the nearest
  /// double.
  double operator()(double value, int power = 1) const;

 private:
  double from_ = 1.0;  ///< the unit of the file in the smaller of the two, at least 1
  double to_ = 1.0;    ///< the other unit in the smaller of the two, at least 1
};

/// The unit that a user gives for files that do not say theirs, by its one spelling:
/// one of known size, or "sigma", "tau", "lj" or "reduced" of reduced units.
/// Throws InputError, which begins with `option`, for other words and for none.
std::string parse_length_unit(const std::string& option, const std::string& text);
std::string parse_time_unit(const std::string& option, const std::string& text);

/// The same of a unit in which lengths are shown. Messages list length_unit_names()
/// alone, as nothing is converted to reduced units.
std::string parse_shown_unit(const std::string& option, const std::string& text);

/// The length unit of what was read from `path`: `own`, that of the file, or `given`
/// where the file does not say one. Throws InputError where the two differ.
std::string settled_length_unit(const std::string& path, const std::string& own,
                                const std::string& given);

/// The same of the unit of times.
std::string settled_time_unit(const std::string& path, const std::string& own,
                              const std::string& given);

}  // namespace starhist::io
