#include "io/reader/trajectory_format.hh"

#include <algorithm>
#include <filesystem>

#include "io/compression/byte_source.hh"

namespace starhist::io {

using Contents = TrajectoryFormat::Contents;

bool has_extension(const TrajectoryFormat& format, const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                          : letter;
  });
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
                              (format.bare_name && name == extension);
                     });
}

}  // namespace starhist::io
