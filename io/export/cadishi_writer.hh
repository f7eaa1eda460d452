#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "io/output/output_path.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Options for writing counts in CADISHI's layout.
struct CadishiExport {
  Overwrite overwrite = Overwrite::no;              ///< of PATH and its PATH.partial
  ExternalFiles external = ExternalFiles::refused;  ///< for the result file
  /// Frames of each group; shorter blocks are left out. 0: all blocks are written, in
  /// one group if their lengths differ.
  std::uint32_t frames_per_group = 0;
  /// Number of bins; bins beyond the result's are empty. 0: as many as the result.
  std::uint32_t bins = 0;
  /// width from which `radii` are computed [A]; 0: the result's
  double bin_width = 0.0;
  /// JSON list to append to the trajectory's log. "": the entries that CAPRIQORN needs,
  /// and the source result.
  std::string log_entries = {};
};

/// Writes the counts as histograms in CADISHI's layout, for its reader and for
/// CAPRIQORN (docs/reference/result-file.md).
///
/// Lengths are converted to Angstrom, as CAPRIQORN expects, if the unit is known. There
/// is one group per block if all blocks have the same number of frames, otherwise a
/// single group, because CAPRIQORN divides all groups by the same number of frames.
///
/// Data passed on by a CADISHI trajectory are written as CADISHI does: the log, sums of
/// length histograms, N and V of every frame. For other trajectories a result has only
/// sums, so each frame of a block gets the block's mean N and harmonic mean V.
/// CAPRIQORN's g(r) is then the same if N is constant.
///
/// Throws InputError when there is no block, when short distances or pairs were left
/// out of the counts, for species names with ',' or '/', and when the file exists
/// already or cannot be created; RunError when the disk is full.
void write_cadishi_histograms(const std::string& path, const ResultFile& result,
                              const CadishiExport& options = {});

/// The files that `cadishi histo` writes to its folder in addition to the histograms.
struct CadishiRunFiles {
  std::string directory;    ///< ends with '/'
  std::uint64_t first = 1;  ///< number of the first counted frame
  std::uint64_t last = 1;   ///< number of the last counted frame
  std::string parameters;   ///< all parameters in YAML
};

/// Paths of the files that write_cadishi_run_files() writes: header.dat,
/// nrPart.FIRST.LAST.dat, preprocessor_log.json and histograms.yaml.
std::array<std::string, 4> cadishi_run_paths(const CadishiRunFiles& files);

/// Writes these files. Throws like write_whole_file().
void write_cadishi_run_files(const CadishiRunFiles& files, const ResultFile& result);

/// Returns the entries that CADISHI adds to the log of its frames, as a JSON list.
/// `parameters`: all its parameters as JSON.
std::string cadishi_log_entries(const std::string& parameters);

}  // namespace starhist::io
