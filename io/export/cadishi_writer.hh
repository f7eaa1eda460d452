#pragma once

#include <cstdint>
#include <string>

#include "io/output/output_path.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// How counts are written in CADISHI's layout.
struct CadishiExport {
  Overwrite overwrite_partial = Overwrite::no;  ///< of PATH.partial of an earlier run
  ExternalFiles external = ExternalFiles::refused;  ///< of the result file
  /// Frames of each group; blocks with fewer are left out. 0: all blocks are written,
  /// in one group where they have different lengths.
  std::uint32_t frames_per_group = 0;
  /// Number of bins; those beyond the result's hold no pair. 0: as many as the result.
  std::uint32_t bins = 0;
  double bin_width = 0.0;  ///< of which `radii` are made [A]; 0: that of the result
  /// JSON list of what is added to the log of the trajectory. "": what CAPRIQORN needs,
  /// and which result this was.
  std::string log_entries = {};
};

/// Writes the counts in CADISHI's layout of histograms, for its reader and for
/// CAPRIQORN (docs/reference/result-file.md). An existing file is replaced.
///
/// Lengths are converted to Angstrom, as CAPRIQORN expects, if the unit is known. There
/// is one group per block if all blocks have the same number of frames, else one group
/// in all, as CAPRIQORN divides all groups by the same number of frames.
///
/// What CADISHI's trajectory passes on is written as CADISHI writes it: the log, sums
/// of histograms of lengths, N and V of every frame. Of other trajectories a result has
/// sums, so each frame of a block gets the mean N and the harmonic mean V of the block.
/// CAPRIQORN's g(r) is then the same if N is constant.
///
/// Throws InputError when there is no block, when short distances or pairs were left
/// out of the counts, for species names with ',' or '/', and when the file cannot be
/// created; RunError when the disk is full.
void write_cadishi_histograms(const std::string& path, const ResultFile& result,
                              const CadishiExport& options = {});

}  // namespace starhist::io
