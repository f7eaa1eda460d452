#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

// HDF5 files that stay readable, in the state of their last flush, after the process
// was killed.
//
// A kill may occur between two writes or within one, because the kernel copies a write
// page by page. Objects that every flush rewrites and that are unreadable when torn
// must therefore lie within one page of 4 KiB: the headers of growing datasets (300
// bytes with a checksum) and the nodes of chunk indices (up to 3136 bytes). HDF5 uses
// the same alignment as long as a file is open, so headers and rows are written in two
// sessions.
//
// Metadata that span several pages are kept consistent by a journal: a flush writes
// them completely, or the next reader completes it (redo_journal.hh). Readers that do
// not know the journal, such as h5py, also see the last flush, unless a write failed or
// the kill occurred within the few writes of a flush.
//
// The format is HDF5 1.8, because files of the latest format are marked as open for
// writing and refused after a kill.
//
// HDF5 does not lock the file (unless HDF5_USE_FILE_LOCKING is TRUE): it can be read,
// up to its last flush, while it is written.

/// Opens the existing, empty file `path` to create groups and datasets without rows.
/// Throws RunError.
Hdf5Object create_flushed_file(const std::string& path);

/// Reopens the file to append rows. `journal`: name of its journal, which is removed
/// when the file is closed. Throws RunError.
Hdf5Object reopen_flushed_file(const std::string& path, const std::string& journal);

}  // namespace starhist::io
