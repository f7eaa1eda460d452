#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/options/rdf_options.hh"

namespace starhist::driver {

Manual vanhove_manual();

/// The options of `starhist vanhove`, with TrajectoryRunSpec::lags. Empty and throws
/// like parse_rdf_options().
std::optional<RdfOptions> parse_vanhove_options(
    const std::vector<std::string>& arguments, bool writes = true);

}  // namespace starhist::driver
