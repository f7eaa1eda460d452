#include "io/formats/cadishi/cadishi_parameters.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <nlohmann/json.hpp>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

using Json = nlohmann::json;  // sorts members alphabetically, like CADISHI

/// Returns all parameters of CADISHI 1.1.4 with their defaults; null: no default.
Json defaults() {
  return Json::parse(R"({
    "general": {"redirect_output": true, "verbose": true, "queue_maxsize": 256,
                "queue_timeout": 3600, "numa_aware": false, "profile": false},
    "histogram": {"r_max": -1, "dr": 0.01, "sum": 1},
    "cpu": {"module": "pydh", "precision": "single", "workers": -1, "threads": -1,
            "check_input": true},
    "gpu": {"module": "cudh", "precision": "single", "workers": -1,
            "check_input": true},
    "input": {"file": null, "first": null, "last": null, "step": 1,
              "periodic_box": null},
    "output": {"directory": "./histograms_output/", "file": "histograms.h5",
               "compression": null, "write_h5": true, "write_npx": false,
               "write_npy": false, "write_xyz": false, "flush_interval": 100}})");
}

/// Settings whose values starhist ignores, because they do not change the output.
constexpr std::array<std::string_view, 17> without_effect{"general:redirect_output",
                                                          "general:verbose",
                                                          "general:queue_maxsize",
                                                          "general:queue_timeout",
                                                          "general:numa_aware",
                                                          "cpu:module",
                                                          "cpu:workers",
                                                          "cpu:threads",
                                                          "cpu:precision",
                                                          "gpu:module",
                                                          "gpu:workers",
                                                          "gpu:precision",
                                                          "output:compression",
                                                          "output:write_npx",
                                                          "output:write_npy",
                                                          "output:write_xyz",
                                                          "output:flush_interval"};

/// Reads values of the sections, and collects their problems.
class Values {
 public:
  explicit Values(const Json& parameters) : parameters_(parameters) {}

  const Json& at(const std::string& section, const std::string& name) const {
    return parameters_.at(section).at(name);
  }

  void refuse(const std::string& section, const std::string& name,
              const std::string& wanted) {
    problems_.push_back(section + ":" + name + " is " + at(section, name).dump() +
                        ", not " + wanted);
  }

  double number(const std::string& section, const std::string& name) {
    const Json& value = at(section, name);
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      refuse(section, name, "a number");
      return 1.0;
    }
    return value.get<double>();
  }

  std::uint64_t count(const std::string& section, const std::string& name) {
    const Json& value = at(section, name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0) {
      refuse(section, name, "a whole number from 1 on");
      return 1;
    }
    return value.get<std::uint64_t>();
  }

  bool boolean(const std::string& section, const std::string& name) {
    const Json& value = at(section, name);
    if (!value.is_boolean()) {
      refuse(section, name, "true or false");
      return true;
    }
    return value.get<bool>();
  }

  std::string text(const std::string& section, const std::string& name) {
    const Json& value = at(section, name);
    if (!value.is_string() || value.get<std::string>().empty()) {
      refuse(section, name, "a name");
      return "";
    }
    return value.get<std::string>();
  }

  void add(const std::string& problem) { problems_.push_back(problem); }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  const Json& parameters_;
  std::vector<std::string> problems_;
};

/// Returns ", but of SECTIONS", listing the sections that have the parameter; "" if all
/// lack it.
std::string right_section(const Json& all, const std::string& name) {
  std::vector<std::string> sections;
  for (const auto& [section, values] : all.items()) {
    if (values.contains(name)) {
      sections.push_back(section);
    }
  }
  return sections.empty() ? "" : ", but of " + join(sections, " and ");
}

/// Returns the defaults, updated by the file. Adds a problem for each name that CADISHI
/// does not know.
Json filled(const Json& given, std::vector<std::string>& problems) {
  Json all = defaults();
  if (!given.is_object()) {
    problems.emplace_back("it has no sections such as 'histogram:' and 'input:'");
    return all;
  }
  for (const auto& [section, values] : given.items()) {
    if (!all.contains(section)) {
      problems.push_back("'" + section + "' is not a section of CADISHI's");
      continue;
    }
    if (values.is_null()) {
      continue;  // an empty section
    }
    if (!values.is_object()) {
      problems.push_back("'" + section + "' has no names and values");
      continue;
    }
    for (const auto& [name, value] : values.items()) {
      if (!all[section].contains(name)) {
        problems.push_back("'" + name + "' is not a parameter of section '" + section +
                           "'" + right_section(all, name));
      } else {
        all[section][name] = value;
      }
    }
  }
  return all;
}

