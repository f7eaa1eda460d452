#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/files/descriptor.hh"
#include "io/hdf5/flushed/pending_writes.hh"

namespace starhist::io {

/// Device and inode of a file: they stay when it is renamed.
struct FileNumber {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileNumber&) const = default;
};

/// A file beside another one, the target, for writes that must be done all or not at
/// all. They are first held here with a checksum, then done. If they are cut short,
/// by a kill or a full disk, complete_last_flush() does them again.
///
/// A lock of the kernel on the journal (fcntl(2), open file description locks) says
/// that the process that writes the target is alive.
class RedoJournal {
 public:
  /// Creates or empties the file `path` and locks it. `target`: the existing file that
  /// the writes are for, which may be renamed later. Throws RunError.
  RedoJournal(const std::string& path, const std::string& target);
  /// Removes the file unless it holds writes.
  ~RedoJournal();
  RedoJournal(const RedoJournal&) = delete;
  RedoJournal& operator=(const RedoJournal&) = delete;

  /// Holds the writes until clear(). False, with errno, if the file cannot be written:
  /// then it holds nothing.
  bool hold(const PendingWrites& writes) noexcept;
  /// False, with errno, if the file cannot be written: then it holds them still.
  bool clear() noexcept;

 private:
  std::string path_;
  std::unique_ptr<Descriptor> file_;
  FileNumber target_;
  bool holds_ = false;
};

/// Name of the journal of the partial result `partial`, OUT.h5.partial: OUT.h5.journal.
/// "" if the name does not end in .partial: a finished file has no journal.
std::string journal_of(const std::string& partial);

/// Does the writes that the journal of the partial result `partial` holds, if any, and
/// removes the journal. Does nothing while the process that writes the file is alive,
/// or if the journal is damaged or of another file. Throws InputError when it cannot
/// write the file.
void complete_last_flush(const std::string& partial);

}  // namespace starhist::io
