#include "io/reader/trajectory_format.hh"

#include <algorithm>
#include <filesystem>

#include "codelets/core/base/text.hh"
#include "io/compression/byte_source.hh"

namespace starhist::io {

using Contents = TrajectoryFormat::Contents;

namespace {

/// Whether a file name is `word`, optionally with a separated prefix or suffix, as in
/// HISTORY_2, run-HISTORY and CONFIG.01.
bool is_called(const std::string& name, const std::string& word) {
  const auto joins = [](char letter) { return letter == '_' || letter == '-'; };
  if (name == word) {
    return true;
  }
  if (name.ends_with(word)) {
    return joins(name[name.size() - word.size() - 1]);
  }
  if (!name.starts_with(word)) {
    return false;
  }
  const std::string rest = name.substr(word.size());
  return joins(rest.front()) ||
         (rest.front() == '.' && rest.size() > 1 &&
          rest.find_first_not_of("0123456789", 1) == std::string::npos);
}

}  // namespace

bool has_extension(const TrajectoryFormat& format, const std::string& path) {
  std::string name = lower_case(std::filesystem::path(path).filename().string());
  const bool packed = format.packed || (!format.python_package.empty() &&
                                        format.contents == Contents::text);
  for (const std::string& ending : compressed_endings()) {
    if (packed && name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
      break;
    }
  }
  return std::any_of(format.extensions.begin(), format.extensions.end(),
                     [&](const std::string& extension) {
                       return name.ends_with("." + extension) ||
                              (format.bare_name && is_called(name, extension));
                     });
}

}  // namespace starhist::io
