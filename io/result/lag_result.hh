#pragma once

#include <string>
#include <vector>

#include "codelets/core/counting/lag_layout.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Contents of a result of starhist vanhove.
struct LagResult {
  /// Everything but the displacements; its layout is channels_of(layout).
  ResultFile channels;
  LagLayout layout;
  /// Displacements per lag and species, by block.
  std::vector<std::vector<DisplacementCounts>> displacements;
};

/// Reads such a result, or the PATH.partial of a killed run. Throws InputError like
/// read_result().
LagResult read_lag_result(const std::string& path,
                          ExternalFiles external = ExternalFiles::refused);

/// Whether the groups of the file look like such a result. Does not throw InputError.
bool is_lag_result(const std::string& path,
                   ExternalFiles external = ExternalFiles::refused);

}  // namespace starhist::io
