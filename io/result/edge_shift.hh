#pragma once

#include <string>

#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// How far the edges of the counts of a result lie below whole numbers of bins: 0 for
/// versions before 0.3, else starhist::edge_shift [bins]. Throws InputError for a
/// result whose edges this version does not know.
double read_edge_shift(const std::string& path, ExternalFiles external);

}  // namespace starhist::io
