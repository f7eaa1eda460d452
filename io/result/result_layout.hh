#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

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
/// What the trajectory wants passed on, by block; missing where it wants nothing.
inline constexpr const char* passed_on = "parameters/passed_on";

/// Attributes of `parameters`; "" when the trajectory does not say its units.
inline constexpr const char* length_unit = "length_unit";
inline constexpr const char* time_unit = "time_unit";

/// Attribute of `parameters`: to_string(Exclusion). Missing in older results: none.
inline constexpr const char* exclusion = "exclusion";

/// Dataset in `parameters`: how far edges of bins lie below whole numbers [bins].
/// Missing in results of versions before 0.3: 0.
inline constexpr const char* edge_shift = "edge_shift";

/// Datasets of `histogram`, one text per species: SpeciesElement. Missing in older
/// results and where no element is known.
inline constexpr const char* element = "element";
inline constexpr const char* element_source = "element_source";

/// Datasets of `histogram`, one row per frame that was counted, block after block:
/// CountedFrame. Missing in results of versions before 0.3.
inline constexpr const char* frame_number = "frame_number";
inline constexpr const char* frame_checksum = "frame_checksum";
/// frame_number of a block whose frames are not known one by one.
inline constexpr std::uint64_t unknown_frame = UINT64_MAX;

/// Attribute of `histogram`, written last. A file without it is partial, and its last
/// block may be incomplete.
inline constexpr const char* complete = "complete";

}  // namespace starhist::io::result_layout

namespace starhist::io::passed_on_layout {

// Groups below result_layout::passed_on. A name in them may have several words,
// "len_histograms/O", of which each but the last is a group.
inline constexpr const char* texts = "texts";
inline constexpr const char* constants = "constants";
inline constexpr const char* sums = "sums";
inline constexpr const char* series = "series";

/// Datasets in the group of a text: the texts that differ, and which one each block
/// has.
inline constexpr const char* values = "values";
inline constexpr const char* of_block = "of_block";

inline std::string path_of(const char* kind, const std::string& name) {
  return std::string(kind) + "/" + name;
}

}  // namespace starhist::io::passed_on_layout
