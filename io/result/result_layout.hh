#pragma once

namespace starhist::io::result_layout {

// Names in a result file, for writer and reader. docs/reference/result-file.md has the
// meanings.
inline constexpr const char* module = "h5md/modules/pair_histogram";
inline constexpr const char* parameters = "parameters/pair_histogram";
inline constexpr const char* provenance = "parameters/provenance";
inline constexpr const char* histogram = "observables/pair_distance_histogram";
inline constexpr const char* distributions =
    "observables/radial_distribution_functions";

/// Attributes of `parameters`; "" when the trajectory does not say its units.
inline constexpr const char* length_unit = "length_unit";
inline constexpr const char* time_unit = "time_unit";

/// Attribute of `parameters`: to_string(Exclusion). Missing in older results: none.
inline constexpr const char* exclusion = "exclusion";

/// Attribute of `histogram`, written last. A file without it is partial, and its last
/// block may be incomplete.
inline constexpr const char* complete = "complete";

}  // namespace starhist::io::result_layout
