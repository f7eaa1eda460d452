#include "io/reader/unit_cell.hh"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "codelets/core/base/error.hh"
#include "codelets/core/geometry/box.hh"

namespace starhist::io {

bool is_placeholder(const UnitCell& cell) {
  constexpr UnitCell one{1, 1, 1, 90, 90, 90};
  return (cell[0] == 0.0 && cell[1] == 0.0 && cell[2] == 0.0) || cell == one;
}

void set_edges(const UnitCell& cell, const std::string& name, double (&edges)[9]) {
  std::fill(std::begin(edges), std::end(edges), 0.0);
  if (is_placeholder(cell)) {
    return;
  }
  try {
    const Box box = Box::from_lengths_and_angles({cell[0], cell[1], cell[2]},
                                                 {cell[3], cell[4], cell[5]});
    for (std::size_t row = 0; row < 3; ++row) {
      const Vec3& edge = box.edges()[row];
      edges[3 * row] = edge.x;
      edges[3 * row + 1] = edge.y;
      edges[3 * row + 2] = edge.z;
    }
  } catch (const InputError& error) {
    throw InputError("its " + name + " is not a cell: " + error.what() +
                     " (give another box with --box)");
  }
}

bool has_symmetry(const std::string& space_group) {
  std::string letters;
  for (const char c : space_group) {
    if (c != ' ') {
      letters += c;
    }
  }
  return !letters.empty() && letters != "P1" && letters != "1" && letters != "?" &&
         letters != ".";
}

void clear_placeholder(double (&edges)[9]) {
  constexpr double placeholder[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  constexpr double rounding = 1e-7;  // floats have 0.1 to 1.5e-9
  if (std::equal(std::begin(edges), std::end(edges), std::begin(placeholder),
                 [](double edge, double of_placeholder) {
                   return std::abs(edge - of_placeholder) <= rounding;
                 })) {
    std::fill(std::begin(edges), std::end(edges), 0.0);
  }
}

std::string symmetry_remark(const std::string& space_group) {
  return "its cell has the space group " + space_group +
         ": only the atoms of the file are counted, no copies by symmetry";
}

void check_fractional(const double (&edges)[9], const std::array<double, 9>& fractional,
                      const std::string& name) {
  // Tolerance: six decimals leave an uncertainty of 5e-4 cells at 1000 Angstrom.
  constexpr double rounding = 1e-6;
  for (std::size_t edge = 0; edge < 3; ++edge) {
    const double* e = &edges[3 * edge];
    const double most =
        1e-3 + rounding * (std::abs(e[0]) + std::abs(e[1]) + std::abs(e[2]));
    for (std::size_t row = 0; row < 3; ++row) {
      const double* f = &fractional[3 * row];
      const double cells = f[0] * e[0] + f[1] * e[1] + f[2] * e[2];
      if (!(std::abs(cells - (edge == row ? 1.0 : 0.0)) <= most)) {
        throw InputError(
            name +
            " orient the cell differently from its lengths and angles, which put the "
            "edge a along x and b in the xy plane (give the right box with --box)");
      }
    }
  }
}

}  // namespace starhist::io
