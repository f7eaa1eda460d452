#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "io/result/result_reader.hh"

// Defined in result_distributions.cc, next to the function that stores g(r).

namespace starhist::io {

/// Receives a stored value that differs from the expected one. `place`: "O-O, bin 12".
using DistributionSink =
    std::function<void(const std::string& place, double stored, double expected)>;

/// Compares the stored bins and g(r) of a result with its counts, with a relative
/// tolerance of 1e-9. Returns the number of compared values; 0 if the file has no g(r).
/// Throws InputError if a part of it is missing.
std::uint64_t compare_distributions(const ResultFile& result, ExternalFiles external,
                                    const DistributionSink& sink);

}  // namespace starhist::io
