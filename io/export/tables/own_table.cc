#include "io/export/tables/own_table.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

/// Errors below this part of the largest one are rounding errors of 0.
constexpr double rounding = 1e-9;

/// Value of the comment "# NAME: VALUE"; "" for other lines.
std::string fact_in(const std::string& line, const std::string& name) {
  const std::string begin = "# " + name + ": ";
  return line.starts_with(begin) ? line.substr(begin.size()) : "";
}

/// `found`: quantity of the table; "" if a line does not specify it.
void check_quantity(const std::string& path, const std::string& found,
                    const std::string& wanted) {
  if (!found.empty() && found != wanted) {
    throw InputError(path + ": has the quantity " + found + ", and " + wanted +
                     " is computed (--quantity): compare tables of one quantity");
  }
}

/// Cells of a row: between commas, or between blanks.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream row(line);
  std::string cell;
  if (line.find(',') == std::string::npos) {
    while (row >> cell) {
      cells.push_back(cell);
    }
  } else {
    while (std::getline(row, cell, ',')) {
      cells.push_back(cell);
    }
  }
  return cells;
}

/// Number in the cell k; NaN if it is empty or missing. Throws InputError for a word.
double number_at(const std::string& path, const std::vector<std::string>& cells,
                 std::size_t k) {
  if (k >= cells.size() || cells[k].empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  char* end = nullptr;
  const double number = std::strtod(cells[k].c_str(), &end);
  if (*end != '\0') {
    throw InputError(path + ": has '" + cells[k] +
                     "' in place of a number: export the table again");
  }
  return number;
}

/// The names in quotes after "legend" in a line of xvg: "@ s0 legend "O-O"".
std::string legend_in(const std::string& line) {
  const std::size_t begin = line.find(" legend \"");
  return line.starts_with("@ s") && begin != std::string::npos
             ? line.substr(begin + 9, line.rfind('"') - begin - 9)
             : "";
}

std::size_t column_named(const std::vector<std::string>& names,
                         const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                  names.begin());
}

/// Leaves out the points whose error is 0: their weight would be infinite.
void leave_out_exact_points(MeasuredCurve& curve) {
  const double largest = curve.errors.empty() ? 0.0
                                              : *std::max_element(curve.errors.begin(),
                                                                  curve.errors.end());
  if (largest <= 0.0) {
    curve.errors.clear();
    return;
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    if (curve.errors[k] > rounding * largest) {
      curve.x[kept] = curve.x[k];
      curve.y[kept] = curve.y[k];
      curve.errors[kept] = curve.errors[k];
      ++kept;
    }
  }
  curve.without_error = curve.x.size() - kept;
  for (std::vector<double>* values : {&curve.x, &curve.y, &curve.errors}) {
    values->resize(kept);
  }
}

}  // namespace

bool begins_own_table(const std::string& first_line) {
  return first_line.starts_with("# ") &&
         first_line.find(", written by starhist") != std::string::npos;
}

void read_own_table(std::istream& file, const std::string& quantity,
                    const std::string& name, MeasuredCurve& curve) {
  std::vector<std::string> names;
  std::size_t value = 0;
  std::size_t error = 0;
  std::string length_unit;
  std::string q_unit;
  for (std::string line; std::getline(file, line);) {
    line.erase(line.find_last_not_of('\r') + 1);
    if (line.starts_with("#") || line.starts_with("@")) {
      check_quantity(curve.path, fact_in(line, "quantity"), quantity);
      const std::string length = fact_in(line, "length_unit");
      const std::string q = fact_in(line, "q_unit");
      length_unit = length.empty() ? length_unit : length;
      q_unit = q.empty() ? q_unit : q.substr(q.starts_with("1/") ? 2 : 0);
      const std::string legend = legend_in(line);
      if (!legend.empty()) {
        names.resize(std::max<std::size_t>(names.size(), 1));  // the axis has no legend
        names.push_back(legend);
      }
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (names.empty()) {
      names = cells;  // csv: the first row
      continue;
    }
    if (value == 0) {
      value = column_named(names, name);
      error = column_named(names, error_name(name));
      if (value == names.size()) {
        std::vector<std::string> curves(names.begin() + 1, names.end());
        std::erase_if(curves, [](const std::string& other) {
          return other.ends_with(error_name(""));
        });
        throw InputError(curve.path + ": has no column '" + name + "' (there are " +
                         listed(curves) + did_you_mean(name, curves) +
                         "): choose the curve with --experiment-curve, and its "
                         "--quantity and --form");
      }
    }
    const double x = number_at(curve.path, cells, 0);
    const double y = number_at(curve.path, cells, value);
    const double deviation = number_at(curve.path, cells, error);
    const bool has_errors = error < names.size();
    if (!std::isfinite(x) || !std::isfinite(y) ||
        (has_errors && !std::isfinite(deviation))) {
      continue;
    }
    if (!curve.x.empty() && x <= curve.x.back()) {
      throw InputError(curve.path + ": has " + names.front() + " = " + cells[0] +
                       " after " + number_text(curve.x.back()) +
                       " (it must increase): export the table again");
    }
    curve.x.push_back(x);
    curve.y.push_back(y);
    if (has_errors) {
      curve.errors.push_back(deviation);
    }
  }
  const std::string unit = q_unit.empty() ? length_unit : q_unit;
  curve.unit = angstroms_per(unit_spelling(unit)) ? unit_spelling(unit) : "";
  leave_out_exact_points(curve);
}

}  // namespace starhist::io
