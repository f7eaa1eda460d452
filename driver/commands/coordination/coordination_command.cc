#include <filesystem>
#include <iostream>
#include <optional>

#include "driver/commands/command.hh"
#include "driver/commands/coordination/run_stages.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/commands/stop_signals.hh"

namespace starhist::driver {

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
  const std::string minima = find_minima(*options);
  CoordinationCommand command(*std::move(options), minima);
  TrajectoryRun run(command.options());
  const CoordinationSpec spec = command.spec(run);
  if (is_finished(run)) {
    return report_finished(command.options(), run);
  }
  report_start(command.options(), run);
  const CoordinationSummary summary =
      count_coordination(run, spec, signals.token(), command.result());
  signals.disarm();
  return command.report_end(summary, run, signals.signal(), go_on);
}

}  // namespace starhist::driver
