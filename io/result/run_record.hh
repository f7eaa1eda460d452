#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace starhist::io {

/// Provenance of a result: names and values, such as {"scheduler", "lws"}, in the order
/// in which they are shown. Written as string attributes of the result file.
using RunRecord = std::vector<std::pair<std::string, std::string>>;

/// Name of the entry that tells results apart: all runs that go on with a result keep
/// it.
inline constexpr const char* result_id = "result id";

/// Value of the first entry with this name; nothing without one.
inline std::optional<std::string> value_of(const RunRecord& record,
                                           const std::string& name) {
  for (const auto& [key, value] : record) {
    if (key == name) {
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace starhist::io
