#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/minimum_image.hh"
#include "driver/commands/command.hh"
#include "driver/commands/result_input.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/options/yaml_file.hh"
#include "io/export/cadishi_writer.hh"
#include "io/formats/cadishi/cadishi_log.hh"
#include "io/formats/cadishi/cadishi_parameters.hh"
#include "io/output/path_conflicts.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::driver {
namespace {

/// Settings of a parameter file and its trajectory.
struct CadishiRun {
  io::CadishiParameters parameters;
  std::uint64_t first = 1;    ///< number of the first counted frame
  std::uint64_t last = 1;     ///< number of the last counted frame
  std::uint64_t frames = 0;   ///< number of frames
  double r_max = 0.0;         ///< [A]
  std::uint64_t bins = 0;     ///< number of bins up to r_max
  std::uint64_t counted = 0;  ///< number of bins in which a distance can lie
  std::string box;            ///< for --box; "": boxes of the frames
  std::string result;         ///< path of starhist's result
};

constexpr const char* remedy_for_range =
    ", which would make CAPRIQORN's intensities wrong: raise histogram:r_max, or "
    "ignore such distances with cpu:check_input false";

io::CadishiParameters read_parameters(const std::string& path) {
  try {
    return io::parse_cadishi_parameters(yaml_file_as_json(path));
  } catch (const InputError& error) {
    const std::string what = error.what();
    throw InputError(what.starts_with(path) ? what : path + ": " + what);
  }
}

/// Sets the frames. Throws InputError if the trajectory does not have them.
void set_cadishi_frames(std::uint64_t frame_count, CadishiRun& run) {
  const io::CadishiParameters& parameters = run.parameters;
  run.first = parameters.first.value_or(1);
  run.last = parameters.last.value_or(frame_count);
  const std::string selected = "frames " + std::to_string(run.first) + " to " +
                               std::to_string(run.last) + " are requested";
  if (run.last > frame_count || run.first > run.last) {
    throw InputError(parameters.inputs.front() + ": " + selected +
                     ", but the trajectory has " + std::to_string(frame_count) +
                     " (input:first and input:last count from 1)");
  }
  run.frames = (run.last - run.first) / parameters.step + 1;
  if (run.frames < parameters.sum) {
    throw InputError(
        parameters.inputs.front() + ": " + selected + ", which is a total of " +
        std::to_string(run.frames) + ", but histogram:sum makes blocks of " +
        std::to_string(parameters.sum) + " and CADISHI writes only whole blocks");
  }
}

/// Sets r_max and the number of bins, which CADISHI rounds up. `farthest`: the largest
/// distance in the first frame, infinite without a box.
void set_cadishi_bins(const std::string& log, double farthest, CadishiRun& run) {
  const io::CadishiParameters& parameters = run.parameters;
  run.r_max = parameters.r_max;
  if (run.r_max < 0.0) {
    const auto logged = io::logged_r_max(log);
    if (!logged || !(*logged > 0.0)) {
      throw InputError(parameters.inputs.front() +
                       ": a negative histogram:r_max stands for the r_max in the log "
                       "of the first frame, which has none (give a positive one)");
    }
    run.r_max = *logged;
  }
  const double bins = std::ceil(run.r_max / parameters.bin_width);
  if (!(bins < 4e9)) {
    throw InputError("histogram:dr " + number_text(parameters.bin_width) +
                     " makes too many bins up to " + number_text(run.r_max));
  }
  run.bins = static_cast<std::uint64_t>(bins);
  const double reached = std::floor(2.0 * farthest / run.r_max * bins);
  run.counted = static_cast<std::uint64_t>(std::max(1.0, std::min(bins, reached)));
}

/// Sets the box and prints which one is used.
void set_cadishi_box(const std::string& log, CadishiRun& run) {
  const std::string filter = io::cut_volume(log);
  const auto& box = run.parameters.periodic_box;
  if (!filter.empty()) {
    run.box = box ? "none" : "";
    if (box && !box->empty()) {
      std::cerr << "starhist: input:periodic_box is ignored, because " << filter
                << " has cut a volume out of the frames (CADISHI ignores it, too)\n";
    }
  } else if (box) {
    std::vector<std::string> numbers;
    for (const double number : *box) {
      numbers.push_back(number_text(number));
    }
    run.box = box->empty() ? "none" : join(numbers, ",");
  }
}

Frame first_frame_of(const CadishiRun& run) {
  io::ReadOptions reading;
  if (!run.box.empty()) {
    reading.box = parse_box(run.box);
  }
  Frame frame;
  io::open_trajectory(run.parameters.inputs, reading)
      ->read(FrameIndex(run.first - 1), frame);
  return frame;
}

/// The position of the particle farthest from `from`, and its distance.
std::pair<Vec3, double> farthest_from(Vec3 from, const Frame& frame) {
  std::pair<Vec3, double> farthest{from, 0.0};
  for (const std::vector<double>& positions : frame.positions) {
    for (std::size_t k = 0; k + 2 < positions.size(); k += 3) {
      const Vec3 at{positions[k], positions[k + 1], positions[k + 2]};
      const double r2 = minimum_distance2(frame.box.minimum_image(), from, at);
      if (r2 > farthest.second) {
        farthest = {at, r2};
      }
    }
  }
  farthest.second = std::sqrt(farthest.second);
  return farthest;
}

/// Throws InputError if two particles of the first frame are found to be r_max apart,
/// so that the run would fail in check_cadishi_range(). The search starts from the
/// particle farthest from another one, and may miss the largest distance.
void check_first_frame(const CadishiRun& run, const Frame& frame) {
  if (!run.parameters.check_input || frame.particle_count() == 0) {
    return;
  }
  const Vec3 end = farthest_from({0.0, 0.0, 0.0}, frame).first;
  const double distance = farthest_from(end, frame).second;
  if (distance >= run.r_max) {
    throw InputError(run.parameters.inputs.front() +
                     ": two particles of the first frame are " + number_text(distance) +
                     " A apart, but histogram:r_max is " + number_text(run.r_max) +
                     remedy_for_range);
  }
}

CadishiRun plan(const std::string& path) {
  CadishiRun run;
  run.parameters = read_parameters(path);
  const auto reader = io::open_trajectory(run.parameters.inputs, {});
  if (!reader->passes_on()) {
    throw InputError(run.parameters.inputs.front() + ": is " + reader->info().format +
                     ", not a CADISHI trajectory (count it with starhist rdf)");
  }
  set_cadishi_frames(reader->info().frame_count, run);
  const io::PassedOn first = reader->passed_on(FrameIndex(0));
  const auto log = first.texts.find("log");
  const std::string text = log == first.texts.end() ? "" : log->second;
  set_cadishi_box(text, run);
  const Frame frame = first_frame_of(run);
  set_cadishi_bins(text, frame.box.covering_radius(), run);
  check_first_frame(run, frame);
  run.result = run.parameters.directory + "starhist.h5";
  return run;
}

/// Equivalent options of `starhist rdf`.
std::vector<std::string> rdf_arguments(const CadishiRun& run,
                                       const ParsedOptions& given) {
  std::vector<std::string> arguments = run.parameters.inputs;
  const auto add = [&](const std::string& option, const std::string& value) {
    arguments.insert(arguments.end(), {option, value});
  };
  add("-o", run.result);
  const double share = static_cast<double>(run.counted) / static_cast<double>(run.bins);
  add("--r-max", number_text(run.counted < run.bins ? run.r_max * share : run.r_max));
  add("--bins", std::to_string(run.counted));
  add("--block", std::to_string(run.parameters.sum));
  add("--first", std::to_string(run.first - 1));
  add("--last", std::to_string(run.last - 1));
  add("--step", std::to_string(run.parameters.step));
  add("--repeated", "keep");
  arguments.emplace_back("--all-pairs");
  if (!run.box.empty()) {
    add("--box", run.box);
  }
  for (const char* option : {"resume", "quiet"}) {
    if (given.has(option)) {
      arguments.push_back("--" + std::string(option));
    }
  }
  // CADISHI replaces results, but the files of a killed run are kept unless --force is
  // given.
  const bool was_killed = std::filesystem::exists(run.result + ".partial");
  if (given.has("force") || !was_killed || given.has("resume")) {
    arguments.emplace_back("--force");
  }
  return arguments;
}

/// Throws InputError if pairs lie beyond r_max; CADISHI refuses them, too.
void check_cadishi_range(const CadishiRun& run, const io::ResultFile& result) {
  std::uint64_t beyond = 0;
  for (const BlockCounts& block : result.blocks) {
    for (const std::uint64_t pairs : block.out_of_range) {
      beyond += pairs;
    }
  }
  if (beyond > 0 && run.parameters.check_input) {
    throw InputError(grouped(beyond) + " distances are " + number_text(run.r_max) +
                     " A or more" + remedy_for_range + " (the counts are in " +
                     run.result + ")");
  }
}

/// Throws InputError if an output would overwrite the parameter file or a file of the
/// trajectory.
void check_outputs(const std::string& parameter_file, const CadishiRun& run) {
  using enum io::PathUse;
  const io::CadishiParameters& parameters = run.parameters;
  std::vector<io::UsedPath> paths{
      {parameter_file, read, ""},
      {run.result, grown, "the result"},
      {parameters.directory + parameters.file, grown, "output:file"}};
  for (const std::string& input : parameters.inputs) {
    paths.push_back({input, read, "input:file"});
  }
  for (const std::string& path :
       io::cadishi_run_paths({parameters.directory, run.first, run.last, ""})) {
    paths.push_back({path, written, "output:directory"});
  }
  io::check_path_conflicts(paths);
}

void write_outputs(const CadishiRun& run) {
  const io::ResultFile result =
      read_result_input(run.result, io::ExternalFiles::refused);
  check_cadishi_range(run, result);
  const io::CadishiParameters& parameters = run.parameters;
  const std::string json = io::completed_json(parameters, run.first, run.last);
  io::CadishiExport cadishi;
  cadishi.overwrite = io::Overwrite::yes;
  cadishi.frames_per_group = parameters.sum;
  cadishi.bins = static_cast<std::uint32_t>(run.bins);
  cadishi.bin_width = parameters.bin_width;
  cadishi.log_entries = io::cadishi_log_entries(json);
  io::write_cadishi_histograms(parameters.directory + parameters.file, result, cadishi);
  io::write_cadishi_run_files(
      {parameters.directory, run.first, run.last, json_as_yaml(json)}, result);
}

void report(const CadishiRun& run) {
  const io::CadishiParameters& parameters = run.parameters;
  std::cerr << parameters.directory << parameters.file << ": "
            << run.frames / parameters.sum << " blocks of " << parameters.sum
            << " frames, for CAPRIQORN\n";
  const std::uint64_t rest = run.frames % parameters.sum;
  if (rest > 0) {
    std::cerr << "starhist: the last " << rest
              << (rest == 1 ? " frame does not" : " frames do not")
              << " fill a block and are left out, as in CADISHI; their "
                 "counts are in "
              << run.result << '\n';
  }
  if (!parameters.not_followed.empty()) {
    std::cerr << "starhist: ignored: " << join(parameters.not_followed, ", ")
              << " (starhist chooses workers and kernels itself, counts in double "
                 "precision, and writes HDF5 without compression)\n";
  }
}

}  // namespace

