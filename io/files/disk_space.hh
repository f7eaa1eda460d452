#pragma once

#include <cstdint>
#include <string>

namespace starhist::io {

/// Ensures that the file can grow by `bytes` without changing its size. Disk blocks are
/// reserved, or written and released if the file system cannot reserve them. Throws
/// RunError when the disk, the quota or the file size limit of the process does not
/// allow it. Call it before HDF5 writes, because HDF5 does not survive a failed write.
void reserve_growth(const std::string& path, std::uint64_t bytes);

/// Releases unused reserved blocks. Throws RunError when the file cannot be opened or
/// truncated.
void release_reserve(const std::string& path);

}  // namespace starhist::io
