#include "driver/report/summary_text.hh"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "codelets/core/analysis/shell_volumes.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/empty_parts.hh"
#include "driver/run/exclusions.hh"
#include "driver/run/version.hh"
#include "io/files/json_text.hh"

namespace starhist::driver {
namespace {

using io::json_number;
using Json = nlohmann::ordered_json;

constexpr const char* without_volume_text =
    "no g(r): the box is not periodic along all axes, so it has no volume; all pairs "
    "are "
    "counted (for g(r), rdf accepts --geometry slab or cylinder, or --volume V; if the "
    "system is periodic, give --box; --box none confirms open boundaries)\n";

/// Maximum number of omitted frames that are listed individually.
constexpr std::size_t most_skipped_frames = 20;

double rate(std::uint64_t pairs, double seconds) {
  return seconds > 0.0 ? static_cast<double>(pairs) / seconds : 0.0;
}

/// Mean relative errors of the predicted task times as JSON. The last one weights tasks
/// by their time: a GPU may start a task so late that its measured time is near 0,
/// which makes a large error in the other means.
Json prediction_json(const codelets::RunStatus::Predictions& predictions) {
  const double tasks =
      static_cast<double>(std::max<std::uint64_t>(predictions.tasks, 1));
  const double of_time = predictions.seconds > 0.0
                             ? predictions.absolute_seconds / predictions.seconds
                             : 0.0;
  return {
      {"tasks", predictions.tasks},
      {"mean_relative_error", json_number(predictions.error / tasks)},
      {"mean_absolute_relative_error", json_number(predictions.absolute_error / tasks)},
      {"absolute_error_of_time", json_number(of_time)}};
}

Json worker_json(const WorkerSummary& worker) {
  return {
      {"name", worker.name},     {"kind", worker.cuda ? "cuda" : "cpu"},
      {"device", worker.device}, {"tasks", worker.tasks},
      {"pairs", worker.pairs},   {"busy_seconds", json_number(worker.busy_seconds)}};
}

/// "  rank 1 on node7: 120 work units, ..."
std::string rank_line(const RankSummary& rank) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3) << "  rank " << rank.rank << " on "
       << rank.host << ": " << grouped(rank.units) << " work units, "
       << 1e-9 * rate(rank.pairs, rank.seconds) << " 10^9 pairs/s, busy "
       << std::setprecision(1) << 100.0 * rank.busy << " %, waited "
       << std::setprecision(2) << rank.waited_for_work << " s for work and "
       << rank.waited_for_reading << " s for reading\n";
  return text.str();
}

Json rank_json(const RankSummary& rank) {
  return {{"rank", rank.rank},
          {"host", rank.host},
          {"work_units", rank.units},
          {"pairs", rank.pairs},
          {"seconds", json_number(rank.seconds)},
          {"busy", json_number(rank.busy)},
          {"waited_for_work_seconds", json_number(rank.waited_for_work)},
          {"waited_for_reading_seconds", json_number(rank.waited_for_reading)}};
}

/// Share below 100 %: "36.25 %", with more digits if these would read "100.00 %".
std::string evaluated_share(std::uint64_t evaluated, std::uint64_t all) {
  const double rest = 100.0 * static_cast<double>(all - evaluated) /
                      static_cast<double>(std::max<std::uint64_t>(all, 1));
  constexpr double hidden = 0.005;  // hidden by two digits
  std::ostringstream text;
  text << std::fixed
       << std::setprecision(
              rest < hidden ? 1 - static_cast<int>(std::floor(std::log10(rest))) : 2)
       << 100.0 - rest << " %";
  return text.str();
}

/// Line for bins beyond half the smallest box: g(r) ends there if boxes change within
/// blocks, otherwise it is right only for isotropic systems.
std::string half_box_sentence(const RunSummary& summary) {
  const auto& defaults = summary.default_options;
  const std::uint32_t whole =
      analysis::normalizable_bins(summary.bins, summary.inscribed_radius);
  if (whole == summary.bins.count) {
    return "";
  }
  if (std::isfinite(summary.covering_radius) && !summary.boxes_change) {
    return "g(r) beyond " + rounded_text(summary.bins.edge(whole)) +
           unit_suffix(summary.length_unit) +
           ", half the shortest lattice vector, is right only for isotropic systems "
           "such as liquids: for a crystal, repeat the cell before counting\n";
  }
  const bool is_default =
      std::find(defaults.begin(), defaults.end(), "--r-max") != defaults.end();
  if (!is_default && !summary.boxes_change) {
    return "";
  }
  return "g(r) ends at " + rounded_text(summary.bins.edge(whole)) +
         unit_suffix(summary.length_unit) +
         ", half the shortest lattice vector of all frames, because the box "
         "changes" +
         "; with --block 1 it extends as far as the counts\n";
}

