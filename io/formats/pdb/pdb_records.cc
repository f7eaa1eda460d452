#include "io/formats/pdb/pdb_records.hh"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "codelets/core/base/error.hh"
#include "codelets/core/geometry/box.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string element_in(std::string_view line) {
  constexpr char case_bit = 'a' ^ 'A';
  std::string element;
  for (const char c : text_in(line, 76, 2)) {
    if (is_letter(c)) {
      element += static_cast<char>(element.empty() ? c & ~case_bit : c | case_bit);
    }
  }
  return element;
}

/// a, b, c [Angstrom], alpha, beta, gamma [degrees].
using Cell = std::array<double, 6>;

/// By words, which need not keep to their columns.
std::optional<Cell> cell_in_words(std::string_view line) {
  const std::vector<std::string_view> words = fields_of(line);
  Cell cell{};
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

/// By columns: large numbers have no blanks between them.
std::optional<Cell> cell_in_columns(std::string_view line) {
  Cell cell{};
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

Box box_of(const Cell& cell) {
  try {
    return Box::from_lengths_and_angles({cell[0], cell[1], cell[2]},
                                        {cell[3], cell[4], cell[5]});
  } catch (const InputError& error) {
    throw InputError(std::string("its CRYST1 is no cell: ") + error.what() +
                     " (--box gives another box)");
  }
}

}  // namespace

bool is_pdb_record(std::string_view line, std::string_view name) {
  return line.starts_with(name) &&
         line.substr(name.size(), 6 - name.size()).find_first_not_of(' ') ==
             std::string_view::npos;
}

bool is_pdb_atom(std::string_view line) {
  return is_pdb_record(line, "ATOM") || is_pdb_record(line, "HETATM");
}

bool add_pdb_position(std::string_view line, std::vector<double>& positions) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto value = decimal_in(line, 30 + 8 * axis, 8);
    if (!value) {
      return false;
    }
    positions.push_back(*value);
  }
  return true;
}

void add_pdb_names(std::string_view line, ParticleTable& table) {
  table.name.emplace_back(text_in(line, 12, 4));
  table.residue_name.emplace_back(text_in(line, 17, 4));
  table.residue.push_back(whole_number_in(line, 22, 4));
  table.insertion_code.emplace_back(text_in(line, 26, 1));
  table.chain.emplace_back(text_in(line, 21, 1));
  table.segment.emplace_back(text_in(line, 72, 4));
  table.element.push_back(element_in(line));
  ++table.count;
}

void read_pdb_cell(std::string_view line, double (&edges)[9]) {
  std::optional<Cell> cell = cell_in_words(line);
  if (!cell) {
    cell = cell_in_columns(line);
  }
  if (!cell) {
    throw InputError("the record '" + std::string(line.substr(0, 60)) +
                     "' does not have three lengths and three angles");
  }
  if (text_in(line, 55, 11) == "P 21 1 1") {
    throw InputError(
        "its CRYST1 has the group P 21 1 1, GROMACS' pbc = screw, which starhist does "
        "not know (--box gives another box)");
  }
  const Cell placeholder{1, 1, 1, 90, 90, 90};
  std::fill(std::begin(edges), std::end(edges), 0.0);
  if ((*cell)[0] == 0.0 || *cell == placeholder) {
    return;
  }
  const Box box = box_of(*cell);
  for (std::size_t row = 0; row < 3; ++row) {
    const Vec3& edge = box.edges()[row];
    edges[3 * row] = edge.x;
    edges[3 * row + 1] = edge.y;
    edges[3 * row + 2] = edge.z;
  }
}

}  // namespace starhist::io
