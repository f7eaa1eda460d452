#pragma once

#include <cstdint>
#include <string>

namespace starhist::io {

/// Makes sure that the file can grow by `bytes`, without a change of its size. Disk
/// blocks are reserved; where the file system cannot do that, they are written and
/// released. Throws RunError when the disk, the quota or the size limit of the process
/// does not allow it. To be called before HDF5 writes, as HDF5 does not survive a write
/// that fails.
void reserve_growth(const std::string& path, std::uint64_t bytes);

/// Releases reserved blocks that were not used. Throws RunError when the file cannot be
/// opened or cut.
void release_reserve(const std::string& path);

}  // namespace starhist::io
