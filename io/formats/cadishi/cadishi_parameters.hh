#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace starhist::io {

/// The parameter file of `cadishi histo`; missing values have CADISHI's defaults.
/// Lengths are in Angstrom.
struct CadishiParameters {
  std::vector<std::string> inputs;     ///< input:file
  std::optional<std::uint64_t> first;  ///< number of the first frame [>= 1]
  std::optional<std::uint64_t> last;   ///< number of the last frame
  std::uint64_t step = 1;              ///< [>= 1]
  /// 3 lengths, optionally followed by 3 angles, which replace the boxes of the frames;
  /// {}: no box. Empty: use the boxes of the frames.
  std::optional<std::vector<double>> periodic_box;
  double r_max = -1.0;      ///< negative: read it from the log of the first frame
  double bin_width = 0.01;  ///< histogram:dr
  std::uint32_t sum = 1;    ///< frames per block [>= 1]
  bool check_input = true;  ///< treat pairs beyond r_max as an error
  std::string directory;    ///< output folder, ends with '/'
  std::string file;         ///< name of the histogram file in it
  /// Settings that starhist ignores although they differ from CADISHI's defaults, such
  /// as "cpu:workers".
  std::vector<std::string> not_followed;
  std::string json;  ///< all parameters as a JSON object of objects
};

/// Parses the content of a parameter file, converted to JSON. Throws InputError listing
/// all problems.
CadishiParameters parse_cadishi_parameters(const std::string& json);

/// Returns all parameters, completed by the numbers of the first and last counted
/// frame, as a JSON object of objects.
std::string completed_json(const CadishiParameters& parameters, std::uint64_t first,
                           std::uint64_t last);

}  // namespace starhist::io
