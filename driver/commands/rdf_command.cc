#include <fstream>
#include <iostream>
#include <optional>

#include "codelets/core/base/error.hh"
#include "driver/commands/command.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/options/rdf_options.hh"
#include "driver/report/abort_message.hh"
#include "driver/report/plan_report.hh"
#include "driver/report/progress_bar.hh"
#include "driver/report/run_summary.hh"
#include "driver/report/task_trace.hh"
#include "driver/run/trajectory_run.hh"

namespace starhist::driver {
namespace {

void write_json(const std::string& path, const RunSummary& summary) {
  std::ofstream file(path);
  file << summary_json(summary);
  file.close();
  if (!file) {
    throw RunError("cannot write the summary to '" + path + "'");
  }
}

RunSummary count(const RdfOptions& options, TrajectoryRun& run,
                 tasks::Runtime& runtime) {
  const AbortMessage last_words(
      "the run was aborted (a GPU may have failed: see the lines above); the blocks "
      "finished before are in '" +
      options.output + ".partial'");
  ProgressBar bar;
  RunHooks hooks;
  if (options.verbosity == Verbosity::normal && ProgressBar::has_terminal()) {
    hooks.progress = [&bar](const RunProgress& progress) { bar.draw(progress); };
  }
  return run.count(runtime, hooks);
}

void report(const RdfOptions& options, const RunSummary& summary,
            const tasks::Runtime& runtime) {
  if (options.verbosity == Verbosity::normal) {
    std::cerr << summary_text(summary);
  }
  if (!options.trace.empty()) {
    write_task_trace(options.trace, summary.tasks, runtime.workers());
  }
  if (!options.json.empty()) {
    write_json(options.json, summary);
  }
}

}  // namespace

ExitCode run_rdf(const std::vector<std::string>& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const std::optional<RdfOptions> options = parse_rdf_options(arguments);
  if (!options) {
    return ExitCode::done;
  }
  // Before StarPU starts, so that bad input is reported at once.
  TrajectoryRun run(*options);
  set_starpu_defaults(options->cpu_mode);
  if (!options->explain) {
    run.start_reading();
  }
  tasks::Runtime runtime(options->cpu_mode, options->kernels());
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  for (const std::string& problem : runtime.problems()) {
    std::cerr << "starhist: " << problem << '\n';
  }
  if (options->explain) {
    report_plan(std::cout, runtime, run.run().layout, run.run().exclusions,
                run.run().options, run.planned_frame());
    return ExitCode::done;
  }
  RunSummary summary = count(*options, run, runtime);
  summary.start_seconds = elapsed.count();
  report(*options, summary, runtime);
  return summary.skipped_frames.empty() ? ExitCode::done : ExitCode::frames_left_out;
}

}  // namespace starhist::driver
