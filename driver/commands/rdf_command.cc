#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/command.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/options/rdf_options.hh"
#include "driver/report/abort_message.hh"
#include "driver/report/plan_report.hh"
#include "driver/report/progress_bar.hh"
#include "driver/report/run_summary.hh"
#include "driver/report/task_trace.hh"
#include "driver/run/run_checks.hh"
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

/// In quotes where a shell would not take the word as it is.
std::string shell_word(const std::string& word) {
  const bool plain =
      !word.empty() && word.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN"
                           "OPQRSTUVWXYZ0123456789_-+=.,:/@%") == std::string::npos;
  if (plain) {
    return word;
  }
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted + "'";
}

/// The command line that goes on, for a shell.
std::string command_to_go_on(const std::vector<std::string>& arguments) {
  std::string command = "starhist rdf";
  for (const std::string& word : arguments) {
    if (word != "--resume" && word != "--force" && word != "-f") {
      command += " " + shell_word(word);
    }
  }
  return command + " --resume";
}

std::string signal_name(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name
                         : "signal " + std::to_string(signal);
}

RunSummary count(const RdfOptions& options, TrajectoryRun& run, tasks::Runtime& runtime,
                 const StopSignals& signals) {
  const AbortMessage last_words(
      "the run was aborted (memory may have run out, or a GPU has failed: see the "
      "lines "
      "above); the blocks "
      "finished before are in '" +
      options.output + ".partial'");
  ProgressBar bar;
  RunHooks hooks;
  hooks.cancel = signals.token();
  if (options.verbosity == Verbosity::normal && ProgressBar::has_terminal()) {
    hooks.progress = [&bar](const RunProgress& progress) { bar.draw(progress); };
  }
  return run.count(runtime, hooks);
}

std::string resume_text(const std::optional<ResumePoint>& point,
                        const FrameSelection& frames, const std::string& output) {
  if (!point) {
    return "there is no " + output + ".partial: the run begins with the first frame\n";
  }
  const std::uint64_t frame = frames.index(point->next_number);
  return grouped(point->frames) + " frames are counted already; going on with frame " +
         std::to_string(frame) + '\n';
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
  const std::string go_on = command_to_go_on(arguments);
  StopSignals signals([&] {
    std::cerr << "starhist: stopped within a frame; what was saved before is kept, "
                 "and this goes on: "
              << go_on << std::endl;
  });
  // Before StarPU starts, so that bad input is reported at once.
  TrajectoryRun run(*options);
  set_starpu_defaults(options->cpu_mode);
  if (!options->explain) {
    run.start_reading();
  }
  std::optional<AbortMessage> last_words(
      "StarPU could not start (memory may have run out, or a folder cannot be written: "
      "see the lines above)");
  tasks::Runtime runtime(options->cpu_mode, run.kernels());
  last_words.reset();
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  for (const std::string& problem : runtime.problems()) {
    std::cerr << "starhist: " << problem << '\n';
  }
  if (options->explain) {
    const HistogramLayout& layout = run.run().layout;
    const std::string bins =
        default_bins_sentence(layout.bins, layout.length_unit, run.default_options());
    std::cout << (bins.empty() ? "" : bins + "\n");
    report_plan(std::cout, runtime, run.run().layout, run.run().exclusions,
                run.run().options, run.planned_frame());
    return ExitCode::done;
  }
  if (options->verbosity == Verbosity::normal) {
    const std::string repeated = repeated_input_sentence(options->inputs);
    std::cerr << repeated << (repeated.empty() ? "" : "\n");
    for (const std::string& sentence : run.info().remarks) {
      std::cerr << sentence << '\n';
    }
  }
  if (options->resume && options->verbosity == Verbosity::normal) {
    std::cerr << resume_text(run.resume_point(), run.frames(), options->output);
  }
  RunSummary summary = count(*options, run, runtime, signals);
  signals.disarm();
  summary.start_seconds = elapsed.count();
  if (summary.cancelled) {
    std::cerr << "starhist: stopped by " << signal_name(signals.signal()) << ": "
              << grouped(summary.frames_kept) << " of "
              << grouped(summary.frames_before + run.run().options.frames)
              << " frames are counted and kept; this goes on: " << go_on << '\n';
    return ExitCode::stopped;
  }
  report(*options, summary, runtime);
  return summary.skipped_before == 0 && summary.skipped_frames.empty()
             ? ExitCode::done
             : ExitCode::frames_left_out;
}

}  // namespace starhist::driver
