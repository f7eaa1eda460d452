#include "io/formats/pdb/pdb_cell.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "io/reader/unit_cell.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

/// Parses the cell by words, which may be outside of their columns.
std::optional<UnitCell> cell_in_words(std::string_view line) {
  const std::vector<std::string_view> words = fields_of(line);
  UnitCell cell{};
  if (words.size() <= cell.size() || words[0] != "CRYST1") {
    return std::nullopt;
  }
  try {
    for (std::size_t k = 0; k < cell.size(); ++k) {
      cell[k] = real_field(words[k + 1], "CRYST1");
    }
  } catch (const InputError&) {
    return std::nullopt;
  }
  return cell;
}

/// Parses the cell by columns, because large numbers have no blanks between them.
std::optional<UnitCell> cell_in_columns(std::string_view line) {
  UnitCell cell{};
  std::size_t column = 6;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    const std::size_t width = k < 3 ? 9 : 7;
    const auto value = decimal_in(line, column, width);
    if (!value) {
      return std::nullopt;
    }
    cell[k] = *value;
    column += width;
  }
  return cell;
}

std::optional<UnitCell> cell_of(std::string_view line) {
  const std::optional<UnitCell> cell = cell_in_words(line);
  return cell ? cell : cell_in_columns(line);
}

std::string group_in(std::string_view record) {
  return std::string(text_in(record, 55, 11));
}

/// Returns the three numbers of a SCALEn record in their columns; empty if they are
/// invalid.
std::optional<std::array<double, 3>> scale_row(std::string_view record) {
  std::array<double, 3> row{};
  for (std::size_t k = 0; k < row.size(); ++k) {
    const auto value = decimal_in(record, 10 + 10 * k, 10);
    if (!value) {
      return std::nullopt;
    }
    row[k] = *value;
  }
  return row;
}

void check_scale(const PdbCell& cell, const double (&edges)[9]) {
  std::array<double, 9> fractional{};
  for (std::size_t k = 0; k < cell.scale.size(); ++k) {
    if (cell.scale[k].empty()) {
      return;
    }
    const auto row = scale_row(cell.scale[k]);
    if (!row) {
      throw InputError("the record '" + cell.scale[k].substr(0, 60) +
                       "' does not have three numbers in their columns (give another "
                       "box with --box)");
    }
    std::copy(row->begin(), row->end(), &fractional[3 * k]);
  }
  check_fractional(edges, fractional, "SCALE1 to SCALE3");
}

}  // namespace

bool is_same_cell(std::string_view a, std::string_view b) {
  const auto first = cell_of(a);
  return first && first == cell_of(b) && group_in(a) == group_in(b);
}

void read_pdb_cell(const PdbCell& cell, double (&edges)[9]) {
  std::fill(std::begin(edges), std::end(edges), 0.0);
  if (cell.record.empty()) {
    return;
  }
  const std::optional<UnitCell> numbers = cell_of(cell.record);
  if (!numbers) {
    throw InputError("the record '" + cell.record.substr(0, 60) +
                     "' does not have three lengths and three angles");
  }
  if (group_in(cell.record) == "P 21 1 1") {
    throw InputError(
        "its CRYST1 has the group P 21 1 1, GROMACS' pbc = screw, which starhist does "
        "not know (give another box with --box)");
  }
  set_edges(*numbers, "CRYST1", edges);
  if (!is_placeholder(*numbers)) {
    check_scale(cell, edges);
  }
}

std::string space_group_of(std::string_view record) {
  const std::optional<UnitCell> cell = cell_of(record);
  const std::string group = group_in(record);
  return cell && !is_placeholder(*cell) && has_symmetry(group) ? group : "";
}

}  // namespace starhist::io
