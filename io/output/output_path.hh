#pragma once

#include <memory>
#include <string>

#include "io/files/descriptor.hh"
#include "io/output/output_lock.hh"

namespace starhist::io {

/// Whether a file that is there already may be replaced.
enum class Overwrite { no, yes };

/// The life of an output file's name: PATH.partial while it is written, PATH when it is
/// complete and on the disk. One process at a time: see OutputLock.
class OutputPath {
 public:
  /// Locks the output and creates PATH.partial, empty. A PATH that is a symbolic link
  /// and may be replaced stands for the file that the link leads to. Checks everything
  /// that can be known before the work starts. Throws InputError when `path` is a
  /// directory, exists and may not be replaced, lies in a directory that is missing or
  /// not writable, or has a name too long; when another run writes it; and when there
  /// is a PATH.partial that another process holds, or that may not be replaced: then
  /// says what is in it.
  OutputPath(const std::string& path, Overwrite overwrite)
      : OutputPath(path, overwrite, overwrite) {}
  OutputPath(const std::string& path, Overwrite overwrite, Overwrite overwrite_partial);
  /// Removes PATH.partial if nothing was written to it.
  ~OutputPath();
  OutputPath(const OutputPath&) = delete;
  OutputPath& operator=(const OutputPath&) = delete;

  const std::string& path() const { return path_; }
  const std::string& partial() const { return partial_; }

  /// Syncs PATH.partial and renames it to PATH. Throws RunError, also when either name
  /// stands for a file that this object did not create; PATH.partial then stays.
  void publish() const;

  /// Removes PATH.partial if it is the file that this object created.
  void remove() const noexcept;

 private:
  std::string path_;
  std::string partial_;
  std::string directory_;
  Overwrite overwrite_;
  std::unique_ptr<OutputLock> lock_;
  std::unique_ptr<Descriptor> created_;  ///< PATH.partial, as long as this lives
};

}  // namespace starhist::io
