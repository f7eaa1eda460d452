#pragma once

#include <string>
#include <vector>

#include "driver/run/run_summary.hh"

namespace starhist::driver {

/// A few lines of text: frames, pairs, seconds, assumptions, frames left out. With
/// `speeds` also scheduler, kernel, and 10^9 pairs/s in total and per worker.
std::string summary_text(const RunSummary& summary, bool speeds = false);

/// The values of the options for bins that were not given (ChosenBins::defaults),
/// without a newline; "" if all were given.
std::string default_bins_sentence(const UniformBins& bins,
                                  const std::string& length_unit,
                                  const std::vector<std::string>& defaults);

/// Reports boxes without a volume, if no option asks for them.
inline constexpr const char* open_box_sentence =
    "the box is not periodic along all axes (--box sets a box, --box none confirms "
    "open "
    "boundaries)";

/// Reports that a selection is empty in some frames.
std::string empty_selection_sentence(const std::string& species, std::uint64_t empty,
                                     std::uint64_t frames);

/// The summary as one JSON object.
std::string summary_json(const RunSummary& summary);

}  // namespace starhist::driver
