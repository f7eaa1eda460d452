#include "io/gromacs_remarks.hh"

#include <algorithm>
#include <vector>

#include "codelets/core/text.hh"

namespace starhist::gromacs {
namespace {

std::string trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return "";
  }
  return std::string(line.substr(first, line.find_last_not_of(" \t") + 1 - first));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    // A carriage return begins the line again, as counters of frames do.
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_rule(const std::string& line) {
  return line.find_first_not_of('-') == std::string::npos;
}

}  // namespace

std::string reason_in(std::string_view text) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<std::string> paragraph;
  bool inside = false;
  std::string last;
  for (const std::string& line : lines) {
    if (inside) {
      if (is_rule(line)) {
        break;
      }
      paragraph.push_back(line);
    } else if (line.ends_with("rror:") || line.starts_with("Error in ") ||
               line.starts_with("Inconsistency in ") ||
               line.starts_with("Feature not implemented")) {
      inside = true;
    } else if (!is_rule(line)) {
      last = line;
    }
  }
  return paragraph.empty() ? last : join(paragraph, " ");
}

}  // namespace starhist::gromacs
