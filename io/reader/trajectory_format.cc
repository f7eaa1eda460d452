#include "io/reader/trajectory_format.hh"

#include <algorithm>
#include <filesystem>

namespace starhist::io {

bool has_extension(const TrajectoryFormat& format, const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                          : letter;
  });
  if (format.gzip && name.ends_with(".gz")) {
    name.resize(name.size() - 3);
  }
  return std::any_of(format.extensions.begin(), format.extensions.end(),
                     [&name](const std::string& extension) {
                       return name.ends_with("." + extension);
                     });
}

}  // namespace starhist::io
