#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace starhist::io {

/// Properties by which a file is recognized as unchanged.
struct FileFingerprint {
  dev_t device = 0;
  ino_t number = 0;               ///< inode
  off_t bytes = -1;               ///< size; -1: there is no such file
  long long changed_seconds = 0;  ///< modification time
  long long changed_nanoseconds = 0;

  friend bool operator==(const FileFingerprint&, const FileFingerprint&) = default;
};

/// The fingerprint of a file; FileFingerprint() if it does not exist.
FileFingerprint file_state(const std::string& path);

/// Fingerprints of files, so that whoever opens them again does not read frames of
/// changed files.
class FileFingerprints {
 public:
  /// Takes the fingerprints now.
  explicit FileFingerprints(std::vector<std::string> paths);

  /// The first file that has been replaced, changed or removed since; "" if none has.
  std::string changed() const;

  /// Throws InputError when a file has been replaced, changed or removed since.
  void check() const;

 private:
  std::vector<std::string> paths_;
  std::vector<FileFingerprint> states_;
};

}  // namespace starhist::io
