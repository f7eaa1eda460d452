#include "io/export/tables/measured_curve.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/tables/own_table.hh"

namespace starhist::io {
namespace {

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
