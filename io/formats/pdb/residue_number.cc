#include "io/formats/pdb/residue_number.hh"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/text/fixed_columns.hh"

namespace starhist::io {
namespace {

constexpr std::size_t chain_column = 21;
constexpr std::size_t first_column = 22;
constexpr std::size_t number_width = 4;
constexpr std::size_t insertion_column = first_column + number_width;
constexpr std::int64_t most_decimal = 9999;  ///< in four columns

char column_of(std::string_view line, std::size_t column) {
  return column < line.size() ? line[column] : ' ';
}

/// Parses the whole text as a number of this base; empty if it is not a number.
std::optional<std::int64_t> number_of(std::string_view text, int base) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, base);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value)
                                                   : std::nullopt;
}

/// Parses hybrid-36 in four columns: a letter, then letters and digits, all of one
/// case.
std::optional<std::int64_t> hybrid_36(std::string_view text) {
  const bool upper = text.front() >= 'A' && text.front() <= 'Z';
  const bool lower = text.front() >= 'a' && text.front() <= 'z';
  const bool one_case = std::none_of(text.begin(), text.end(), [upper](char c) {
    return upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z';
  });
  const auto value = number_of(text, 36);
  if (text.size() != number_width || !value || !one_case || !(upper || lower)) {
    return std::nullopt;
  }
  constexpr std::int64_t first_letter = 10 * 36 * 36 * 36;  // "A000"
  constexpr std::int64_t letters = 26 * 36 * 36 * 36;
  return *value - first_letter + most_decimal + 1 + (lower ? letters : 0);
}

/// Returns the value of hexadecimal digits in lower case; 0 for other text.
std::int64_t lower_hexadecimal(std::string_view text) {
  const bool upper = std::any_of(text.begin(), text.end(),
                                 [](char c) { return c >= 'A' && c <= 'Z'; });
  return upper ? 0 : number_of(text, 16).value_or(0);
}

/// Returns the digits after four full columns, which belong to a longer number.
std::string_view digits_behind(std::string_view line) {
  std::size_t end = insertion_column;
  while (end < insertion_column + 3 && is_digit(column_of(line, end))) {
    ++end;
  }
  return line.substr(first_column, end - first_column);
}

}  // namespace

PdbResidueNumbers::Number PdbResidueNumbers::next(std::string_view line) {
  const Number number = read(line);
  last_ = number.value;
  last_without_chain_ = number.over_chain || column_of(line, chain_column) == ' ';
  return number;
}

PdbResidueNumbers::Number PdbResidueNumbers::read(std::string_view line) const {
  const std::string_view text = text_in(line, first_column, number_width);
  const char insertion = column_of(line, insertion_column);
  if (text.empty()) {
    return {0, insertion, false};
  }
  const auto follows = [this](std::int64_t value) {
    return value > most_decimal && (value == last_ || value == last_ + 1);
  };
  const bool full = text.size() == number_width;
  const std::int64_t hexadecimal = full ? lower_hexadecimal(text) : 0;
  if (follows(hexadecimal)) {
    return {hexadecimal, insertion, false};
  }
  const bool all_digits = std::all_of(text.begin(), text.end(), is_digit);
  if (full && all_digits && is_digit(column_of(line, chain_column)) &&
      last_without_chain_) {
    const std::int64_t wide =
        number_of(line.substr(chain_column, 1 + number_width), 10).value_or(0);
    if (follows(wide)) {
      return {wide, insertion, true};
    }
  }
  if (full && all_digits && is_digit(insertion) && text.front() != '0') {
    const std::string_view wide = digits_behind(line);
    return {*number_of(wide, 10), column_of(line, first_column + wide.size()), false};
  }
  if (const auto decimal =
          number_of(text.starts_with('+') ? text.substr(1) : text, 10)) {
    return {*decimal, insertion, false};
  }
  if (const auto hybrid = hybrid_36(text)) {
    return {*hybrid, insertion, false};
  }
  if (hexadecimal > most_decimal) {
    return {hexadecimal, insertion, false};
  }
  throw InputError("'" + std::string(text) +
                   "' in columns 23 to 26 is not a residue number (neither decimal, "
                   "nor hybrid-36, nor hexadecimal beyond 9999): correct it");
}

}  // namespace starhist::io
