#pragma once

#include <string>

#include "io/particles/structure.hh"

namespace starhist::io {

/// Reads the atoms of a GROMACS TPR file with libgromacs. Throws InputError, also if
/// starhist was built without libgromacs.
SharedStructure read_tpr_structure(const std::string& path);

/// Reads the atoms of a G96 file with libgromacs. Throws InputError, also for a file
/// without names.
SharedStructure read_g96_structure(const std::string& path);

/// Whether a G96 file contains atom names; trajectories have only positions.
bool g96_has_names(const std::string& path);

}  // namespace starhist::io
