#pragma once

#include <memory>
#include <string>

#include <hdf5.h>

#include "io/hdf5/flushed/redo_journal.hh"

namespace starhist::io {

/// While this object lives, a file that HDF5 opens in this thread with `file_access` is
/// written so that a flush is done whole or not at all: metadata stay in memory until
/// HDF5 flushes the file, go to the journal `journal` (redo_journal.hh), and then to
/// the file. Raw data, for which HDF5 takes new space, are written at once. If
/// HDF5_DRIVER selects another driver, HDF5 writes as it does. `path` is the existing
/// file to be opened. Throws RunError when the journal cannot be created.
class JournalingScope {
 public:
  JournalingScope(hid_t file_access, const std::string& path,
                  const std::string& journal);
  ~JournalingScope();
  JournalingScope(const JournalingScope&) = delete;
  JournalingScope& operator=(const JournalingScope&) = delete;

 private:
  std::unique_ptr<RedoJournal> journal_;  ///< until the file is open
};

/// Drops the metadata that the file of this descriptor has in memory, now and from now
/// on. Does nothing for a file without a journal.
void drop_pending_writes(int descriptor) noexcept;

}  // namespace starhist::io
