#pragma once

#include <string>

namespace starhist::fuzz {

/// Reads a file that starhist would have inspected: as a trajectory, in all modes, and
/// as a result.
void read_hdf5(const std::string& path);

}  // namespace starhist::fuzz
