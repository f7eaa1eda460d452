#pragma once

#include <string>

#include "io/decoder/decoder_process.hh"

namespace starhist::io::gromacs {

/// The program that has libgromacs, beside this one or where it is installed; "" where
/// it was not built.
std::string program_path();

/// The same, to be started as a decoder::Process.
decoder::Program program();

/// Throws InputError "PATH: is WHAT, ..." where starhist was built without libgromacs.
void check_built(const std::string& path, const std::string& what);

}  // namespace starhist::io::gromacs
