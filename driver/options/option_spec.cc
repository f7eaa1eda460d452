#include "driver/options/option_spec.hh"

#include <algorithm>
#include <array>

namespace starhist::driver {
namespace {

// In the order of the enumeration.
constexpr std::array group_titles{"input",  "species", "counting", "computation",
                                  "ranges", "output",  "running",  "expert"};

}  // namespace

std::string title_of(OptionGroup group) {
  return group_titles[static_cast<std::size_t>(group)];
}

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

bool has_groups(const std::vector<OptionSpec>& options) {
  return std::any_of(options.begin(), options.end(), [&](const OptionSpec& option) {
    return option.group != options.front().group;
  });
}

std::vector<OptionSpec> by_group(std::vector<OptionSpec> options) {
  std::stable_sort(
      options.begin(), options.end(),
      [](const OptionSpec& a, const OptionSpec& b) { return a.group < b.group; });
  return options;
}

}  // namespace starhist::driver