std::vector<std::string> take_inputs(Values& values) {
  const Json& file = values.at("input", "file");
  std::vector<std::string> inputs;
  for (const Json& name : file.is_array() ? file : Json::array({file})) {
    if (!name.is_string() || name.get<std::string>().empty()) {
      values.refuse("input", "file", "the name of a trajectory");
      return {};
    }
    inputs.push_back(name.get<std::string>());
  }
  if (inputs.empty()) {
    values.refuse("input", "file", "the name of a trajectory");
  }
  return inputs;
}

std::optional<std::vector<double>> take_box(Values& values) {
  const Json& box = values.at("input", "periodic_box");
  if (box.is_null()) {
    return std::nullopt;
  }
  std::vector<double> numbers;
  const bool is_list =
      box.is_array() && (box.empty() || box.size() == 3 || box.size() == 6);
  for (const Json& number : is_list ? box : Json::array()) {
    if (number.is_number() && number.get<double>() > 0.0) {
      numbers.push_back(number.get<double>());
    }
  }
  if (!is_list || numbers.size() != box.size()) {
    values.refuse("input", "periodic_box",
                  "[], [a, b, c] or [a, b, c, alpha, beta, gamma], all larger than 0");
  }
  return numbers;
}

std::vector<std::string> not_followed_in(const Json& all, const Json& given) {
  std::vector<std::string> names;
  const Json usual = defaults();
  for (const std::string_view label : without_effect) {
    const std::size_t colon = label.find(':');
    const std::string section(label.substr(0, colon));
    const std::string name(label.substr(colon + 1));
    const bool is_given = given.contains(section) && given[section].is_object() &&
                          given[section].contains(name);
    if (is_given && all[section][name] != usual[section][name]) {
      names.emplace_back(label);
    }
  }
  return names;
}

}  // namespace

CadishiParameters parse_cadishi_parameters(const std::string& json) {
  const Json given = Json::parse(json);
  std::vector<std::string> problems;
  const Json all = filled(given, problems);
  Values values(all);
  for (const std::string& problem : problems) {
    values.add(problem);
  }
  CadishiParameters parameters;
  parameters.inputs = take_inputs(values);
  for (const auto& [name, frame] :
       {std::pair("first", &parameters.first), {"last", &parameters.last}}) {
    if (!values.at("input", name).is_null()) {
      *frame = values.count("input", name);
    }
  }
  parameters.step = values.count("input", "step");
  parameters.periodic_box = take_box(values);
  parameters.r_max = values.number("histogram", "r_max");
  parameters.bin_width = values.number("histogram", "dr");
  if (!(parameters.bin_width > 0.0)) {
    values.refuse("histogram", "dr", "larger than 0");
  }
  if (parameters.r_max == 0.0) {
    values.refuse("histogram", "r_max",
                  "larger than 0, or negative for the value in the log of the frames");
  }
  parameters.sum = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      values.count("histogram", "sum"), std::numeric_limits<std::uint32_t>::max()));
  const bool checks_cpu = values.boolean("cpu", "check_input");
  parameters.check_input = values.boolean("gpu", "check_input") && checks_cpu;
  parameters.directory = values.text("output", "directory");
  if (!parameters.directory.ends_with('/')) {
    parameters.directory += '/';
  }
  parameters.file = values.text("output", "file");
  if (!values.boolean("output", "write_h5")) {
    values.refuse("output", "write_h5",
                  "true (starhist writes histograms only as HDF5)");
  }
  parameters.not_followed = not_followed_in(all, given);
  parameters.json = all.dump();
  if (!values.problems().empty()) {
    throw InputError(join(values.problems(), "; "));
  }
  return parameters;
}

std::string completed_json(const CadishiParameters& parameters, std::uint64_t first,
                           std::uint64_t last) {
  Json all = Json::parse(parameters.json);
  all["input"]["first"] = first;
  all["input"]["last"] = last;
  all["output"]["directory"] = parameters.directory;
  return all.dump();
}

}  // namespace starhist::io
