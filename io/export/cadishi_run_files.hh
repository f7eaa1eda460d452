#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "io/result/result_reader.hh"

namespace starhist::io {

/// The files that `cadishi histo` leaves in its folder beside the histograms.
struct CadishiRunFiles {
  std::string directory;    ///< with a '/' at its end
  std::uint64_t first = 1;  ///< number of the first frame that is counted
  std::uint64_t last = 1;   ///< number of the last one
  std::string parameters;   ///< all parameters in YAML
};

/// Paths of the files that write_cadishi_run_files() writes: header.dat,
/// nrPart.FIRST.LAST.dat, preprocessor_log.json and histograms.yaml.
std::array<std::string, 4> cadishi_run_paths(const CadishiRunFiles& files);

/// Writes these files. Throws as write_whole_file().
void write_cadishi_run_files(const CadishiRunFiles& files, const ResultFile& result);

/// The entries that CADISHI adds to the log of its frames, as a JSON list, given all
/// its parameters as JSON.
std::string cadishi_log_entries(const std::string& parameters);

}  // namespace starhist::io
