#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/descriptor.hh"
#include "io/output/output_lock.hh"

namespace starhist::io {

/// Describes the regular file PATH.partial of an earlier run, for the message that
/// refuses to replace it: its complete blocks and frames (or that it is not a result),
/// its modification time, and the options of the user. Reads the blocks one at a time.
/// Never throws InputError.
std::string partial_contents(const std::string& partial);

/// Whether an existing file may be replaced.
enum class Overwrite { no, yes };

/// Treatment of the PATH.partial of an earlier run.
enum class OldPartial {
  refuse,  ///< throw InputError with a description of its contents
  remove,  ///< remove it, with everything kept for resuming that run
  keep,    ///< keep it until show() replaces it
};

/// Returns the files that a run keeps next to its output PATH, and replaces and
/// removes: PATH.partial, PATH.partial.new, PATH.checkpoint and PATH.lock.
std::vector<std::string> files_beside(const std::string& path);

/// Manages the name of an output file: PATH.partial while it is written, PATH once it
/// is complete and on the disk. OutputLock ensures that only one process writes it.
class OutputPath {
 public:
  /// Locks the output and creates an empty PATH.partial, after all checks that are
  /// possible before the work starts. If PATH is a symbolic link and may be replaced,
  /// its target is written. Throws InputError when `path`
  /// - is a directory, or exists and may not be replaced
  /// - lies in a directory that is missing or not writable, or has too long a name
  /// - is being written by another run
  /// - has a PATH.partial that another process holds, or that may not be replaced (the
  ///   message describes its contents).
  OutputPath(const std::string& path, Overwrite overwrite)
      : OutputPath(
            path, overwrite,
            overwrite == Overwrite::yes ? OldPartial::remove : OldPartial::refuse) {
    show();
  }
  /// Like the other constructor, but creates PATH.partial.new; show() renames it to
  /// PATH.partial once it is readable.
  OutputPath(const std::string& path, Overwrite overwrite, OldPartial old);
  /// Removes the file if it is empty or was not shown.
  ~OutputPath();
  OutputPath(const OutputPath&) = delete;
  OutputPath& operator=(const OutputPath&) = delete;

  const std::string& path() const { return path_; }
  /// Returns PATH.partial.
  const std::string& partial() const { return partial_; }
  /// Returns the current name of the file: PATH.partial.new before show(), then
  /// PATH.partial.
  const std::string& written() const { return written_; }
  /// Renames PATH.partial.new to PATH.partial, replacing an old one. Throws RunError.
  void show();
  /// Appends to the file, in one write if possible, and syncs it once a second. Throws
  /// RunError when the disk is full.
  void append(std::string_view bytes);
  /// Replaces PATH.partial, or creates it, by a file of these bytes that is on the disk
  /// before it has the name. Throws RunError; the earlier file then stays.
  void replace(std::string_view bytes);
  /// Writes another file `path` of the folder in the same way.
  void save(const std::string& path, std::string_view bytes) const;

  /// Syncs PATH.partial and renames it to PATH. Throws RunError, also when either name
  /// refers to a file that this object did not create; PATH.partial then stays.
  void publish() const;

  /// Removes the file that this object created, unless it was renamed or replaced by
  /// others.
  void remove() const noexcept;

 private:
  std::unique_ptr<Descriptor> write_new(std::string_view bytes) const;
  void check_ours() const;
  /// Waits until the current content is on the disk. Throws RunError.
  void sync() const;

  std::string path_;
  std::string partial_;
  std::string written_;
  std::string directory_;
  Overwrite overwrite_;
  std::unique_ptr<OutputLock> lock_;
  std::unique_ptr<Descriptor> created_;  ///< the current file
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace starhist::io
