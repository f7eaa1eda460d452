#pragma once

#include <string>

namespace starhist::io {

/// Whether an existing file at the output path may be replaced.
enum class Overwrite { no, yes };

/// The life of an output file's name: PATH.partial while it is written, PATH when it is
/// complete and on the disk.
class OutputPath {
 public:
  /// Checks everything that can be known before the work starts. Throws InputError when
  /// `path` is a directory, exists and may not be replaced, or lies in a directory that
  /// is missing or not writable, and when another process holds PATH.partial. Removes a
  /// PATH.partial that nobody holds.
  OutputPath(const std::string& path, Overwrite overwrite);

  const std::string& path() const { return path_; }
  const std::string& partial() const { return partial_; }

  /// Syncs PATH.partial and renames it to PATH. Throws RunError; PATH.partial then
  /// stays.
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
