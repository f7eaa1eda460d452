#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace starhist::io {

/// What tells that a file is still the same.
struct FileFingerprint {
  dev_t device = 0;
  ino_t number = 0;
  off_t bytes = -1;
  long long changed_seconds = 0;
  long long changed_nanoseconds = 0;

  friend bool operator==(const FileFingerprint&, const FileFingerprint&) = default;
};

/// That of a file that is not there is FileFingerprint().
FileFingerprint file_state(const std::string& path);

/// By what it is seen that files are still the same: who opens them a second time, must
/// not read frames of others.
class FileFingerprints {
 public:
  explicit FileFingerprints(std::vector<std::string> paths);

  /// Throws InputError when a file has been replaced, changed or removed since.
  void check() const;

 private:
  std::vector<std::string> paths_;
  std::vector<FileFingerprint> states_;
};

}  // namespace starhist::io
