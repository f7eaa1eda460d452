#pragma once

#include <string>
#include <utility>
#include <vector>

namespace starhist::io {

/// Provenance of a result: names and values in the order in which they are shown,
/// such as {"scheduler", "lws"}. Written as string attributes of the result file.
using RunRecord = std::vector<std::pair<std::string, std::string>>;

}  // namespace starhist::io
