#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/files/descriptor.hh"
#include "io/output/output_lock.hh"

namespace starhist::io {

/// Whether a file that is there already may be replaced.
enum class Overwrite { no, yes };

/// What to do with the PATH.partial of an earlier run.
enum class OldPartial {
  refuse,  ///< throw InputError that says what is in it
  remove,  ///< with all that was kept for a run that goes on
  keep,    ///< until show() replaces it
};

/// The files that a run keeps next to its output PATH, which it replaces and removes:
/// PATH.partial, PATH.partial.new, PATH.journal, PATH.checkpoint and PATH.lock.
std::vector<std::string> files_beside(const std::string& path);

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
      : OutputPath(
            path, overwrite,
            overwrite == Overwrite::yes ? OldPartial::remove : OldPartial::refuse) {
    show();
  }
  /// The same with PATH.partial.new, for a file that can be read from the moment that
  /// it has its name: show() makes it PATH.partial.
  OutputPath(const std::string& path, Overwrite overwrite, OldPartial old);
  /// Removes the file if nothing was written to it, or if it was not shown.
  ~OutputPath();
  OutputPath(const OutputPath&) = delete;
  OutputPath& operator=(const OutputPath&) = delete;

  const std::string& path() const { return path_; }
  /// PATH.partial.
  const std::string& partial() const { return partial_; }
  /// Name of the file that is written, now: PATH.partial, or before show()
  /// PATH.partial.new.
  const std::string& written() const { return written_; }
  /// Renames PATH.partial.new to PATH.partial, which it replaces. Throws RunError.
  void show();
  /// Returns when the file is on the disk as it is now. Throws RunError.
  void sync() const;

  /// Syncs PATH.partial and renames it to PATH. Throws RunError, also when either name
  /// stands for a file that this object did not create; PATH.partial then stays.
  void publish() const;

  /// Removes the file that this object created, if it still has its name.
  void remove() const noexcept;

 private:
  std::string path_;
  std::string partial_;
  std::string written_;
  std::string directory_;
  Overwrite overwrite_;
  std::unique_ptr<OutputLock> lock_;
  std::unique_ptr<Descriptor> created_;  ///< open as long as this lives
};

}  // namespace starhist::io
