#pragma once

#include <cstddef>

namespace starhist::io::result_layout {

// Names in a result file, for writer and reader. docs/reference/result-file.md has the
// meanings.
inline constexpr const char* module = "h5md/modules/pair_histogram";
inline constexpr const char* parameters = "parameters/pair_histogram";
inline constexpr const char* provenance = "parameters/provenance";
inline constexpr const char* histogram = "observables/pair_distance_histogram";
inline constexpr const char* distributions =
    "observables/radial_distribution_functions";

/// More species pairs have their g(r) as rows of one table, the group
/// `distribution_table` of `distributions`, instead of a group each, which would take
/// 0.1 ms and 2 kB.
inline constexpr std::size_t most_distribution_groups = 1000;
inline constexpr const char* distribution_table = "pairs";

/// Attributes of `parameters`; "" when the trajectory does not say its units.
inline constexpr const char* length_unit = "length_unit";
inline constexpr const char* time_unit = "time_unit";

/// Attribute of `parameters`: to_string(Exclusion). Missing in older results: none.
inline constexpr const char* exclusion = "exclusion";

/// Attribute of `histogram`, written last. A file without it is partial, and its last
/// block may be incomplete.
inline constexpr const char* complete = "complete";

}  // namespace starhist::io::result_layout
