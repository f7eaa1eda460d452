#pragma once

#include <string>

namespace starhist {

/// What the first bytes of a file say about it.
struct FileLook {
  bool is_hdf5 = false;
  std::string description;  ///< "a GROMACS XTC trajectory", "text (\"ITEM: TIMESTEP\")"
};

/// For messages about files that cannot be read; never throws for their content.
FileLook look_at(const std::string& path);

}  // namespace starhist
