#pragma once

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace starhist::testing {

/// Columns of a csv export by name; empty fields are NaN. No names with commas. A line
/// with another number of fields makes an empty table.
inline std::map<std::string, std::vector<double>> csv_columns(const std::string& text) {
  std::map<std::string, std::vector<double>> columns;
  std::vector<std::string> names;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind('#', 0) == 0) {
      continue;
    }
    std::vector<std::string> fields;
    std::istringstream of_line(line + ",");
    for (std::string field; std::getline(of_line, field, ',');) {
      fields.push_back(field);
    }
    if (names.empty()) {
      names = fields;
      continue;
    }
    if (fields.size() != names.size()) {
      return {};
    }
    for (std::size_t c = 0; c < names.size(); ++c) {
      columns[names[c]].push_back(fields[c].empty() ? std::nan("")
                                                    : std::stod(fields[c]));
    }
  }
  return columns;
}

}  // namespace starhist::testing
