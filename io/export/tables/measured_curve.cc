#include "io/export/tables/measured_curve.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
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

/// Whether a file with this first line is a csv or xvg table of starhist.
bool begins_own_table(const std::string& first_line) {
  return first_line.starts_with("# ") &&
         first_line.find(", written by starhist") != std::string::npos;
}

/// Reads the column `name` of such a table after its first line, with its errors.
/// Leaves out undefined values and points with an error of 0
/// (MeasuredCurve::without_error). Throws InputError if the table lacks the column,
/// has another quantity, has a word in place of a number, or if x does not increase.
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

using Numbers = std::vector<double>;

constexpr std::size_t fewest_points = 8;
constexpr std::size_t most_columns = 4;

/// The numbers of a line, separated by blanks, commas or semicolons; empty if a word is
/// not a finite number.
std::optional<Numbers> numbers_in(std::string line) {
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  std::istringstream words(line);
  Numbers numbers;
  for (std::string word; words >> word;) {
    char* end = nullptr;
    numbers.push_back(std::strtod(word.c_str(), &end));
    if (*end != '\0' || !std::isfinite(numbers.back())) {
      return std::nullopt;
    }
  }
  return numbers;
}

/// Whether the words between blanks or semicolons are numbers, one of them at least
/// with a decimal comma: "1,5 -0,3", "1 -0,3". In "1,5" and "1, 5" a comma separates
/// numbers.
bool has_decimal_commas(std::string line) {
  std::replace(line.begin(), line.end(), ';', ' ');
  std::istringstream words(line);
  std::size_t count = 0;
  bool found = false;
  for (std::string word; words >> word; ++count) {
    const std::size_t comma = word.find(',');
    if (comma != std::string::npos) {
      const auto is_digit = [&](std::size_t at) {
        return at < word.size() && word[at] >= '0' && word[at] <= '9';
      };
      if (comma == 0 || !is_digit(comma - 1) || !is_digit(comma + 1)) {
        return false;
      }
      word[comma] = '.';
      found = true;
    }
    char* end = nullptr;
    std::strtod(word.c_str(), &end);
    if (*end != '\0') {
      return false;
    }
  }
  return found && count > 1;
}

/// The length unit in the first brackets that contain one: "A" in "r ($\AA$)", "nm" in
/// "q [1/nm]"; "" without one.
std::string unit_in(const std::string& line) {
  for (std::size_t begin = line.find_first_of("(["); begin != std::string::npos;
       begin = line.find_first_of("([", begin + 1)) {
    const std::size_t end = line.find_first_of(")]", begin);
    std::string word;
    for (const char c : line.substr(begin + 1, end - begin - 1)) {
      if (std::string("${}^\\ ").find(c) == std::string::npos) {
        word += c;
      }
    }
    word = word.starts_with("1/") ? word.substr(2) : word;
    word = word.ends_with("-1") ? word.substr(0, word.size() - 2) : word;
    word = unit_spelling(word == "AA" ? "A" : word);
    if (angstroms_per(word)) {
      return word;
    }
  }
  return "";
}

/// 'q' or 'r' if that is the first word of a header line, as in "# Q [1/A], S(Q)" and
/// "#L r(A) G(A^-2)", or the label of x in an xvg file; otherwise 0.
char axis_in(const std::string& line) {
  const std::string letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string word;
  do {
    begin = line.find_first_of(letters, end);
    end = std::min(line.find_first_not_of(letters, begin), line.size());
    word = begin < end ? line.substr(begin, end - begin) : "";
  } while (word == "L" || word == "xaxis" || word == "label");
  const std::size_t next = line.find_first_not_of(" \t", end);
  if (next != std::string::npos && std::string("=:-").find(line[next]) < 3) {
    return '\0';  // "R-factor", "Q = 0.5"
  }
  return word == "q" || word == "Q" ? 'q' : word == "r" || word == "R" ? 'r' : '\0';
}

