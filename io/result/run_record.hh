#pragma once

#include <string>
#include <utility>
#include <vector>

namespace starhist::io {

/// Provenance of a result: names and values, such as {"scheduler", "lws"}, in the order
/// in which they are shown. Written as string attributes of the result file.
using RunRecord = std::vector<std::pair<std::string, std::string>>;

}  // namespace starhist::io
