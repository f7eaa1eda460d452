#include "driver/options/planning_options.hh"

#include "codelets/core/base/error.hh"

namespace starhist::driver {
namespace {

template <class When>
When parse_when(const std::string& option, const std::string& text) {
  if (text == "auto") {
    return When::automatic;
  }
  if (text == "on" || text == "off") {
    return text == "on" ? When::on : When::off;
  }
  throw InputError(option + " '" + text + "' is not one of auto, on, off");
}

}  // namespace

OptionSpec bins_option() {
  return {OptionGroup::counting, "bins", "N", "number of bins between 0 and R"};
}

OptionSpec bin_width_option() {
  return {OptionGroup::counting,
          "bin-width",
          "W",
          "bin width, instead of --bins; R must be a multiple of it",
          {.otherwise = "0.002 nm; R/500 in reduced or unknown units"}};
}

OptionSpec pairs_option() {
  return {OptionGroup::counting,
          "pairs",
          "A-B,...",
          "species pairs to count",
          {.otherwise = "all"}};
}

OptionSpec block_option() {
  return {OptionGroup::output,
          "block",
          "N",
          "frames per block; counts are stored per block, for standard errors",
          {.fallback = "100"}};
}

OptionSpec clusters_option() {
  return {
      OptionGroup::expert,
      "clusters",
      "WHEN",
      "auto, on, off: sort particles in space into clusters, groups of particles close "
      "to each other, and skip pairs of clusters beyond R",
      {.fallback = "auto", .choices = {"auto", "on", "off"}},
      "tiles"};
}

OptionSpec labels_option() {
  return {OptionGroup::expert,
          "labels",
          "WHEN",
          "auto, on, off: count species with few particles together, in one pass; this "
          "changes only the speed",
          {.fallback = "auto", .choices = {"auto", "on", "off"}}};
}

OptionSpec task_pairs_option() {
  return {OptionGroup::expert,
          "task-pairs",
          "N",
          "split each pair of species into tasks of at most N pairs of particles",
          {.otherwise = "automatic"}};
}

tasks::Clustering parse_clustering(const std::string& text) {
  return parse_when<tasks::Clustering>("--clusters", text);
}

tasks::Labelling parse_labelling(const std::string& text) {
  return parse_when<tasks::Labelling>("--labels", text);
}

}  // namespace starhist::driver
