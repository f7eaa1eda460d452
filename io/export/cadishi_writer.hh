#pragma once

#include <string>

#include "io/output/output_path.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Writes the counts in CADISHI's layout of histograms, for its reader and for
/// CAPRIQORN (docs/reference/result-file.md). An existing file is replaced;
/// PATH.partial of an earlier run only if `overwrite_partial` allows it.
///
/// Lengths are converted to Angstrom, as CAPRIQORN expects, if the unit is known. There
/// is one group per block if all blocks have the same number of frames, else one group
/// in all, as CAPRIQORN divides all groups by the same number of frames. CADISHI stores
/// N and V of every frame. A result has sums, so each frame of a block gets the mean N
/// and the harmonic mean V of the block. CAPRIQORN's g(r) is then the same if N is
/// constant.
///
/// Throws InputError when there is no block, when short distances or pairs were left
/// out of the counts, for species names with ',' or '/', and when the file cannot be
/// created; RunError when the disk is full.
void write_cadishi_histograms(const std::string& path, const ResultFile& result,
                              Overwrite overwrite_partial);

}  // namespace starhist::io
