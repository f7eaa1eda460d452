#include "io/formats/gromacs/text/gromacs_text_check.hh"

#include <algorithm>

namespace starhist::io {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool has_position(std::string_view line, std::size_t column, std::size_t width) {
  return is_decimal(line, column, width) && is_decimal(line, column + width, width) &&
         is_decimal(line, column + 2 * width, width);
}

}  // namespace

bool is_decimal(std::string_view line, std::size_t column, std::size_t width) {
  if (column >= line.size()) {
    return false;
  }
  std::string_view field = line.substr(column, width);
  const std::size_t first = std::min(field.find_first_not_of(' '), field.size());
  field.remove_prefix(first);
  field = field.substr(0, field.find_last_not_of(' ') + 1);
  if (field.starts_with('-') || field.starts_with('+')) {
    field.remove_prefix(1);
  }
  const std::size_t dot = field.find('.');
  if (dot == std::string_view::npos || field.size() == 1) {
    return false;
  }
  const std::string_view whole = field.substr(0, dot);
  const std::string_view part = field.substr(dot + 1);
  return std::all_of(whole.begin(), whole.end(), is_digit) &&
         std::all_of(part.begin(), part.end(), is_digit);
}

bool has_gro_position(std::string_view line) {
  // Decimals are as many as the writer liked; the points are as far apart as fields
  // are wide.
  constexpr std::size_t names = 20;
  const std::size_t first = line.find('.', names);
  const std::size_t second =
      first == std::string_view::npos ? first : line.find('.', first + 1);
  return second != std::string_view::npos && has_position(line, names, second - first);
}

bool has_pdb_position(std::string_view line) {
  return has_position(line, 30, 8);
}

}  // namespace starhist::io
