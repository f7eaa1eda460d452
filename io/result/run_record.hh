#pragma once

#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace starhist::io {

/// Provenance of a result: names and values, such as {"scheduler", "lws"}, in display
/// order. Written as string attributes of the result file.
using RunRecord = std::vector<std::pair<std::string, std::string>>;

/// Name of the entry that identifies a result; it is kept when a run resumes the
/// result.
inline constexpr const char* result_id = "result id";

/// Its value for a new result: 64 random bits as hexadecimal digits.
inline std::string new_result_id() {
  std::random_device random;
  char text[20];
  std::snprintf(text, sizeof text, "%08x%08x", random(), random());
  return text;
}

/// Name of the entry of a run that counted distances in space of particles that lie in
/// a plane: "xy".
inline constexpr const char* particles_in_plane = "particles in the plane";

/// Prefix of the names of entries with warnings about numbers that may be wrong:
/// "warning 1", ...; of merged results "result 1 warning 1", ...
inline constexpr const char* warning_entry = "warning ";

/// Returns the value of the first entry with this name; empty if it is missing.
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
