#pragma once

#include <memory>
#include <string>

#include "io/files/file_signature.hh"
#include "io/formats/gromacs/atoms/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Opens a file of GROMACS: XTC, TRR and TNG by their first bytes, G96, GRO and PDB by
/// the endings of their names, the last two also by their first lines. Nothing for
/// others. All atoms are one species; `structure`, which names them, may be empty.
std::unique_ptr<TrajectoryReader> open_gromacs(
    const std::string& path, const FileSignature& look, const ReadOptions& options,
    const std::shared_ptr<const Structure>& structure);

}  // namespace starhist::io
