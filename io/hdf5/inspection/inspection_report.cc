#include "io/hdf5/inspection/inspection_report.hh"

#include <vector>

namespace starhist::io {
namespace {

constexpr std::string_view last_word = "end";

}  // namespace

std::string inspection_report(const ExternalFileList& files) {
  std::string text;
  for (const ExternalFile& file : files) {
    for (const std::string* part : {&file.kind, &file.place, &file.file, &file.path}) {
      text += part->substr(0, part->find('\0'));
      text += '\0';
    }
  }
  text += last_word;
  return text + '\0';
}

std::optional<ExternalFileList> parse_inspection_report(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  if (words.size() % 4 != 1 || words.back() != last_word) {
    return std::nullopt;
  }
  ExternalFileList files;
  for (std::size_t k = 0; k + 4 <= words.size(); k += 4) {
    files.push_back({words[k], words[k + 1], words[k + 2], words[k + 3]});
  }
  return files;
}

}  // namespace starhist::io