/// Scheduler, kernel, 10^9 pairs/s in total and per worker.
std::string speed_lines(const RunSummary& summary) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3)
       << 1e-9 * rate(summary.pairs, summary.seconds) << " 10^9 pairs/s (scheduler "
       << summary.scheduler << ", kernel " << summary.cpu_variant;
  if (summary.threads_per_worker > 1) {
    text << ", " << summary.threads_per_worker << " threads per worker";
  }
  text << ")\n";
  for (const WorkerSummary& worker :
       summary.ranks.empty() ? summary.workers : std::vector<WorkerSummary>()) {
    const double busy =
        summary.seconds > 0.0 ? 100.0 * worker.busy_seconds / summary.seconds : 0.0;
    text << "  " << worker.name << ": " << grouped(worker.tasks) << " tasks, "
         << std::setprecision(3) << 1e-9 * rate(worker.pairs, worker.busy_seconds)
         << " 10^9 pairs/s while busy, busy " << std::setprecision(1) << busy << " %\n";
  }
  if (summary.skipped_pairs > 0) {
    text << evaluated_share(summary.pairs - summary.skipped_pairs, summary.pairs)
         << " of the pairs were evaluated; the others are between groups of particles "
            "beyond r_max\n";
  }
  return text.str();
}

}  // namespace

std::string default_bins_sentence(const UniformBins& bins,
                                  const std::string& length_unit,
                                  const std::vector<std::string>& defaults) {
  if (defaults.empty()) {
    return "";
  }
  const std::string unit = unit_suffix(length_unit);
  std::vector<std::string> parts;
  for (const std::string& option : defaults) {
    parts.push_back(option == "--r-max"
                        ? "--r-max " + rounded_text(bins.r_max) + unit
                        : option + " " + rounded_text(bins.width()) + unit);
  }
  return join(parts, " and ") +
         (parts.size() == 1 ? " is a default (" : " are defaults (") +
         grouped(bins.count) + (bins.count == 1 ? " bin)" : " bins)");
}

std::string empty_selection_sentence(const std::string& species, std::uint64_t empty,
                                     std::uint64_t frames) {
  return "the selection " + species + " is empty in " + grouped(empty) + " of " +
         grouped(frames) + (frames == 1 ? " frame" : " frames") +
         ", which add no pairs of it";
}

