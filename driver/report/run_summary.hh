#pragma once

#include <string>

#include "driver/run/run_summary.hh"

namespace starhist::driver {

/// A few lines of text: pairs, seconds, 10^9 pairs/s in total and per worker.
std::string summary_text(const RunSummary& summary);

/// The summary as one JSON object.
std::string summary_json(const RunSummary& summary);

}  // namespace starhist::driver
