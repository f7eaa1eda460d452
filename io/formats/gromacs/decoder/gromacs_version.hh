#pragma once

#include <string>

namespace starhist::io::gromacs {

/// The GROMACS library of this starhist.
struct Library {
  bool usable = false;
  std::string text;  ///< "libgromacs 2022.5", or the reason why it is missing
};

Library library();

}  // namespace starhist::io::gromacs
