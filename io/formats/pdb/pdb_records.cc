#include "io/formats/pdb/pdb_records.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "codelets/core/base/error.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

constexpr double nm_per_angstrom = 0.1;

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

/// Cosine that is exact for a right angle.
double cosine(double degrees) {
  return degrees == 90.0 ? 0.0 : std::cos(degrees * (std::numbers::pi / 180.0));
}

double sine(double degrees) {
  return degrees == 90.0 ? 1.0 : std::sin(degrees * (std::numbers::pi / 180.0));
}

/// Rows are the edges [nm]: a along x, b in the plane of x and y.
std::array<float, 9> edges_of(const Cell& cell) {
  const double a = cell[0] * nm_per_angstrom;
  const double b = cell[1] * nm_per_angstrom;
  const double c = cell[2] * nm_per_angstrom;
  const double cos_alpha = cosine(cell[3]);
  const double cos_beta = cosine(cell[4]);
  const double cos_gamma = cosine(cell[5]);
  const double sin_gamma = sine(cell[5]);
  std::array<float, 9> edges{};
  edges[0] = static_cast<float>(a);
  edges[3] = static_cast<float>(b * cos_gamma);
  edges[4] = static_cast<float>(b * sin_gamma);
  edges[6] = static_cast<float>(c * cos_beta);
  edges[7] = static_cast<float>(c * (cos_alpha - cos_beta * cos_gamma) / sin_gamma);
  const bool right_angles = cell[3] == 90.0 && cell[4] == 90.0 && cell[5] == 90.0;
  edges[8] = static_cast<float>(
      right_angles ? c : std::sqrt(c * c - edges[6] * edges[6] - edges[7] * edges[7]));
  return edges;
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

bool add_pdb_position(std::string_view line, std::vector<float>& positions) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto value = decimal_in(line, 30 + 8 * axis, 8);
    if (!value) {
      return false;
    }
    positions.push_back(static_cast<float>(*value * nm_per_angstrom));
  }
  return true;
}

void add_pdb_names(std::string_view line, ParticleTable& table) {
  table.name.emplace_back(text_in(line, 12, 4));
  table.residue_name.emplace_back(text_in(line, 17, 4));
  table.residue.push_back(whole_number_in(line, 22, 4));
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
  const std::array<float, 9> values = edges_of(*cell);
  const std::array<float, 9> placeholder{0.1F, 0, 0, 0, 0.1F, 0, 0, 0, 0.1F};
  if (values[0] == 0.0F || values == placeholder) {
    std::fill(std::begin(edges), std::end(edges), 0.0);
  } else {
    std::copy(values.begin(), values.end(), std::begin(edges));
  }
}

}  // namespace starhist::io