std::string summary_text(const RunSummary& summary, bool speeds) {
  std::ostringstream text;
  text << std::fixed;
  const bool resumed = summary.frames_before > 0;
  const std::uint64_t all_frames = resumed ? summary.frames_kept : summary.frames;
  const std::uint64_t all_blocks = resumed ? summary.blocks_kept : summary.blocks;
  text << summary.output << ": " << counted(all_frames, "frame") << " in "
       << counted(all_blocks, "block") << ", ";
  if (resumed) {
    text << grouped(all_frames - summary.frames_before)
         << " of them counted by this run: ";
  }
  text << counted(summary.pairs, "pair") << " in " << std::setprecision(2)
       << summary.seconds << " s\n";
  if (summary.species_by_default) {
    text << "species by " << io::to_string(summary.species_by) << ": "
         << grouped(summary.species) << ", because the file has many species, "
         << grouped(summary.species_of_file)
         << " (choose others with --by, --species or --all-pairs)\n";
  }
  for (const std::string& assumption : summary.assumptions) {
    text << assumption << '\n';
  }
  const std::string bins =
      default_bins_sentence(summary.bins, summary.length_unit, summary.default_options);
  text << (bins.empty() ? "" : bins + "\n")
       << (summary.without_volume ? std::string(without_volume_text)
                                  : half_box_sentence(summary));
  const std::string vacuum = empty_parts_text(summary.vacuum);
  text << vacuum << (vacuum.empty() ? "" : "\n");
  for (const std::string& warning : summary.warnings) {
    text << "warning: " << warning << '\n';
  }
  if (summary.gpus_left_out) {
    text << "counted on CPUs only: GPUs do not count "
         << (summary.bins.uniform() ? "separations along the normal of a plane"
                                    : "bins of unequal width")
         << '\n';
  }
  if (summary.bins.r_max > summary.covering_radius * (1.0 + 1e-9)) {
    text
        << "no two points of the box are farther apart than "
        << rounded_text(summary.covering_radius) << unit_suffix(summary.length_unit)
        << ": bins beyond this distance are empty (for larger distances in a crystal, "
           "repeat its cell before, with gmx genconf -nbox or Atoms.repeat() of ASE)\n";
  }
  for (const auto& [species, frames] : summary.empty_selections) {
    text << empty_selection_sentence(species, frames, summary.frames_kept) << '\n';
  }
  const std::string excluded =
      exclusion_sentence(summary.exclusion, summary.excluded_pairs);
  text << (excluded.empty() ? "" : excluded + "\n");
  for (const RankSummary& rank : summary.ranks) {
    text << rank_line(rank);
  }
  text << (speeds ? speed_lines(summary) : "");
  if (summary.repeated_tasks > 0) {
    text << grouped(summary.repeated_tasks)
         << " tasks were refused by a GPU and executed by CPU workers\n";
  }
  if (summary.skipped_before > 0) {
    text << grouped(summary.skipped_before)
         << " frames were left out by earlier runs\n";
  }
  const std::size_t shown =
      std::min(summary.skipped_frames.size(), most_skipped_frames);
  for (std::size_t k = 0; k < shown; ++k) {
    text << "left out: " << summary.skipped_frames[k] << '\n';
  }
  if (shown < summary.skipped_frames.size()) {
    text << "left out: " << grouped(summary.skipped_frames.size() - shown)
         << " more frames (--json lists all)\n";
  }
  return text.str();
}

std::string summary_json(const RunSummary& summary) {
  Json ranks = Json::array();
  for (const RankSummary& rank : summary.ranks) {
    ranks.push_back(rank_json(rank));
  }
  Json workers = Json::array();
  for (const WorkerSummary& worker : summary.workers) {
    workers.push_back(worker_json(worker));
  }
  Json empty = Json::object();
  for (const auto& [species, frames] : summary.empty_selections) {
    empty[species] = frames;
  }
  std::vector<std::string> warnings = summary.start_warnings;
  warnings.insert(warnings.end(), summary.warnings.begin(), summary.warnings.end());
  const Json json{
      {"program", "starhist"},
      {"version", version()},
      {"output", summary.output},
      {"frames", summary.frames},
      {"blocks", summary.blocks},
      {"pairs", summary.pairs},
      {"species_by", io::to_string(summary.species_by)},
      {"species", summary.species},
      {"assumptions", summary.assumptions},
      {"warnings", std::move(warnings)},
      {"empty_selections", std::move(empty)},
      {"exclusion", to_string(summary.exclusion)},
      {"excluded_pairs", summary.excluded_pairs},
      {"start_seconds", json_number(summary.start_seconds)},
      {"seconds", json_number(summary.seconds)},
      {"count_seconds", json_number(summary.count_seconds)},
      {"pairs_per_second", json_number(rate(summary.pairs, summary.seconds))},
      {"scheduler", summary.scheduler},
      {"cpu_variant", summary.cpu_variant},
      {"threads_per_worker", summary.threads_per_worker},
      {"cuda_variant", summary.cuda_variant},
      {"bytes_moved", summary.bytes_moved},
      {"skipped_pairs", summary.skipped_pairs},
      {"repeated_tasks", summary.repeated_tasks},
      {"prediction", prediction_json(summary.predictions)},
      {"workers", std::move(workers)},
      {"ranks", std::move(ranks)},
      {"skipped_frames", summary.skipped_frames},
      {"frames_before", summary.frames_before},
      {"frames_in_result", summary.frames_kept},
      {"blocks_in_result", summary.blocks_kept},
      {"skipped_before", summary.skipped_before},
      {"length_unit", summary.length_unit},
      {"r_max", json_number(summary.bins.r_max)},
      {"bin_width", json_number(summary.bins.count > 0 && summary.bins.uniform()
                                    ? summary.bins.width()
                                    : 0.0)},
      {"default_options", summary.default_options},
  };
  return io::json_text(json) + "\n";
}

}  // namespace starhist::driver
