#pragma once

#include <string>

namespace starhist::io {

/// Whether a file that is there already may be replaced.
enum class Overwrite { no, yes };

/// The life of an output file's name: PATH.partial while it is written, PATH when it is
/// complete and on the disk.
class OutputPath {
 public:
  /// Checks everything that can be known before the work starts. Throws InputError when
  /// `path` is a directory, exists and may not be replaced, or lies in a directory that
  /// is missing or not writable. Throws InputError, too, when there is a PATH.partial
  /// that another process holds, or that may not be replaced; then says what is in it.
  /// Removes one that may be replaced.
  OutputPath(const std::string& path, Overwrite overwrite)
      : OutputPath(path, overwrite, overwrite) {}
  OutputPath(const std::string& path, Overwrite overwrite, Overwrite overwrite_partial);

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
