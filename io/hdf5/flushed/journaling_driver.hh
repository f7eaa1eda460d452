#pragma once

#include <memory>
#include <string>

#include <hdf5.h>

#include "io/hdf5/flushed/redo_journal.hh"

namespace starhist::io {

/// During the lifetime of this object, a file that HDF5 opens in this thread with
/// `file_access` is flushed atomically: metadata stay in memory until HDF5 flushes the
/// file, then go to the journal `journal` (redo_journal.hh), and then to the file. Raw
/// data are written at once, because HDF5 puts them in new space. If HDF5_DRIVER
/// selects another driver, HDF5 writes as usual. `path`: the existing file to be
/// opened. Throws RunError when the journal cannot be created.
class JournalingScope {
 public:
  JournalingScope(hid_t file_access, const std::string& path,
                  const std::string& journal);
  ~JournalingScope();
  JournalingScope(const JournalingScope&) = delete;
  JournalingScope& operator=(const JournalingScope&) = delete;

 private:
  std::unique_ptr<RedoJournal> journal_;  ///< owned until the file is opened
};

/// Discards the pending metadata of the descriptor's file, and all that follow. Does
/// nothing for a file without a journal.
void drop_pending_writes(int descriptor) noexcept;

}  // namespace starhist::io
