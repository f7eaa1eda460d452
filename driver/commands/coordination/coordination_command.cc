#include <iomanip>
#include <iostream>
#include <optional>

#include "codelets/core/base/counted_noun.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/command.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/coordination/coordination_run.hh"
#include "driver/options/neighbours/coordination_options.hh"
#include "driver/report/coordination_report.hh"
#include "driver/report/run_summary.hh"
#include "driver/run/exclusions.hh"

namespace starhist::driver {
namespace {

void report(const CoordinationSummary& summary, const TrajectoryRun& run,
            const io::CoordinationResult& result) {
  std::cerr << result.file.path << ": " << counted(summary.frames, "frame") << " in "
            << counted(result.file.blocks.size(), "block") << ", counted in "
            << std::fixed << std::setprecision(2) << summary.seconds << " s\n"
            << neighbours_text(result);
  if (result.file.layout.exclusion != Exclusion::none) {
    std::cerr << "pairs of "
              << (counts_only_same(result.file.layout.exclusion) ? "" : "the ")
              << to_string(result.file.layout.exclusion) << " are left out\n";
  }
  if (total(result.file.blocks).volume == 0.0 && !run.spec().box) {
    std::cerr << open_box_sentence << '\n';
  }
  for (const auto& [species, frames] : summary.empty_selections) {
    std::cerr << empty_selection_sentence(species, frames, summary.frames) << '\n';
  }
  for (const std::string& assumption : run.assumptions()) {
    std::cerr << assumption << '\n';
  }
}

}  // namespace

ExitCode run_coordination(const std::vector<std::string>& arguments) {
  StopSignals signals;
  const auto options = parse_coordination_options(arguments);
  if (!options) {
    return ExitCode::done;
  }
  signals.set_last_words([] {
    std::cerr << "starhist: stopped; no result was written (count again)" << std::endl;
  });
  TrajectoryRun run(options->run);
  const bool quiet = options->run.verbosity == Verbosity::quiet;
  for (const std::string& remark : run.info().remarks) {
    if (!quiet) {
      std::cerr << remark << '\n';
    }
  }
  const CoordinationSpec spec{
      options->cutoffs.shells(run.info().species, options->bins), options->per_frame,
      options->per_particle};
  io::CoordinationResult result;
  const CoordinationSummary summary =
      count_coordination(run, spec, signals.token(), result);
  signals.disarm();
  if (summary.cancelled) {
    std::cerr << "starhist: stopped by a signal after " << grouped(summary.frames)
              << " of " << grouped(run.run().options.frames)
              << " frames; no result was written (count again)\n";
    return ExitCode::stopped;
  }
  if (!quiet) {
    report(summary, run, result);
  }
  if (summary.skipped_frames.empty()) {
    return ExitCode::done;
  }
  std::cerr << "starhist: " << grouped(summary.skipped_frames.size())
            << (summary.skipped_frames.size() == 1 ? " frame was" : " frames were")
            << " left out of " << result.file.path << " ("
            << summary.skipped_frames.front() << "): the exit code is 3\n";
  return ExitCode::frames_left_out;
}

}  // namespace starhist::driver
