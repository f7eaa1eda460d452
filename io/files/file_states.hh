#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace starhist::io {

/// What tells that a file is still the same.
struct FileState {
  dev_t device = 0;
  ino_t number = 0;
  off_t bytes = -1;
  long long changed_seconds = 0;
  long long changed_nanoseconds = 0;

  friend bool operator==(const FileState&, const FileState&) = default;
};

/// That of a file that is not there is FileState().
FileState file_state(const std::string& path);

/// By what it is seen that files are still the same: who opens them a second time, must
/// not read frames of others.
class FileStates {
 public:
  explicit FileStates(std::vector<std::string> paths);

  /// Throws InputError when a file has been replaced, changed or removed since.
  void check() const;

 private:
  std::vector<std::string> paths_;
  std::vector<FileState> states_;
};

}  // namespace starhist::io
