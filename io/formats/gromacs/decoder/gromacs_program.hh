#pragma once

#include <string>

#include "io/decoder/decoder_process.hh"

namespace starhist::io::gromacs {

/// Returns the path of the program that contains libgromacs, next to this one or
/// installed; "" if it was not built.
std::string program_path();

/// Returns that program as an argument of decoder::Process.
decoder::Program program();

/// The GROMACS library of this starhist.
struct Library {
  bool usable = false;
  std::string text;  ///< "libgromacs 2022.5", or the reason why it is missing
};

Library library();

/// Throws InputError "PATH: is WHAT, ..." if starhist was built without libgromacs.
void check_built(const std::string& path, const std::string& what);

}  // namespace starhist::io::gromacs
