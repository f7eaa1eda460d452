#pragma once

#include <string>

namespace starhist::io {

/// Whether a file that is there already may be replaced.
enum class Overwrite { no, yes };

/// Names of an output file: PATH.partial while it is written, PATH when it is complete
/// and on the disk.
class OutputPath {
 public:
  /// Checks the path before the work starts. Throws InputError when `path` is a
  /// directory or no regular file, exists and may not be replaced, or lies in a
  /// directory that is missing or not writable. Throws InputError, too, when another
  /// process writes PATH.partial, or when there is one that may not be replaced; the
  /// message says what is in it. Removes a PATH.partial that may be replaced.
  OutputPath(const std::string& path, Overwrite overwrite)
      : OutputPath(path, overwrite, overwrite) {}
  OutputPath(const std::string& path, Overwrite overwrite, Overwrite overwrite_partial);

  const std::string& path() const { return path_; }
  const std::string& partial() const { return partial_; }

  /// Syncs PATH.partial to disk and renames it to PATH. Throws RunError when that fails
  /// or when a PATH that may not be replaced has appeared; PATH.partial then stays.
  void publish() const;

  /// Removes PATH.partial if it is there.
  void remove() const noexcept;

 private:
  std::string path_;
  std::string partial_;
  std::string directory_;
  Overwrite overwrite_;
};

}  // namespace starhist::io
