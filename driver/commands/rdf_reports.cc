#include "driver/commands/rdf_reports.hh"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/report/abort_message.hh"
#include "driver/report/progress_bar.hh"
#include "driver/report/summary_text.hh"
#include "driver/report/task_trace.hh"
#include "driver/report/text_output.hh"
#include "io/trajectory/formats.hh"

namespace starhist::driver {
namespace {

/// The word, quoted if it has characters that are special to a shell.
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

std::string resume_text(const std::optional<ResumePoint>& point,
                        const FrameSelection& frames, const std::string& output) {
  if (!point) {
    return output + ".partial does not exist: starting with the first frame\n";
  }
  const std::uint64_t frame = frames.index(point->next_number);
  return grouped(point->frames) + (point->frames == 1 ? " frame is" : " frames are") +
         " already counted; resuming at frame " + std::to_string(frame) + '\n';
}

}  // namespace

std::string signal_name(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name
                         : "signal " + std::to_string(signal);
}

std::string as_invoked(const std::string& name) {
  const std::string word = program_invocation_name;
  return word.find('/') == std::string::npos ? name : shell_word(word);
}

std::string how_to_go_on(const std::string& program,
                         const std::vector<std::string>& arguments, bool replaces,
                         const std::string& command_name) {
  std::string command = "to resume, run: " + program + " " + command_name;
  for (const std::string& word : arguments) {
    if (io::stream_format_of(word) != nullptr) {
      return "frames of a running simulation arrive only once: count the following "
             "ones into another output, and join the results with starhist merge";
    }
    const bool is_force = word == "--force" || word == "-f";
    if (word != "--resume" && (replaces || !is_force)) {
      command += " " + shell_word(word);
    }
  }
  return command + " --resume";
}

bool is_finished(const TrajectoryRun& run) {
  return run.resume_point() && run.resume_point()->finished;
}

ExitCode report_finished(const RdfOptions& options, const TrajectoryRun& run) {
  const ResumePoint& point = *run.resume_point();
  for (const auto& [option, file] :
       {std::pair{"--json", options.json}, {"--trace", options.trace}}) {
    if (!file.empty()) {
      throw InputError(
          options.output + " is finished, and " + option +
          " reports on frames counted now (leave it out, or recount with --force)");
    }
  }
  if (options.verbosity != Verbosity::quiet) {
    std::cerr << options.output << " is finished: " << counted(point.frames, "frame")
              << " in " << counted(point.blocks, "block")
              << "; all selected frames are counted\n";
  }
  const std::string left_out =
      io::value_of(point.record, "frames left out").value_or("0");
  if (left_out == "0") {
    return ExitCode::done;
  }
  std::cerr << "starhist: " << options.output << " lacks " << left_out
            << (left_out == "1" ? " frame that" : " frames that")
            << " could not be used: the exit code is 3\n";
  return ExitCode::frames_left_out;
}

void warn_of_copies(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word.starts_with("--part")) {
      return;
    }
  }
  for (const std::string launcher : {"OMPI_COMM_WORLD", "PMI"}) {
    const char* const size = std::getenv((launcher + "_SIZE").c_str());
    const char* const rank = std::getenv((launcher + "_RANK").c_str());
    if (size != nullptr && std::atoi(size) > 1 &&
        (rank == nullptr || std::atoi(rank) == 0)) {
      std::cerr << "starhist: if mpirun or srun has started " << size
                << " copies of this command, each counts its frames separately: use "
                   "starhist-mpi rdf to distribute one count, or --part I/N\n";
      return;
    }
  }
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    std::cerr << "starhist: " << warning << '\n';
  }
}

void report_start(const RdfOptions& options, TrajectoryRun& run) {
  print_warnings(run.start_warnings());
  if (options.verbosity == Verbosity::quiet) {
    return;
  }
  for (const std::string& sentence : run.info().remarks) {
    std::cerr << sentence << '\n';
  }
  if (options.resume) {
    std::cerr << resume_text(run.resume_point(), run.frames(), options.output);
  }
}

RunSummary count_until_stopped(const RdfOptions& options, TrajectoryRun& run,
                               tasks::Runtime& runtime, std::stop_token stop,
                               const std::string& kept) {
  const AbortMessage last_words(
      "the run was aborted (memory may have run out, or a GPU may have failed: see the "
      "lines above); " +
      kept);
  ProgressBar bar;
  RunHooks hooks;
  hooks.cancel = std::move(stop);
  if (options.verbosity != Verbosity::quiet && ProgressBar::has_terminal()) {
    hooks.progress = [&bar](const RunProgress& progress) { bar.draw(progress); };
  }
  return run.count(runtime, hooks);
}

void report_stop(const RunSummary& summary, const TrajectoryRun& run, int signal,
                 const std::string& go_on) {
  print_warnings(summary.warnings);
  std::cerr << "starhist: stopped by " << signal_name(signal) << ": "
            << grouped(summary.frames_kept) << " of "
            << grouped(summary.frames_before + run.run().options.frames)
            << " frames are counted and saved; " << go_on << '\n';
}

ExitCode report_end(const RdfOptions& options, const RunSummary& summary) {
  if (options.verbosity != Verbosity::quiet) {
    std::cerr << summary_text(summary, options.verbosity == Verbosity::verbose);
  } else {
    print_warnings(summary.warnings);
  }
  if (!options.trace.empty()) {
    write_task_trace(options.trace, summary.tasks, summary.workers);
  }
  if (!options.json.empty()) {
    write_text(options.json, [&](std::ostream& out) { out << summary_json(summary); });
  }
  const std::uint64_t left_out = summary.skipped_before + summary.skipped_frames.size();
  if (left_out == 0) {
    return ExitCode::done;
  }
  if (options.verbosity == Verbosity::quiet) {
    std::cerr << "starhist: " << grouped(left_out)
              << (left_out == 1 ? " frame was" : " frames were") << " left out of "
              << summary.output
              << (summary.skipped_frames.empty()
                      ? " by earlier runs"
                      : " (" + summary.skipped_frames.front() + ")")
              << ": the exit code is 3\n";
  }
  return ExitCode::frames_left_out;
}

}  // namespace starhist::driver
