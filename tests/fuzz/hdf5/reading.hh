#pragma once

#include <string>

namespace starhist::fuzz {

/// Reads a file that was inspected as starhist does: as a trajectory, in all ways, and
/// as a result.
void read_hdf5(const std::string& path);

}  // namespace starhist::fuzz
