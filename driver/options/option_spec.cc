#include "driver/options/option_spec.hh"

namespace starhist::driver {

std::string long_name(const OptionSpec& spec) {
  return spec.name.substr(0, spec.name.find(','));
}

std::string short_name(const OptionSpec& spec) {
  const std::size_t comma = spec.name.find(',');
  return comma == std::string::npos ? "" : spec.name.substr(comma + 1);
}

std::string help_sentence(const OptionSpec& spec) {
  if (!spec.value.otherwise.empty()) {
    return spec.help + " (default: " + spec.value.otherwise + ")";
  }
  return spec.value.fallback.empty()
             ? spec.help
             : spec.help + " (default " + spec.value.fallback + ")";
}

std::vector<OptionSpec> in_groups(const std::vector<OptionGroup>& groups) {
  std::vector<OptionSpec> all;
  for (const OptionGroup& group : groups) {
    for (const OptionSpec& option : group.options) {
      all.push_back(option);
      all.back().group = group.title;
    }
  }
  return all;
}

}  // namespace starhist::driver
