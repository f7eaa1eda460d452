#pragma once

#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"

namespace starhist {

/// Names of the species pairs, for messages: {"H-H", "H-O"}.
std::vector<std::string> pair_names(const HistogramLayout& layout);

/// "240 bins from 0.1 up to 1.2", or "2 bins between the edges 0, 0.1, 0.5".
std::string bins_text(const UniformBins& bins);

/// "cos(z) in 20 bins", "dz in 50 bins up to 2.5" or "no second axis".
std::string second_axis_text(const std::optional<SecondAxis>& axis);

/// "distances in space" or "distances in the plane xy".
std::string plane_text(Plane plane);

}  // namespace starhist
