#pragma once

#include <string>

#include "io/output/output_path.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Writes the counts as CADISHI writes histograms, for its reader and for CAPRIQORN:
/// the layout is in docs/reference/result-file.md. An existing file is replaced, but
/// the PATH.partial of an earlier run only if `overwrite_partial` says so.
///
/// Lengths become Angstrom, as CAPRIQORN expects them, where the unit is known. One
/// group per block if all blocks have as many frames, else one in all, as CAPRIQORN
/// divides each by the same number of frames. CADISHI keeps N and V of every frame; a
/// result has sums, so each frame of a block gets its mean N and its harmonic mean V,
/// of which CAPRIQORN's g(r) makes what it would of the frames' own where N does not
/// change.
///
/// Throws InputError when there is no block, for species names with ',' or '/', and
/// when the path cannot be written to; RunError when the disk is full.
void write_cadishi_histograms(const std::string& path, const ResultFile& result,
                              Overwrite overwrite_partial);

}  // namespace starhist::io
