#pragma once

#include <optional>
#include <string>

namespace starhist::io {

// The log of CADISHI's and CAPRIQORN's frames: a JSON list of {"Filter": {parameters}},
// in the order in which the filters were applied. "" is an empty log. Functions throw
// InputError for another text.

/// Name of the filter of CAPRIQORN that cut a volume out of the frame, such as
/// "Sphere";
/// "" if none did. CADISHI counts such frames without a periodic box.
std::string cut_volume(const std::string& log);

/// The largest distance of two particles, as CADISHI takes it from the log: r_max of
/// the first filter that has it [A].
std::optional<double> logged_r_max(const std::string& log);

}  // namespace starhist::io
