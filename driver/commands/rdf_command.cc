#include <filesystem>
#include <iostream>
#include <optional>

#include "codelets/core/base/seconds_since.hh"
#include "driver/commands/command.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/options/rdf_options.hh"
#include "driver/report/abort_message.hh"
#include "driver/report/plan_report.hh"
#include "driver/report/summary_text.hh"
#include "driver/run/trajectory_run.hh"
#include "tasks/runtime/needed_workers.hh"

namespace starhist::driver {

ExitCode run_rdf(const std::vector<std::string>& arguments) {
  const auto start = std::chrono::steady_clock::now();
  StopSignals signals;
  const std::optional<RdfOptions> options = parse_rdf_options(arguments);
  if (!options) {
    return ExitCode::done;
  }
  warn_of_copies(arguments);
  std::error_code ignored;
  const std::string go_on = how_to_go_on(
      as_invoked("starhist"), arguments,
      options->overwrite && std::filesystem::exists(options->output, ignored));
  signals.set_last_words([go_on] {
    std::cerr << "starhist: stopped mid-frame; earlier results are saved; " << go_on
              << std::endl;
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
  const tasks::StarpuSettings settings = run.useful_workers(tasks::settings_for_run(
      options->cpu_mode,
      options->explain ? run.expected_pairs(run.planned_frame()) : run.expected_pairs(),
      run.run().options.frames));
  std::optional<tasks::Runtime> started(std::in_place, options->cpu_mode, run.kernels(),
                                        settings);
  tasks::Runtime& runtime = *started;
  last_words.reset();
  const double start_seconds = seconds_since(start);
  for (const std::string& problem : runtime.problems()) {
    std::cerr << "starhist: " << problem << '\n';
  }
  if (options->explain) {
    const HistogramLayout& layout = run.run().layout;
    const std::string bins =
        default_bins_sentence(layout.bins, layout.length_unit, run.default_options());
    std::cout << (bins.empty() ? "" : bins + "\n");
    if (run.needs_cpus()) {
      std::cout << "GPUs: not used, because only CPUs count bins of unequal width\n";
    } else if (settings.gpus == 0) {
      std::cout << "GPUs: not started, because this run takes less time on CPUs than a "
                   "GPU takes to start (STARPU_NCUDA=1 starts one)\n";
    }
    report_plan(std::cout, runtime, run.run().layout, run.run().exclusions,
                run.run().options, run.planned_frame());
    return ExitCode::done;
  }
  report_start(*options, run);
  RunSummary summary =
      count_until_stopped(*options, run, runtime, signals.token(),
                          "finished blocks are in '" + options->output + ".partial'");
  signals.disarm();
  summary.start_seconds = start_seconds;
  if (summary.cancelled) {
    report_stop(summary, run, signals.signal(), go_on);
    return ExitCode::stopped;
  }
  started.reset();  // --json may wait for the reader of a pipe, and idle workers poll
  return report_end(*options, summary);
}

}  // namespace starhist::driver
