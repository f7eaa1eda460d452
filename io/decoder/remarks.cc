#include "io/decoder/remarks.hh"

#include <algorithm>
#include <vector>

#include "codelets/core/base/text.hh"

namespace starhist::io::decoder {
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
    // Treat a carriage return, as printed by frame counters, like the end of a line.
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Replaces paths in `folder`: "cannot open /tmp/x/file.tng" becomes "cannot open the
/// file".
std::string without_folder(std::string text, const std::string& folder) {
  for (;;) {
    const std::size_t begin = text.find(folder + "/");
    if (folder.empty() || begin == std::string::npos) {
      return text;
    }
    const std::size_t end = std::min(text.find_first_of(" '\",:)", begin), text.size());
    text.replace(begin, end - begin, "the file");
  }
}

/// Returns the text as printable ASCII, shortened to 240 characters.
std::string readable(std::string text) {
  constexpr std::size_t longest = 240;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  if (text.size() > longest) {
    text = text.substr(0, longest) + " ...";
  }
  return text;
}

bool is_rule(const std::string& line) {
  return line.find_first_not_of('-') == std::string::npos;
}

}  // namespace

std::string reason_in(std::string_view text, const std::string& folder) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<std::string> paragraph;
  bool inside = false;
  std::string last;
  for (const std::string& line : lines) {
    if (inside) {
      if (is_rule(line)) {  // is_rule() also holds for empty lines
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
  while (!paragraph.empty() && paragraph.back().empty()) {
    paragraph.pop_back();
  }
  return readable(
      without_folder(paragraph.empty() ? last : join(paragraph, " "), folder));
}

}  // namespace starhist::io::decoder
