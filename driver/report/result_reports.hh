#pragma once

#include <string>

#include "io/result/coordination_result.hh"
#include "io/result/lag_result.hh"

namespace starhist::driver {

/// A line per pair: its cut-off, the mean number of neighbours with its standard error,
/// and the most frequent number.
std::string neighbours_text(const io::CoordinationResult& result);

/// Description of a result of starhist coordination for `starhist info`. `state`:
/// appended to the first line.
std::string coordination_text(const io::CoordinationResult& result,
                              const std::string& state);

/// Description of a result of starhist vanhove for `starhist info`: species, bins,
/// frames, and per lag its frames and mean squared displacements. `state`: appended to
/// the first line.
std::string lag_result_text(const io::LagResult& result, const std::string& state);

}  // namespace starhist::driver
