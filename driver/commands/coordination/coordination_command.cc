#include "driver/commands/coordination/coordination_command.hh"

#include <cerrno>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/options/neighbours/cutoff_list.hh"
#include "driver/report/result_reports.hh"
#include "driver/report/summary_text.hh"
#include "driver/run/exclusions.hh"
#include "io/files/child_process.hh"
#include "io/files/descriptor.hh"
#include "io/files/own_program.hh"
#include "io/files/python.hh"
#include "io/result/coordination_result.hh"
#include "io/result/lag_result.hh"
#include "io/result/result_reader.hh"

namespace starhist::driver {
namespace {

/// Cut-offs at the first minima of g(r) in a result of starhist rdf.
struct FirstMinima {
  std::string length_unit;          ///< of the result; "": unknown
  std::vector<CutoffEdge> cutoffs;  ///< by pair, at edges of the result's bins
};

/// A file in memory for the output of a process.
class OutputFile {
 public:
  OutputFile() : file_(::memfd_create("first_minima.py", MFD_CLOEXEC)) {
    if (file_.get() < 0) {
      throw RunError("no file for the minima of g(r) can be created (" +
                     std::generic_category().message(errno) + ")");
    }
  }
  int descriptor() const { return file_.get(); }

  std::string contents() const {
    std::string text;
    char part[4096];
    for (off_t offset = 0;;) {
      const ssize_t count = ::pread(file_.get(), part, sizeof part, offset);
      if (count <= 0) {
        return text;
      }
      text.append(part, static_cast<std::size_t>(count));
      offset += count;
    }
  }

 private:
  io::Descriptor file_;
};

/// The path of starhist, which the script runs: this program, or a program in the
/// folder of starhist-mpi.
std::filesystem::path starhist_program() {
  const std::filesystem::path own = io::own_program();
  return own.filename() == "starhist-mpi" ? own.parent_path() / "starhist" : own;
}

/// Finds the first minimum of each pair as starhist peaks does, with the script
/// first_minima.py. Returns its output, for parse_first_minima(). Throws InputError if
/// the result cannot be read or lacks a pair, if a minimum is missing or ambiguous, or
/// if Python is missing.
std::string find_first_minima(const std::string& result,
                              const std::vector<std::string>& pairs) {
  const std::filesystem::path program = starhist_program();
  std::vector<std::string> words{io::chosen_python("h5py"),
                                 io::find_script("first_minima.py", program)};
  for (const std::string& pair : pairs) {
    words.push_back("--pair=" + pair);
  }
  words.insert(words.end(), {"--", result});
  ::setenv("STARHIST_PROGRAM", program.c_str(), /*overwrite=*/1);
  const OutputFile out;
  const OutputFile err;
  const int status = io::wait_for_process(io::start_process(
      words, {out.descriptor(), err.descriptor()}, io::SignalsOfJob::received));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::string problem = err.contents();
    while (!problem.empty() && problem.back() == '\n') {
      problem.pop_back();
    }
    throw InputError(problem.empty() ? "the search for minima of g(r) ended early"
                                     : problem);
  }
  return out.contents();
}

/// `pairs`: number of pairs of find_first_minima().
FirstMinima parse_first_minima(const std::string& text, std::size_t pairs) {
  std::istringstream lines(text);
  FirstMinima minima;
  std::getline(lines, minima.length_unit);
  double r_max = 0.0;
  std::uint64_t count = 0;
  for (std::uint32_t edge = 0; lines >> r_max >> count >> edge;) {
    if (edge < 1 || edge > count) {
      throw InternalError("first_minima.py printed bin edge " + std::to_string(edge) +
                          " of " + std::to_string(count) + " bins");
    }
    minima.cutoffs.push_back({make_bins(r_max, count), edge});
  }
  if (minima.cutoffs.size() != pairs) {
    throw InternalError("first_minima.py printed " +
                        std::to_string(minima.cutoffs.size()) + " cut-offs for " +
                        std::to_string(pairs) + " pairs");
  }
  return minima;
}

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
std::string set_minima(CoordinationOptions& options, const std::string& text) {
  const std::size_t pairs = options.cutoffs.pairs_of_minima().size();
  if (pairs == 0) {
    return "";
  }
  const FirstMinima minima = parse_first_minima(text, pairs);
  options.cutoffs.set_minima(minima.cutoffs);
  options.run.bins = make_bins(options.cutoffs.largest(), 1);
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

std::string find_minima(const CoordinationOptions& options) {
  const std::vector<std::string> pairs = options.cutoffs.pairs_of_minima();
  if (pairs.empty()) {
    return "";
  }
  if (io::is_lag_result(options.from) || io::is_coordination_result(options.from)) {
    throw InputError("--from " + options.from +
                     ": has no g(r), whose first minima are the cut-offs (give a "
                     "result of starhist rdf)");
  }
  const HistogramLayout layout =
      io::read_result_blocks(options.from, [](BlockCounts&& /*block*/) {}).layout;
  if (layout.plane != Plane::none) {
    throw InputError("--from " + options.from + ": has distances in the plane " +
                     to_string(layout.plane) +
                     ", but neighbours have distances in space (give a result without "
                     "--plane)");
  }
  std::string minima = find_first_minima(options.from, pairs);
  const Exclusion exclusion = layout.exclusion;
  if (exclusion != options.run.exclusion) {
    std::cerr
        << "starhist: " << options.from << " excludes " << excluded_text(exclusion)
        << ", this run excludes " << excluded_text(options.run.exclusion)
        << ": the minima of g(r) may not suit the neighbours (count both with the "
           "same --exclude-same)\n";
  }
  return minima;
}

CoordinationCommand::CoordinationCommand(CoordinationOptions options,
                                         const std::string& minima)
    : options_(std::move(options)), minima_unit_(set_minima(options_, minima)) {
  options_.run.read_earlier = [this](const std::string& path,
                                     const HistogramLayout& now,
                                     const std::function<void(BlockCounts &&)>& sink) {
    return read_earlier(path, now, sink, result_);
  };
}

CoordinationSpec CoordinationCommand::spec(const TrajectoryRun& run) const {
  check_unit(options_.from, minima_unit_, run.info());
  CoordinationSpec spec{options_.cutoffs.shells(run.info().species, options_.bins),
                        options_.per_frame, options_.per_particle};
  if (run.resume_point()) {
    check_resumed(run, spec, result_);
  }
  return spec;
}

ExitCode CoordinationCommand::report_end(const CoordinationSummary& summary,
                                         const TrajectoryRun& run, int signal,
                                         const std::string& go_on) const {
  if (summary.cancelled) {
    const std::uint64_t before = run.resume_point() ? run.resume_point()->frames : 0;
    std::cerr << "starhist: stopped by " << signal_name(signal) << ": "
              << grouped(summary.frames_kept) << " of "
              << grouped(before + run.run().options.frames)
              << " frames are counted and saved; " << go_on << '\n';
    return ExitCode::stopped;
  }
  if (options_.run.verbosity != Verbosity::quiet) {
    report(summary, run, result_);
  }
  const std::uint64_t left_out = summary.skipped_before + summary.skipped_frames.size();
  if (left_out == 0) {
    return ExitCode::done;
  }
  std::cerr << "starhist: " << grouped(left_out)
            << (left_out == 1 ? " frame was" : " frames were") << " left out of "
            << result_.file.path
            << (summary.skipped_frames.empty()
                    ? ""
                    : " (" + summary.skipped_frames.front() + ")")
            << ": the exit code is 3\n";
  return ExitCode::frames_left_out;
}

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
