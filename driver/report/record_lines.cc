#include "driver/report/record_lines.hh"

#include <charconv>
#include <ctime>

#include <nlohmann/json.hpp>

#include "io/export/export_columns.hh"
#include "io/files/json_text.hh"
#include "io/files/local_time.hh"

namespace starhist::driver {
namespace {

/// Returns the name of an entry, in more words if the stored one is too short.
std::string shown_name(const std::string& name) {
  for (const std::string ending : {" first bytes", " sampled bytes", " all bytes"}) {
    if (name.ends_with(ending)) {
      return name.substr(0, name.size() - ending.size()) + " checksum of" + ending;
    }
  }
  return name == "pairs skipped between groups of particles beyond r_max"
             ? "pairs skipped, because their clusters are farther apart than r_max"
             : name;
}

}  // namespace

std::string record_line(const std::string& name, const std::string& value) {
  const std::string unix_time = " (unix time)";
  const bool is_empty = value.empty() || value == std::string(1, '\0');
  if (is_empty) {
    return name.starts_with("option ") ? "  " + name + "\n" : "";
  }
  std::time_t time = 0;
  if (name.ends_with(unix_time) &&
      std::from_chars(value.data(), value.data() + value.size(), time).ec ==
          std::errc()) {
    return "  " + name.substr(0, name.size() - unix_time.size()) + ": " +
           io::local_time(time) + "\n";
  }
  return "  " + shown_name(name) + ": " + value + "\n";
}

std::string input_lines(const io::RunRecord& record) {
  std::string text;
  for (const auto& [name, value] : record) {
    if (name.starts_with("input 1") || name.starts_with("option ")) {
      text += record_line(name, value);
    }
  }
  for (const std::string& warning : io::recorded_warnings(record)) {
    text += record_line("warning", warning);
  }
  return text;
}

std::string result_json(const io::ResultFile& result, const std::string& command) {
  using Json = nlohmann::ordered_json;
  std::uint64_t frames = 0;
  for (const BlockCounts& block : result.blocks) {
    frames += block.frames;
  }
  Json provenance = Json::object();
  for (const auto& [name, value] : result.record) {
    const bool is_empty = value.empty() || value == std::string(1, '\0');
    provenance[name] = is_empty ? Json(true) : Json(value);
  }
  const std::string& unit = result.layout.length_unit;
  return io::json_text({{"path", result.path},
                        {"command", command},
                        {"complete", result.state == io::ResultState::complete},
                        {"species", result.layout.species},
                        {"length_unit", unit.empty() ? Json(nullptr) : Json(unit)},
                        {"frames", frames},
                        {"blocks", result.blocks.size()},
                        {"provenance", provenance}}) +
         "\n";
}

}  // namespace starhist::driver
