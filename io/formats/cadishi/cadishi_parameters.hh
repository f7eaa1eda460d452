#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace starhist::io {

/// The parameter file of `cadishi histo`, in which values that are not given have
/// CADISHI's defaults. Lengths are in Angstrom.
struct CadishiParameters {
  std::vector<std::string> inputs;     ///< input:file
  std::optional<std::uint64_t> first;  ///< number of the first frame [>= 1]
  std::optional<std::uint64_t> last;   ///< number of the last frame
  std::uint64_t step = 1;              ///< [>= 1]
  /// 3 lengths, or these and 3 angles, in place of the boxes of the frames; {}: no box.
  /// Empty: those of the frames.
  std::optional<std::vector<double>> periodic_box;
  double r_max = -1.0;      ///< negative: as the log of the first frame says
  double bin_width = 0.01;  ///< histogram:dr
  std::uint32_t sum = 1;    ///< frames of a block [>= 1]
  bool check_input = true;  ///< pairs beyond r_max are an error
  std::string directory;    ///< of the output, with a '/' at its end
  std::string file;         ///< name of the histograms in it
  /// Settings that starhist does not follow and which differ from CADISHI's defaults,
  /// such as "cpu:workers".
  std::vector<std::string> not_followed;
  std::string json;  ///< all parameters as a JSON object of objects
};

/// The parameters in a file whose content is given as JSON. Throws InputError with all
/// that is wrong with it.
CadishiParameters parse_cadishi_parameters(const std::string& json);

/// All parameters with the numbers of the first and last frame that are counted, as a
/// JSON object of objects.
std::string completed_json(const CadishiParameters& parameters, std::uint64_t first,
                           std::uint64_t last);

}  // namespace starhist::io
