#include <filesystem>
#include <iostream>
#include <optional>

#include "codelets/core/base/seconds_since.hh"
#include "driver/commands/command.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/options/vanhove_options.hh"
#include "driver/report/abort_message.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {

ExitCode run_vanhove(const std::vector<std::string>& arguments) {
  const auto start = std::chrono::steady_clock::now();
  StopSignals signals;
  const std::optional<RdfOptions> options = parse_vanhove_options(arguments);
  if (!options) {
    return ExitCode::done;
  }
  std::error_code ignored;
  const std::string go_on = how_to_go_on(
      as_invoked("starhist"), arguments,
      options->overwrite && std::filesystem::exists(options->output, ignored),
      "vanhove");
  signals.set_last_words([go_on] {
    std::cerr << "starhist: stopped mid-frame; full blocks are saved; " << go_on
              << std::endl;
  });
  // Open the input before StarPU starts, to report bad input at once.
  TrajectoryRun run(*options);
  if (is_finished(run)) {
    return report_finished(*options, run);
  }
  set_starpu_defaults(options->cpu_mode);
  run.start_reading();
  std::optional<AbortMessage> last_words(
      "StarPU could not start (memory may have run out, or a folder may not be "
      "writable: see the lines above)");
  tasks::Runtime runtime(options->cpu_mode, run.kernels());
  last_words.reset();
  const double start_seconds = seconds_since(start);
  for (const std::string& problem : runtime.problems()) {
    std::cerr << "starhist: " << problem << '\n';
  }
  report_start(*options, run);
  RunSummary summary =
      count_until_stopped(*options, run, runtime, signals.token(),
                          "full blocks are in '" + options->output + ".partial'");
  signals.disarm();
  summary.start_seconds = start_seconds;
  if (summary.cancelled) {
    report_stop(summary, run, signals.signal(), go_on);
    return ExitCode::stopped;
  }
  return report_end(*options, summary);
}

}  // namespace starhist::driver
