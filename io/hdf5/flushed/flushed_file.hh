#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

// HDF5 files that can be read in the state of their last flush after the process was
// killed.
//
// A kill may come between two writes or within one, as the kernel copies a write page
// by page. So objects that every flush rewrites and that cannot be read when torn must
// lie within one page of 4 KiB: the headers of growing datasets (300 bytes with a
// checksum) and the nodes of chunk indices (up to 3136 bytes). HDF5 has one alignment
// for as long as a file is open, so headers and rows are written in two sessions.
//
// What lies in several pages is consistent by a journal: the metadata of a flush are
// written whole, or by who reads the file next (redo_journal.hh). Readers that know of
// no journal, such as h5py, see the last flush as well, unless a write failed or a kill
// came within the few writes of a flush.
//
// The format is that of HDF5 1.8. Files of the latest format are marked as open for
// writing and refused after a kill.
//
// HDF5 does not lock it (unless HDF5_USE_FILE_LOCKING is TRUE): it can be read while it
// is written, up to its last flush.

/// Makes the existing, empty file `path` one for groups and datasets without rows.
/// Throws RunError.
Hdf5Object create_flushed_file(const std::string& path);

/// Opens the file again to append rows. `journal`: name of its journal, which goes when
/// the file is closed. Throws RunError.
Hdf5Object reopen_flushed_file(const std::string& path, const std::string& journal);

}  // namespace starhist::io
