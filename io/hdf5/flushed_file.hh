#pragma once

#include <string>

#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// HDF5 files that can be read as their last flush left them when the process is
/// killed.
///
/// A kill may fall between two writes, or within one: the kernel copies it page by
/// page. So what is rewritten with every flush and cannot be read when torn must lie on
/// one page of 4 KiB: the headers of datasets that grow (300 bytes with a checksum) and
/// the nodes of chunk indices (up to 3136 bytes). HDF5 has one alignment for a file as
/// long as it is open, hence the two functions.
///
/// The format is that of HDF5 1.8. Files of the latest format are marked as open for
/// writing, and after a kill refused.

/// Creates a file for groups and datasets without rows. Throws InputError when it
/// exists or cannot be created.
Hdf5Object create_flushed_file(const std::string& path);

/// Opens it again for rows. Throws RunError.
Hdf5Object reopen_flushed_file(const std::string& path);

}  // namespace starhist::io
