#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "io/result/result_reader.hh"

namespace starhist::io {

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
