#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/files/descriptor.hh"
#include "io/hdf5/flushed/pending_writes.hh"

namespace starhist::io {

/// Device and inode of a file, which do not change when it is renamed.
struct FileNumber {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileNumber&) const = default;
};

/// A journal next to a file, the target, for writes that must be performed completely
/// or not at all. They are stored in the journal with a checksum, then performed. If a
/// kill or a full disk interrupts them, complete_last_flush() repeats them.
///
/// A kernel lock on the journal (fcntl(2), open file description locks) indicates that
/// the process that writes the target is alive.
class RedoJournal {
 public:
  /// Creates or empties the file `path` and locks it. `target`: the existing file to be
  /// written, which may be renamed later. Throws RunError.
  RedoJournal(const std::string& path, const std::string& target);
  /// Removes the file unless it contains writes.
  ~RedoJournal();
  RedoJournal(const RedoJournal&) = delete;
  RedoJournal& operator=(const RedoJournal&) = delete;

  /// Stores the writes until clear(). False, with errno, if the journal cannot be
  /// written; it is then empty.
  bool hold(const PendingWrites& writes) noexcept;
  /// Empties the journal. False, with errno, if it cannot be written; it then still
  /// contains the writes.
  bool clear() noexcept;

 private:
  std::string path_;
  std::unique_ptr<Descriptor> file_;
  FileNumber target_;
  bool holds_ = false;
};

/// Returns the journal's name for the partial result `partial`: OUT.h5.journal for
/// OUT.h5.partial. "" if the name does not end in .partial, because finished files have
/// no journal.
std::string journal_of(const std::string& partial);

/// Performs the writes in the journal of the partial result `partial`, if any, and
/// removes the journal. Does nothing while the process that writes the file is alive,
/// or if the journal is damaged or belongs to another file. Throws InputError when it
/// cannot write the file.
void complete_last_flush(const std::string& partial);

}  // namespace starhist::io
