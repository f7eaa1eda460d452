#include <algorithm>
#include <filesystem>
#include <iostream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/bin_position.hh"
#include "driver/commands/command.hh"
#include "driver/commands/result_input.hh"
#include "driver/commands/verify/verifier.hh"
#include "driver/options/option_values.hh"
#include "driver/options/output_option.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/text_output.hh"

namespace starhist::driver {
namespace {

struct VerifyOptions {
  std::string result;
  io::ExternalFiles external = io::ExternalFiles::refused;
  MovedFiles moved;
  Sample sample;
  Recounter recounter = Recounter::automatic;
  std::string report;  ///< path; "": no report
  std::string format;  ///< of the report
};

std::string extension_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension.empty() ? "" : lower_case(extension.substr(1));
}

/// The options of the command; the time limit is missing if only --blocks is given.
VerifyOptions parse_verify_options(const ParsedOptions& parsed, Problems& problems) {
  VerifyOptions options;
  options.result = parsed.positional.empty() ? "" : parsed.positional.front();
  options.external = external_files(parsed);
  problems.collect([&] {
    const std::string files = parsed.get("trajectory");
    options.moved = {files.empty() ? std::vector<std::string>() : split_list(files),
                     parsed.get("structure"), parsed.get("index"),
                     parsed.get("aliases"), parsed.get("box")};
  });
  problems.collect([&] {
    if (parsed.has("blocks") && parsed.get("blocks") != "all") {
      options.sample.blocks = parse_positive("--blocks", parsed.get("blocks"));
    }
  });
  problems.collect([&] {
    if (parsed.has("time") || !parsed.has("blocks")) {
      options.sample.seconds = parse_number("--time", parsed.get("time"));
      if (!(*options.sample.seconds > 0.0)) {
        throw InputError("--time " + parsed.get("time") +
                         " is not a positive number of seconds");
      }
    }
  });
  problems.collect(
      [&] { options.sample.seed = parse_count("--seed", parsed.get("seed")); });
  problems.collect([&] { options.recounter = parse_recounter(parsed.get("with")); });
  options.report = parsed.get("report");
  options.format = extension_of(options.report);
  problems.collect([&] {
    const std::vector<std::string>& formats = report_formats();
    if (!options.report.empty() &&
        std::find(formats.begin(), formats.end(), options.format) == formats.end()) {
      throw InputError("--report '" + options.report +
                       "' does not end in .html, .md or .json (the extension selects "
                       "the format)");
    }
    check_side_file("--report", options.report);
  });
  return options;
}

/// Throws InputError for counts that this version defines otherwise.
void check_edges(const io::ResultFile& result) {
  if (result.edge_shift != edge_shift) {
    throw InputError(
        result.path +
        ": was counted by an older version, which assigned distances up to a "
        "billionth of a bin below an edge to the lower bin, so counts of this version "
        "may differ: verify it with that version, or count again");
  }
}

/// Throws InputError unless there are blocks, all with known frames.
void check_frames_known(const io::ResultFile& result) {
  for (const BlockCounts& block : result.blocks) {
    if (block.counted.empty()) {
      throw InputError(result.path + ": block " + std::to_string(block.index.get()) +
                       " does not list its frames (an older version counted it), "
                       "so they cannot be read again: count again");
    }
  }
  if (result.blocks.empty()) {
    throw InputError(result.path +
                     ": has no complete block to verify (resume the run with "
                     "--resume)");
  }
}

std::unique_ptr<VerifiedResult> read_verifiable(const VerifyOptions& options) {
  if (io::is_lag_result(options.result, options.external)) {
    return verified_lags(io::read_lag_result(options.result, options.external));
  }
  if (io::is_coordination_result(options.result, options.external)) {
    return verified_neighbours(
        io::read_coordination_result(options.result, options.external));
  }
  return verified_rdf(read_result_input(options.result, options.external),
                      options.external);
}

/// Throws InputError if the report would overwrite a file that is read.
void check_report_path(const VerifyOptions& options, const io::ResultFile& result,
                       const std::vector<RecordedRun>& recorded) {
  using enum io::PathUse;
  std::vector<io::UsedPath> paths = io::external_paths(result.external_files);
  paths.push_back({options.result, read, ""});
  for (const RecordedRun& run : recorded) {
    const TrajectoryRunSpec& spec = run.spec;
    for (const std::string& input : spec.inputs) {
      paths.push_back({input, read, ""});
    }
    paths.insert(paths.end(), {{spec.reading.structure, read, "--structure"},
                               {spec.reading.index, read, "--index"},
                               {spec.reading.aliases, read, "--aliases"},
                               {spec.reading.box_file, read, "--box"}});
  }
  paths.push_back({options.report, written, "--report"});
  io::check_path_conflicts(paths);
}

std::vector<OptionSpec> verify_options() {
  using enum OptionGroup;
  const auto moved = [](const char* name, const char* help) {
    return OptionSpec{input,
                      name,
                      "FILE",
                      help,
                      {.otherwise = "as recorded", .path = io::PathUse::read}};
  };
  return {
      {input,
       "trajectory",
       "FILE,...",
       "present paths of moved trajectory files",
       {.otherwise = "as recorded", .path = io::PathUse::read}},
      moved("structure", "present path of the file of --structure"),
      moved("index", "present path of the file of --index"),
      moved("aliases", "present path of the file of --aliases"),
      moved("box", "present path of the file of --box"),
      allow_external_option(),
      {counting,
       "blocks",
       "N",
       "number of random blocks to recount, or all",
       {.otherwise = "as many as --time allows, at least one", .examples = {"all"}}},
      {counting,
       "time",
       "SECONDS",
       "time limit for recounting; with --blocks no limit by default",
       {.fallback = "60"}},
      {counting, "seed", "N", "seed of the random sample", {.fallback = "1"}},
      {counting,
       "with",
       "WHAT",
       "reference: the defining double loop; cpu: cores, with a kernel variant that "
       "did not make the result; gpu: GPUs",
       {.otherwise = "reference, or cpu if that takes too long",
        .choices = {"reference", "cpu", "gpu"}}},
      {output,
       "report",
       "FILE",
       "write a report, for example for the supplement of a paper: .html, .md or "
       ".json",
       {.path = io::PathUse::written}}};
}

}  // namespace

