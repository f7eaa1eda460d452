#pragma once

#include <string>

namespace starhist::io::gromacs {

/// "libgromacs 2022.5", which reads GROMACS' formats here, or why nothing does.
std::string version();

}  // namespace starhist::io::gromacs
