#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace starhist::io {

/// A key and its value in the second line of an extended XYZ frame.
struct XyzEntry {
  std::string key;        ///< as written, without quotes and escapes
  std::string lower_key;  ///< in lower case
  std::string value;      ///< content of the quotes or brackets, without escapes
  /// number of rows in [[...], [...]]; 0 for values of another form
  std::size_t rows = 0;
};

/// The second line by the grammar of the extended XYZ specification (libAtoms/extxyz):
///
///   key = value     blanks around `=` are optional; keys may be quoted
///   value           a bare word, "text" or 'text' with \" \\ \n, {words}, [a, b],
///                   [[a, b], [c, d]]
///
/// More liberal than the specification: words without `=` may stand between entries,
/// and commas after bare values, as in CP2K's "i = 5, time = 2.5, E = -17.2".
struct XyzComment {
  std::vector<XyzEntry> entries;
  std::vector<std::string> words;  ///< words without `=`
  /// Reason why the line violates the grammar; "": it is valid.
  std::string problem;
};

XyzComment parse_xyz_comment(std::string_view line);

/// Whether there is an entry with this key, in lower case.
bool has_entry(const XyzComment& comment, std::string_view lower_key);

/// Whether the line is extended XYZ: it has a Lattice, Properties or pbc.
bool is_extended(const XyzComment& comment);

/// Splits a value into words at blanks and commas.
std::vector<std::string> words_of(std::string_view value);

}  // namespace starhist::io
