#pragma once

#include <string>

#include "io/result/lag_result.hh"

namespace starhist::driver {

/// Description of a result of starhist vanhove for `starhist info`: species, bins,
/// frames, and per lag its frames and mean squared displacements. `state`: appended to
/// the first line.
std::string lag_result_text(const io::LagResult& result, const std::string& state);

}  // namespace starhist::driver
