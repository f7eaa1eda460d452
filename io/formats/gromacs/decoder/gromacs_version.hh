#pragma once

#include <string>

namespace starhist::io::gromacs {

/// What this starhist has of GROMACS' library.
struct Library {
  bool usable = false;
  std::string text;  ///< "libgromacs 2022.5", or why there is none
};

Library library();

}  // namespace starhist::io::gromacs