[[noreturn]] void refuse(const std::string& path, std::size_t line,
                         const std::string& problem) {
  throw InputError(path + ": line " + std::to_string(line) + " " + problem);
}

void add_point(const Numbers& row, std::size_t line, MeasuredCurve& curve) {
  if (!curve.x.empty() && row[0] <= curve.x.back()) {
    refuse(curve.path, line,
           "has x = " + number_text(row[0]) + " after " + number_text(curve.x.back()) +
               " (x must increase): sort the rows, and keep one of each x");
  }
  curve.x.push_back(row[0]);
  curve.y.push_back(row[1]);
  if (row.size() > 2) {
    curve.errors.push_back(row.back());
  }
}

void check_errors(MeasuredCurve& curve) {
  const auto is_positive = [](double error) { return error > 0.0; };
  if (std::none_of(curve.errors.begin(), curve.errors.end(), is_positive)) {
    curve.errors.clear();  // files without errors may have a column of zeros
  }
  const auto wrong =
      std::find_if_not(curve.errors.begin(), curve.errors.end(), is_positive);
  if (wrong != curve.errors.end()) {
    const auto k = static_cast<std::size_t>(wrong - curve.errors.begin());
    throw InputError(curve.path + ": the error " + number_text(*wrong) +
                     " at x = " + number_text(curve.x[k]) +
                     " is not positive (points are weighted by 1/error^2): correct it, "
                     "or leave out the column of errors");
  }
}

/// Reads the rows of a file of any other program.
void read_columns(std::istream& file, MeasuredCurve& curve) {
  std::size_t columns = 0;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find('\0') != std::string::npos) {
      throw InputError(curve.path +
                       ": is a binary file (pass text with two or three columns)");
    }
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) {
      continue;
    }
    const bool is_comment = std::string("#;!%@").find(line[first]) != std::string::npos;
    if (has_decimal_commas(line)) {
      refuse(curve.path, number,
             "has decimal commas (a comma separates columns): write decimal points");
    }
    const std::optional<Numbers> row = is_comment ? std::nullopt : numbers_in(line);
    if (!row && (is_comment || columns == 0)) {
      curve.unit = curve.unit.empty() ? unit_in(line) : curve.unit;
      curve.axis = axis_in(line) != '\0' ? axis_in(line) : curve.axis;
      continue;
    }
    if (!row) {
      refuse(curve.path, number,
             "is not a row of finite numbers: correct or remove it");
    }
    columns = columns == 0 ? row->size() : columns;
    if (row->size() != columns || columns < 2 || columns > most_columns) {
      refuse(curve.path, number,
             "has " + std::to_string(row->size()) +
                 " columns (pass x and y, or x, y and error, in all rows)");
    }
    add_point(*row, number, curve);
  }
  check_errors(curve);
}

}  // namespace

MeasuredCurve read_measured_curve(const std::string& path, const std::string& quantity,
                                  const std::string& name) {
  MeasuredCurve curve;
  curve.path = path;
  std::error_code ignored;
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path, ignored)) {
    throw InputError(path +
                     ": cannot be read (a missing file, a folder, or no "
                     "permission): pass a text file with two or three columns");
  }
  std::stringstream text;  // a pipe cannot be read twice
  text << file.rdbuf();
  std::string first;
  std::getline(text, first);
  if (begins_own_table(first)) {
    read_own_table(text, quantity, name, curve);
  } else if (first.starts_with('{') || first.starts_with('[')) {
    throw InputError(path + ": is JSON: pass csv, xvg or columns");
  } else {
    text.clear();
    text.seekg(0);
    read_columns(text, curve);
  }
  if (curve.x.size() < fewest_points) {
    throw InputError(path + ": has " + std::to_string(curve.x.size()) +
                     " rows of numbers (needs " + std::to_string(fewest_points) +
                     "): pass a text file with two or three columns");
  }
  return curve;
}

}  // namespace starhist::io
