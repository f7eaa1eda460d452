#include <filesystem>
#include <iomanip>
#include <iostream>
#include <optional>

#include "codelets/core/base/counted_noun.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/command.hh"
#include "driver/commands/coordination/first_minima.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/coordination/coordination_run.hh"
#include "driver/options/neighbours/coordination_options.hh"
#include "driver/report/coordination_report.hh"
#include "driver/report/summary_text.hh"
#include "driver/run/exclusions.hh"

namespace starhist::driver {
namespace {

/// "pairs of the same molecule", or "no pairs".
std::string excluded_text(Exclusion exclusion) {
  if (exclusion == Exclusion::none) {
    return "no pairs";
  }
  return std::string("pairs of ") + (counts_only_same(exclusion) ? "" : "the ") +
         to_string(exclusion);
}

void report(const CoordinationSummary& summary, const TrajectoryRun& run,
            const io::CoordinationResult& result) {
  std::cerr << result.file.path << ": " << counted(summary.frames, "frame") << " in "
            << counted(result.file.blocks.size(), "block") << ", counted in "
            << std::fixed << std::setprecision(2) << summary.seconds << " s\n"
            << neighbours_text(result);
  if (result.file.layout.exclusion != Exclusion::none) {
    std::cerr << excluded_text(result.file.layout.exclusion) << " are left out\n";
  }
  if (total(result.file.blocks).volume == 0.0 && !run.spec().reading.box) {
    std::cerr << open_box_sentence << '\n';
  }
  for (const auto& [species, frames] : summary.empty_selections) {
    std::cerr << empty_selection_sentence(species, frames, summary.frames) << '\n';
  }
  for (const std::string& assumption : run.assumptions()) {
    std::cerr << assumption << '\n';
  }
}

/// Sets the cut-offs that are minima of g(r). Returns the length unit of that result.
/// Warns if g(r) excludes other pairs than this run.
std::string set_minima(CoordinationOptions& options) {
  const std::vector<std::string> pairs = options.cutoffs.pairs_of_minima();
  if (pairs.empty()) {
    return "";
  }
  const FirstMinima minima = first_minima(options.from, pairs);
  options.cutoffs.set_minima(minima.cutoffs);
  options.run.bins = make_bins(options.cutoffs.largest(), 1);
  if (minima.exclusion != options.run.exclusion) {
    std::cerr
        << "starhist: " << options.from << " excludes "
        << excluded_text(minima.exclusion) << ", this run excludes "
        << excluded_text(options.run.exclusion)
        << ": the minima of g(r) may not suit the neighbours (count both with the "
           "same --exclude-same)\n";
  }
  return minima.length_unit;
}

/// Throws InputError if the minima of g(r) are in another length unit.
void check_unit(const std::string& from, const std::string& unit,
                const io::TrajectoryInfo& info) {
  if (!from.empty() && unit != info.length_unit) {
    const auto text = [](const std::string& name) {
      return name.empty() ? "unknown" : name;
    };
    throw InputError("--from " + from + ": its length unit is " + text(unit) +
                     "; the unit of " + info.paths.front() + " is " +
                     text(info.length_unit) +
                     " (a minimum would be at another distance): count both with the "
                     "same --unit");
  }
}

/// An EarlierReader for results of coordination; `result` receives the contents.
io::ResultFile read_earlier(const std::string& path, const HistogramLayout& now,
                            const std::function<void(BlockCounts&&)>& sink,
                            io::CoordinationResult& result) {
  result = io::read_coordination_result(path);
  for (const BlockCounts& block : result.file.blocks) {
    sink(BlockCounts(block));
  }
  io::ResultFile file = result.file;
  file.blocks.clear();
  file.layout.pairs = now.pairs;  // of the cut-offs, which are compared later
  file.layout.bins = now.bins;
  return file;
}

}  // namespace

ExitCode run_coordination(const std::vector<std::string>& arguments) {
  StopSignals signals;
  auto options = parse_coordination_options(arguments);
  if (!options) {
    return ExitCode::done;
  }
  std::error_code ignored;
  const std::string go_on = how_to_go_on(
      as_invoked("starhist"), arguments,
      options->run.overwrite && std::filesystem::exists(options->run.output, ignored),
      "coordination");
  signals.set_last_words(
      [go_on] { std::cerr << "starhist: stopped; " << go_on << std::endl; });
  const std::string minima_unit = set_minima(*options);
  io::CoordinationResult result;
  options->run.read_earlier = [&](const std::string& path, const HistogramLayout& now,
                                  const std::function<void(BlockCounts &&)>& sink) {
    return read_earlier(path, now, sink, result);
  };
  TrajectoryRun run(options->run);
  check_unit(options->from, minima_unit, run.info());
  const CoordinationSpec spec{
      options->cutoffs.shells(run.info().species, options->bins), options->per_frame,
      options->per_particle};
  if (run.resume_point()) {
    check_resumed(run, spec, result);
  }
  if (is_finished(run)) {
    return report_finished(options->run, run);
  }
  report_start(options->run, run);
  const CoordinationSummary summary =
      count_coordination(run, spec, signals.token(), result);
  signals.disarm();
  if (summary.cancelled) {
    const std::uint64_t before = run.resume_point() ? run.resume_point()->frames : 0;
    std::cerr << "starhist: stopped by a signal: " << grouped(summary.frames_kept)
              << " of " << grouped(before + run.run().options.frames)
              << " frames are counted and saved; " << go_on << '\n';
    return ExitCode::stopped;
  }
  if (options->run.verbosity != Verbosity::quiet) {
    report(summary, run, result);
  }
  const std::uint64_t left_out = summary.skipped_before + summary.skipped_frames.size();
  if (left_out == 0) {
    return ExitCode::done;
  }
  std::cerr << "starhist: " << grouped(left_out)
            << (left_out == 1 ? " frame was" : " frames were") << " left out of "
            << result.file.path
            << (summary.skipped_frames.empty()
                    ? ""
                    : " (" + summary.skipped_frames.front() + ")")
            << ": the exit code is 3\n";
  return ExitCode::frames_left_out;
}

}  // namespace starhist::driver
