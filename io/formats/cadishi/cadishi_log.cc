#include "io/formats/cadishi/cadishi_log.hh"

#include <algorithm>
#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, 6> cutting_filters{
    "Sphere", "Cuboid", "Ellipsoid", "ReferenceStructure", "MultiReferenceStructure",
    "Voxels"};

OrderedJson parsed(const std::string& log) {
  if (log.empty()) {
    return OrderedJson::array();
  }
  OrderedJson list = OrderedJson::parse(log, nullptr, false);
  const bool is_log = list.is_array() && std::all_of(list.begin(), list.end(),
                                                     [](const OrderedJson& entry) {
                                                       return entry.is_object();
                                                     });
  if (!is_log) {
    throw InputError(
        "is not a log of CADISHI (a JSON list of {\"Filter\": {...}}, from which "
        "starhist learns whether the frame is periodic)");
  }
  return list;
}

}  // namespace

std::string cut_volume(const std::string& log) {
  for (const OrderedJson& entry : parsed(log)) {
    for (const auto& [name, parameters] : entry.items()) {
      const bool cuts = std::find(cutting_filters.begin(), cutting_filters.end(),
                                  name) != cutting_filters.end();
      if (cuts && !parameters.empty()) {
        return name;
      }
    }
  }
  return "";
}

std::optional<double> logged_r_max(const std::string& log) {
  for (const OrderedJson& entry : parsed(log)) {
    for (const auto& [name, parameters] : entry.items()) {
      if (parameters.is_object() && parameters.contains("r_max") &&
          parameters["r_max"].is_number()) {
        return parameters["r_max"].get<double>();
      }
    }
  }
  return std::nullopt;
}

}  // namespace starhist::io
