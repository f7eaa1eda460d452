#pragma once

#include <string>

#include "driver/options/option_spec.hh"
#include "tasks/planning/counting_options.hh"

namespace starhist::driver {

// Options with the same meaning in every command that plans or simulates a run.
OptionSpec bins_option();
OptionSpec bin_width_option();
OptionSpec pairs_option();
OptionSpec block_option();
OptionSpec clusters_option();
OptionSpec labels_option();
OptionSpec task_pairs_option();

/// --clusters and --labels: "auto", "on" or "off". Throws InputError for other words.
tasks::Clustering parse_clustering(const std::string& text);
tasks::Labelling parse_labelling(const std::string& text);

}  // namespace starhist::driver