Manual verify_manual() {
  return {.command = "verify",
          .summary = "recount a sample of the blocks of a result, compare counts",
          .synopsis = "RESULT.h5 [options]",
          .description =
              R"(Reads random blocks of frames of a result again, counts them with the
definition or with another kernel than the one that made the result, and
compares every integer, and the stored g(r) with all counts. Checks first that
the trajectory is the one that was counted (checksums of files and frames) and
that the counts of each block and pair add up.
Particles, pairs, exclusions, boxes, bins, lags and cut-offs are those that the
result records. Prints each difference with block, pair, bin and both counts.
Results of rdf, also by second axis, of vanhove and of coordination, of merge
and of parts, and the OUT.h5.partial of a killed run, are verified in the same
way. Neighbours are recounted with the definition only.)",
          .options = verify_options(),
          .sections = {{"examples", R"(  as many blocks as can be recounted in a minute:
    starhist verify rdf.h5
  the whole result, with a report:
    starhist verify rdf.h5 --blocks all --report rdf-verified.html
  another sample, on GPUs:
    starhist verify rdf.h5 --blocks 10 --seed 2 --with gpu
  after the trajectory was moved:
    starhist verify rdf.h5 --trajectory /archive/run1.xtc,/archive/run2.xtc
)"},
                       {"exit codes", R"(  0 all compared numbers are equal
  1 not verified: invalid usage, a damaged result whose counts do not add up,
    another trajectory, or missing information
  2 numbers or frames differ
)"}}};
}

ExitCode run_verify(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_result_options(verify_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  const VerifyOptions options = parse_verify_options(*parsed, problems);
  problems.throw_if_any("verify");
  const std::unique_ptr<VerifiedResult> result = read_verifiable(options);
  check_edges(result->file());
  const std::vector<CountedRun> runs = counted_runs(result->file());
  const std::vector<RecordedRun> recorded =
      recorded_runs(result->command(), runs, options.moved);
  check_frames_known(result->file());
  if (!options.report.empty()) {
    check_report_path(options, result->file(), recorded);
  }
  const Verification found =
      verify(*result, runs, recorded, options.sample, options.recounter);
  std::cout << verification_text(found);
  if (!options.report.empty()) {
    write_text(options.report, [&](std::ostream& out) {
      out << verification_report(found, options.format);
    });
  }
  if (found.equal()) {
    return ExitCode::done;
  }
  std::cerr << "starhist: " << options.result << ": " << verdict(found)
            << " (the result or the trajectory has changed since it was counted, or a "
               "machine miscounts: restore them, or count again)\n";
  return ExitCode::failure;
}

}  // namespace starhist::driver
