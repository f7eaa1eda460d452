#pragma once

#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"
#include "codelets/core/geometry/second_axis.hh"

namespace starhist::capi {

/// The axis of starhist_set_second_axis(), without its plane. Throws CallError.
SecondAxis make_second_axis(int quantity, std::uint32_t bins, double limit);
/// The starhist_second_axis of an axis.
int quantity_of(const SecondAxis& axis);

/// Throws CallError unless distances in this plane, or in space, may have the axis.
void check_plane(const SecondAxis& axis, Plane plane);
/// Throws CallError if a cosine of one of these pairs ("O-O,O-H"; "": all) would start
/// at the second species of its name.
void check_pair_order(const SecondAxis& axis, const std::string& pairs,
                      const std::vector<std::string>& species);

/// The axis with the range for a first frame of this period along the normal of the
/// plane. Throws CallError if the default range is unknown.
SecondAxis with_range(SecondAxis axis, double period);

}  // namespace starhist::capi
