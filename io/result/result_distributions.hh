#pragma once

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes g(r) of every pair, normalised by pairs over volume, in the layout that NOMAD
/// reads. `total` is the sum of all blocks, which all have volumes. Only the bins for
/// which g(r) is defined are written, and only the pairs that there are. Throws
/// RunError.
void write_distributions(hid_t file, const HistogramLayout& layout,
                         const BlockCounts& total);

}  // namespace starhist::io
