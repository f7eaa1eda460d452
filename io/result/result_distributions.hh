#pragma once

#include "codelets/core/counting/histogram.hh"
#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// Writes g(r) of every species pair that contains particle pairs, normalized by
/// pairs-over-volume, for the bins in which it is defined, in the layout that NOMAD
/// reads. `total` is the sum of all blocks, all of which have volumes. Throws RunError.
void write_distributions(hid_t file, const HistogramLayout& layout, BlockCounts total);

}  // namespace starhist::io
