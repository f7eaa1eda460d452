#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "codelets/core/geometry/plane.hh"
#include "codelets/core/geometry/region.hh"

namespace starhist::io::result_layout {

// Names in a result file, for writer and reader; described in
// docs/reference/result-file.md.
inline constexpr const char* module = "h5md/modules/pair_histogram";
inline constexpr const char* parameters = "parameters/pair_histogram";
inline constexpr const char* provenance = "parameters/provenance";
inline constexpr const char* histogram = "observables/pair_distance_histogram";
inline constexpr const char* distributions =
    "observables/radial_distribution_functions";

/// Groups of a kind of result: `module` has the version of the layout, `counts` the
/// blocks.
struct KindOfResult {
  const char* module;
  const char* counts;
  std::int32_t version;        ///< files of other versions are not readable
  std::int32_t minor_version;  ///< rises with additions
  bool has_lags = false;       ///< counts have a channel per species pair and lag
};
inline constexpr KindOfResult pair_histogram{module, histogram, 0, 2};
inline constexpr KindOfResult van_hove{"h5md/modules/van_hove", "observables/van_hove",
                                       1, 0, true};

/// Major version of the layout for these properties of HistogramLayout: 1 with
/// distances in a plane, whose volumes are areas, or with a Region other than the box;
/// 2 with explicit bin edges. Programs that know only smaller versions would use wrong
/// volumes or edges.
constexpr std::int32_t version_of(const KindOfResult& kind, bool equal_widths,
                                  Plane plane, Region::Shape shape) {
  return !equal_widths                                         ? 2
         : plane == Plane::none && shape == Region::Shape::box ? kind.version
                                                               : 1;
}

inline constexpr KindOfResult coordination{"h5md/modules/coordination",
                                           "observables/coordination", 1, 0};

/// Datasets of van_hove: lag of each channel, and lag and species of each histogram of
/// displacements.
inline constexpr const char* lag = "lag";
inline constexpr const char* self_lag = "self_lag";
inline constexpr const char* self_species = "self_species";

/// Group of the counts by distance and a second axis, next to `histogram`: its
/// attributes are the version of its layout and to_string(SecondAxis); its datasets the
/// edges of its bins and, one row per block, BlockCounts::second. Missing without a
/// second axis. Version 2, along the normal of a plane, has an entry for the pairs
/// beyond the last edge in each row, and BlockCounts::pairs_over_space and half_period.
inline constexpr const char* second_axis = "second_axis";
inline constexpr const char* second_axis_path = "/observables/second_axis";
inline constexpr const char* second_axis_value = "/observables/second_axis/value";
inline constexpr const char* pairs_over_space =
    "/observables/second_axis/pairs_over_volume";
inline constexpr const char* half_period = "/observables/second_axis/half_period";
constexpr std::int32_t second_axis_version(Plane plane) {
  return plane == Plane::none ? 1 : 2;
}
inline constexpr const char* second_edges = "edges";

/// Largest number of species pairs whose g(r) are stored in a group each. More pairs
/// become rows of one table, the group `distribution_table` of `distributions`, because
/// a group takes 0.1 ms and 2 kB.
inline constexpr std::size_t most_distribution_groups = 1000;
inline constexpr const char* distribution_table = "pairs";
/// Data of the trajectory to pass on, by block; missing if there are none.
inline constexpr const char* passed_on = "parameters/passed_on";

/// Attributes of `parameters`; "" if the trajectory does not specify its units.
inline constexpr const char* length_unit = "length_unit";
inline constexpr const char* time_unit = "time_unit";

/// Attribute of `parameters`: to_string(Exclusion). Missing in older results, which
/// excluded no pairs.
inline constexpr const char* exclusion = "exclusion";

/// Attribute of `parameters`: to_string(Plane). Missing if distances were measured in
/// space.
inline constexpr const char* plane = "plane";

/// Attribute of `parameters`: "edges" if `bin_edges` defines the bins.
/// Missing if bins have equal width.
inline constexpr const char* bins = "bins";
inline constexpr const char* between_edges = "edges";

/// Attribute of `parameters`: to_string(Region::Shape), and a dataset in it:
/// Region::size. Missing if the box defines the volume.
inline constexpr const char* geometry = "geometry";
inline constexpr const char* extent = "extent";

/// Dataset in `parameters`: distance of the bin edges below whole numbers [bins].
/// Missing in results before version 0.3, where it is 0, and with explicit edges.
inline constexpr const char* edge_shift = "edge_shift";

/// Datasets of `histogram`, one text per species: SpeciesElement. Missing in older
/// results, and if all elements are unknown.
inline constexpr const char* element = "element";
inline constexpr const char* element_source = "element_source";

/// Datasets of `histogram`: HistogramLayout::selections and, one row per block,
/// BlockCounts::empty_frames. Missing if no selection changes between frames.
inline constexpr const char* selection = "selection";
inline constexpr const char* empty_frames = "empty_frames";

/// Datasets of `histogram`, one row per counted frame, in block order: CountedFrame.
/// Missing in results before version 0.3.
inline constexpr const char* frame_number = "frame_number";
inline constexpr const char* frame_checksum = "frame_checksum";
/// Attribute of frame_checksum, of value 1: the checksums do not depend on the order of
/// particles. Other checksums are of older versions, and not comparable: CountedFrame
/// gets 0, unknown.
inline constexpr const char* any_order = "any_order";
/// frame_number of a block whose individual frames are unknown.
inline constexpr std::uint64_t unknown_frame = UINT64_MAX;

/// Attribute of `histogram`, written last. A file without it is partial, and its last
/// block may be incomplete.
inline constexpr const char* complete = "complete";

}  // namespace starhist::io::result_layout

namespace starhist::io::passed_on_layout {

// Groups below result_layout::passed_on. A name in them may be a path,
// "len_histograms/O", whose components except the last are groups.
inline constexpr const char* texts = "texts";
inline constexpr const char* constants = "constants";
inline constexpr const char* sums = "sums";
inline constexpr const char* series = "series";

/// Datasets in the group of a text: its distinct values, and the index of each block's
/// value.
inline constexpr const char* values = "values";
inline constexpr const char* of_block = "of_block";

inline std::string path_of(const char* kind, const std::string& name) {
  return std::string(kind) + "/" + name;
}

}  // namespace starhist::io::passed_on_layout
