#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "codelets/core/counting/histogram.hh"
#include "driver/run/run_summary.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Throws InputError if r_max of the bins is more than twice the covering radius of the
/// frame's box, which nearly always indicates a wrong length unit. A smaller excess is
/// harmless, and boxes may grow.
void check_range(const HistogramLayout& layout, const Frame& frame);

/// The plane of the particles, if the run measures distances in space or in another
/// plane: two_dimensional() or plane_seen_edge_on(); Plane{} otherwise, and for other
/// regions.
Plane undeclared_plane(const HistogramLayout& layout, const Frame& frame);

/// empty_parts() of a frame; zeros for a run with --plane or another region.
std::array<double, 3> undeclared_vacuum(const HistogramLayout& layout,
                                        const Frame& frame);

/// Throws InputError if the frame's box does not suit the region (region_problem()).
void check_region(const Region& region, const Frame& frame);

/// measured_extent() of a frame. Throws InputError if it is 0, or exceeds the edge of
/// the box along an open axis, because then the particles lie on both sides of a
/// boundary.
double extent_of_region(Region::Shape shape, const Frame& frame);

/// Adds measured_extent() of a frame, if the region is a slab or a cylinder.
void add_extent(const Region& region, const Frame& frame, MeasuredExtents& extents);

/// Warning if the extent of a slab or cylinder, or the volume, differs from
/// measured_extent() or measured_volume() of a frame by more than a factor of 1.5 along
/// each open axis; "" otherwise, and if it cannot be measured.
std::string extent_problem(const Region& region, const Frame& frame,
                           const std::string& length_unit);

/// Warnings about numbers that may be wrong, known after counting: particles in a
/// plane, no pair in the bins, and an extent that was measured in the first frame but
/// changes.
std::vector<std::string> end_warnings(const HistogramLayout& layout,
                                      const RunResult& result, bool measured_extent);

/// Throws InputError if `frame` and `first` are periodic along different axes.
void check_same_periodicity(const Frame& first, const Frame& frame);

/// Throws InputError if a position is so far away that a double has too few digits for
/// its distances (codelets/core/geometry/far_positions.hh), or a height for
/// separations.
void check_digits(const HistogramLayout& layout, const Frame& frame);

/// Throws InputError because no frame was counted. `skipped`: problems of the frames
/// that were left out.
[[noreturn]] void refuse_no_frames(const std::vector<std::string>& skipped);

/// Throws InputError if a selection that changes between frames is empty in all of the
/// `frames` frames. `empty_frames`: as BlockCounts::empty_frames. `rest`: end of the
/// remedy.
void check_selections(const HistogramLayout& layout,
                      const std::vector<std::uint64_t>& empty_frames,
                      std::uint64_t frames, const std::string& rest = "");

/// Throws InputError if the counts, without any frames, need more than
/// options.memory_bytes.
void check_memory(const HistogramLayout& layout, const tasks::CountingOptions& options,
                  const tasks::Runtime& runtime);

}  // namespace starhist::driver
