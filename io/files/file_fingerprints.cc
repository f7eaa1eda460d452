#include "io/files/file_fingerprints.hh"

#include <utility>

#include <sys/stat.h>

#include "codelets/core/base/error.hh"

namespace starhist::io {

FileFingerprint file_state(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) {
    return {};
  }
  return {file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec,
          file.st_mtim.tv_nsec};
}

FileFingerprints::FileFingerprints(std::vector<std::string> paths)
    : paths_(std::move(paths)) {
  for (const std::string& path : paths_) {
    states_.push_back(file_state(path));
  }
}

std::string FileFingerprints::changed() const {
  for (std::size_t k = 0; k < paths_.size(); ++k) {
    if (file_state(paths_[k]) != states_[k]) {
      return paths_[k];
    }
  }
  return "";
}

void FileFingerprints::check() const {
  const std::string path = changed();
  if (!path.empty()) {
    throw InputError(path + ": has changed since it was opened");
  }
}

}  // namespace starhist::io
