#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace starhist::io {

/// Properties by which a file is recognized as unchanged.
struct FileFingerprint {
  dev_t device = 0;
  ino_t number = 0;               ///< inode
  off_t bytes = -1;               ///< size; -1: the file does not exist
  long long changed_seconds = 0;  ///< modification time
  long long changed_nanoseconds = 0;

  friend bool operator==(const FileFingerprint&, const FileFingerprint&) = default;
};

/// Returns the fingerprint of a file; FileFingerprint() if it does not exist.
FileFingerprint file_state(const std::string& path);

/// Fingerprints of files, which detect that a file has changed before it is opened
/// again.
class FileFingerprints {
 public:
  /// Takes the fingerprints of the files as they are now.
  explicit FileFingerprints(std::vector<std::string> paths);

  /// Returns the first file that has been replaced, changed or removed since; "" if all
  /// are unchanged.
  std::string changed() const;

  /// Throws InputError when a file has been replaced, changed or removed since.
  void check() const;

 private:
  std::vector<std::string> paths_;
  std::vector<FileFingerprint> states_;
};

}  // namespace starhist::io
