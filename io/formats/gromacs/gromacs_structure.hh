#pragma once

#include <string>

#include "io/particles/structure.hh"

namespace starhist::io {

/// The atoms of a GROMACS TPR file, by libgromacs. Throws InputError, also where
/// starhist was built without libgromacs.
SharedStructure read_tpr_structure(const std::string& path);

/// The atoms of a G96 file, by libgromacs. Throws InputError, also for a file without
/// names.
SharedStructure read_g96_structure(const std::string& path);

/// Whether a G96 file names its atoms: those of trajectories have positions alone.
bool g96_has_names(const std::string& path);

}  // namespace starhist::io