Manual cadishi_manual() {
  return {.command = "cadishi",
          .summary = "count as `cadishi histo` does, from its parameter file",
          .synopsis = "[histograms.yaml] [options]",
          .description =
              R"(Counts as a CADISHI parameter file specifies, and writes the files of
`cadishi histo` to its output folder: histograms.h5, header.dat, nrPart.*.dat,
histograms.yaml and preprocessor_log.json. `capriq postproc` reads them. The
result with exact counts is also written there, as starhist.h5. The default
parameter file is histograms.yaml.)",
          .options = {{OptionGroup::running, "resume", "",
                       "resume a run that was stopped or killed"},
                      {OptionGroup::output, "force,f", "",
                       "replace the files left by a killed run"},
                      {OptionGroup::running, "quiet,q", "",
                       "print neither progress nor summary"}},
          .sections = {{"example", R"(  capriq preproc preprocessor.yaml
  starhist cadishi histograms.yaml        # in place of capriq histo
  capriq postproc postprocessor.yaml
)"}}};
}

ExitCode run_cadishi(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_unless_help(cadishi_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  if (parsed->positional.size() > 1) {
    problems.add("give one parameter file, not " +
                 std::to_string(parsed->positional.size()));
  }
  problems.throw_if_any("cadishi");
  const std::string parameter_file =
      parsed->positional.empty() ? "histograms.yaml" : parsed->positional.front();
  const CadishiRun run = plan(parameter_file);
  check_outputs(parameter_file, run);
  std::error_code problem;
  std::filesystem::create_directories(run.parameters.directory, problem);
  if (problem) {
    throw InputError("folder '" + run.parameters.directory + "' cannot be made (" +
                     problem.message() + ")");
  }
  const ExitCode code = run_rdf(rdf_arguments(run, *parsed));
  if (code != ExitCode::done) {
    return code;
  }
  write_outputs(run);
  if (!parsed->has("quiet")) {
    report(run);
  }
  return ExitCode::done;
}

}  // namespace starhist::driver
