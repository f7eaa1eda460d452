#include "io/formats/gro/gro_lines.hh"

#include <algorithm>
#include <string>

#include "codelets/core/base/error.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

constexpr std::size_t name_width = 5;
constexpr std::size_t first_number = 4 * name_width;
/// GROMACS rejects shorter lines of atoms.
constexpr std::size_t shortest_atom = 39;

/// Splits the box line into numbers. They are printed in columns, which large numbers
/// fill without a blank: "40000.0000040000.0000040000.00000". All numbers then have as
/// many decimals as the last one.
std::vector<std::string_view> box_fields(std::string_view line) {
  std::vector<std::string_view> fields = fields_of(line);
  const auto points = std::count(line.begin(), line.end(), '.');
  if (fields.size() == 3 || fields.size() == 9 || (points != 3 && points != 9)) {
    return fields;
  }
  const std::size_t end = line.find_last_not_of(" \t\r") + 1;
  const std::size_t decimals = end - line.rfind('.');
  fields.clear();
  std::size_t begin = 0;
  for (std::size_t point = line.find('.'); point != std::string_view::npos;
       point = line.find('.', point + 1)) {
    begin = line.find_first_not_of(" \t", begin);
    if (begin >= point || point + decimals > end) {
      return fields_of(line);
    }
    fields.push_back(line.substr(begin, point + decimals - begin));
    begin = point + decimals;
  }
  return fields;
}

}  // namespace

std::size_t gro_field_width(std::string_view first_atom) {
  const std::size_t x = first_atom.find('.', first_number);
  const std::size_t y = x == std::string_view::npos ? x : first_atom.find('.', x + 1);
  const std::size_t z = y == std::string_view::npos ? y : first_atom.find('.', y + 1);
  return z != std::string_view::npos && z - y == y - x ? y - x : 0;
}

bool add_gro_position(std::string_view line, std::size_t width,
                      std::vector<double>& positions) {
  if (width == 0 || line.size() < std::min(shortest_atom, first_number + 3 * width)) {
    return false;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto value = decimal_in(line, first_number + axis * width, width);
    if (!value) {
      return false;
    }
    positions.push_back(*value);
  }
  return true;
}

void add_gro_names(std::string_view line, ParticleTable& table) {
  table.residue.push_back(whole_number_in(line, 0, name_width));
  table.residue_name.emplace_back(text_in(line, name_width, name_width));
  table.name.emplace_back(text_in(line, 2 * name_width, name_width));
  ++table.count;
}

void read_gro_box(std::string_view line, double (&edges)[9]) {
  // Index in the matrix, row by row, of each number on the line.
  constexpr std::size_t element[9] = {0, 4, 8, 1, 2, 3, 5, 6, 7};
  const std::vector<std::string_view> fields = box_fields(line);
  if (fields.size() != 3 && fields.size() != 9) {
    throw InputError("the box has neither three nor nine numbers ('" +
                     std::string(line.substr(0, 60)) +
                     "'): correct it, or pass the box with --box");
  }
  std::fill(std::begin(edges), std::end(edges), 0.0);
  for (std::size_t k = 0; k < fields.size(); ++k) {
    edges[element[k]] = real_field(fields[k], "box");
    if (k < 3 && edges[element[k]] < 0.0) {
      throw InputError("the box has a negative length (" + std::string(fields[k]) +
                       "): correct it, or pass the box with --box");
    }
  }
}

}  // namespace starhist::io
