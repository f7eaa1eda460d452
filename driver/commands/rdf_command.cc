#include <filesystem>
#include <iostream>
#include <optional>

#include "codelets/core/base/seconds_since.hh"
#include "driver/commands/command.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/options/rdf_options.hh"
#include "driver/options/vanhove_options.hh"
#include "driver/report/abort_message.hh"
#include "driver/report/plan_report.hh"
#include "driver/report/summary_text.hh"
#include "driver/run/trajectory_run.hh"
#include "tasks/runtime/needed_workers.hh"

namespace starhist::driver {
namespace {

/// Settings of StarPU for the run. Runs between frames use all workers.
tasks::StarpuSettings settings_of(const RdfOptions& options, TrajectoryRun& run) {
  if (options.lags) {
    return run.useful_workers({});
  }
  return run.useful_workers(tasks::settings_for_run(
      options.cpu_mode,
      options.explain ? run.expected_pairs(run.planned_frame()) : run.expected_pairs(),
      run.run().options.frames));
}

/// Prints the plan of the run. `gpus`: StarpuSettings::gpus.
void explain(TrajectoryRun& run, tasks::Runtime& runtime, int gpus) {
  const HistogramLayout& layout = run.run().layout;
  const std::string bins =
      default_bins_sentence(layout.bins, layout.length_unit, run.default_options());
  std::cout << (bins.empty() ? "" : bins + "\n");
  if (run.needs_cpus()) {
    std::cout << "GPUs: not used, because only CPUs count bins of unequal width\n";
  } else if (gpus == 0) {
    std::cout << "GPUs: not started, because this run takes less time on CPUs than a "
                 "GPU takes to start (STARPU_NCUDA=1 starts one)\n";
  }
  report_plan(std::cout, runtime, layout, run.run().exclusions, run.run().options,
              run.planned_frame());
}

/// Runs starhist `command`, rdf or vanhove. `options`: empty after --help.
ExitCode count_pairs(const std::string& command,
                     const std::vector<std::string>& arguments,
                     const std::optional<RdfOptions>& options, StopSignals& signals,
                     std::chrono::steady_clock::time_point start) {
  if (!options) {
    return ExitCode::done;
  }
  const bool between_frames = options->lags.has_value();
  if (!between_frames) {
    warn_of_copies(arguments);
  }
  std::error_code ignored;
  const std::string go_on = how_to_go_on(
      as_invoked("starhist"), arguments,
      options->overwrite && std::filesystem::exists(options->output, ignored), command);
  signals.set_last_words([go_on, between_frames] {
    std::cerr << "starhist: stopped mid-frame; "
              << (between_frames ? "full blocks" : "earlier results") << " are saved; "
              << go_on << std::endl;
  });
  // Open the input before StarPU starts, to report bad input at once.
  TrajectoryRun run(*options);
  if (is_finished(run)) {
    return report_finished(*options, run);
  }
  set_starpu_defaults(options->cpu_mode);
  if (!options->explain) {
    run.start_reading();
  }
  std::optional<AbortMessage> last_words(
      "StarPU could not start (memory may have run out, or a folder may not be "
      "writable: see the lines above)");
  const tasks::StarpuSettings settings = settings_of(*options, run);
  std::optional<tasks::Runtime> runtime(std::in_place, options->cpu_mode, run.kernels(),
                                        settings);
  last_words.reset();
  const double start_seconds = seconds_since(start);
  for (const std::string& problem : runtime->problems()) {
    std::cerr << "starhist: " << problem << '\n';
  }
  if (options->explain) {
    explain(run, *runtime, settings.gpus);
    return ExitCode::done;
  }
  report_start(*options, run);
  RunSummary summary =
      count_until_stopped(*options, run, *runtime, signals.token(),
                          std::string(between_frames ? "full" : "finished") +
                              " blocks are in '" + options->output + ".partial'");
  signals.disarm();
  summary.start_seconds = start_seconds;
  if (summary.cancelled) {
    report_stop(summary, run, signals.signal(), go_on);
    return ExitCode::stopped;
  }
  runtime.reset();  // --json may wait for the reader of a pipe, and idle workers poll
  return report_end(*options, summary);
}

}  // namespace

ExitCode run_rdf(const std::vector<std::string>& arguments) {
  const auto start = std::chrono::steady_clock::now();
  StopSignals signals;
  return count_pairs("rdf", arguments, parse_rdf_options(arguments), signals, start);
}

ExitCode run_vanhove(const std::vector<std::string>& arguments) {
  const auto start = std::chrono::steady_clock::now();
  StopSignals signals;
  return count_pairs("vanhove", arguments, parse_vanhove_options(arguments), signals,
                     start);
}

}  // namespace starhist::driver
