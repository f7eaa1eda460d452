#pragma once

#include <optional>
#include <string>

namespace starhist::io {

// The log of CADISHI's and CAPRIQORN's frames: a JSON list of {"Filter": {parameters}}
// in the order in which the filters were applied. "" is an empty log. Functions throw
// InputError for any other text.

/// Returns the name of the CAPRIQORN filter that cut a volume out of the frame, such as
/// "Sphere"; "" without such a filter. CADISHI counts such frames without a periodic
/// box.
std::string cut_volume(const std::string& log);

/// Returns the largest distance between two particles as CADISHI reads it from the log:
/// r_max of the first filter that has it [A].
std::optional<double> logged_r_max(const std::string& log);

}  // namespace starhist::io
