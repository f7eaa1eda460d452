#pragma once

#include <cstdint>
#include <string>

namespace starhist::io {

/// Makes sure that the file can grow by `bytes`: blocks of the disk are set aside, or
/// written and given back where the file system cannot set them aside. Throws RunError
/// when the disk, the quota or the size limit of the process does not allow it.
///
/// Better before a write than in its middle: HDF5 does not survive a write that fails.
void reserve_growth(const std::string& path, std::uint64_t bytes);

/// Gives back what was set aside and not used. Throws RunError.
void release_reserve(const std::string& path);

}  // namespace starhist::io
