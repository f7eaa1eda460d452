#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/bin_position.hh"
#include "driver/commands/command.hh"
#include "driver/commands/result_input.hh"
#include "driver/commands/verify/compare_blocks.hh"
#include "driver/commands/verify/definition.hh"
#include "driver/commands/verify/recount.hh"
#include "driver/options/option_values.hh"
#include "driver/options/output_option.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/text_output.hh"
#include "driver/report/verification.hh"
#include "io/result/lag_result.hh"
#include "io/result/stored_distributions.hh"

namespace starhist::driver {
namespace {

struct VerifyOptions {
  std::string result;
  io::ExternalFiles external = io::ExternalFiles::refused;
  MovedFiles moved;
  std::optional<std::uint64_t> blocks;  ///< most blocks to recount
  std::optional<double> seconds;        ///< time limit [s]
  std::uint64_t seed = 1;
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
      options.blocks = parse_positive("--blocks", parsed.get("blocks"));
    }
  });
  problems.collect([&] {
    if (parsed.has("time") || !parsed.has("blocks")) {
      options.seconds = parse_number("--time", parsed.get("time"));
      if (!(*options.seconds > 0.0)) {
        throw InputError("--time " + parsed.get("time") +
                         " is not a positive number of seconds");
      }
    }
  });
  problems.collect([&] { options.seed = parse_count("--seed", parsed.get("seed")); });
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
                     ": has no complete block to verify (resume the run with starhist "
                     "rdf --resume)");
  }
}

io::ResultFile read_verifiable(const VerifyOptions& options) {
  if (io::is_lag_result(options.result, options.external)) {
    throw InputError(options.result +
                     ": is a result of starhist vanhove, which counts pairs of frames "
                     "across blocks; verify handles results of starhist rdf (to check "
                     "this one, count it again, with another --variant, and compare "
                     "the exports)");
  }
  io::ResultFile result = read_result_input(options.result, options.external);
  check_edges(result);
  return result;
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

/// All blocks, in random order. The order depends on number and seed only.
std::vector<std::uint64_t> random_order(std::uint64_t blocks, std::uint64_t seed) {
  std::vector<std::uint64_t> order(blocks);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed);
  for (std::uint64_t k = blocks; k > 1; --k) {
    std::swap(order[k - 1], order[random() % k]);
  }
  return order;
}

/// Number of pairs whose distances a recount of the block computes.
double work_of(const BlockCounts& block) {
  return static_cast<double>(
      std::accumulate(block.pairs.begin(), block.pairs.end(), std::uint64_t{0}) +
      std::accumulate(block.excluded.begin(), block.excluded.end(), std::uint64_t{0}));
}

/// Verifies one result.
class Verifier {
 public:
  Verifier(const VerifyOptions& options, const io::ResultFile& result,
           const std::vector<CountedRun>& runs,
           const std::vector<RecordedRun>& recorded)
      : options_(options), result_(result), runs_(runs), recorded_(recorded) {
    order_ = random_order(result.blocks.size(), options.seed);
    order_.resize(
        std::min<std::uint64_t>(order_.size(), options.blocks.value_or(order_.size())));
  }

  Verification verify() {
    describe();
    compare_stored_distributions();
    const Recounter recounter = chosen();
    Recount recount(recounter, result_.layout.bins, runs_);
    found_.method = recount.method();
    const auto start = std::chrono::steady_clock::now();
    double work = 0.0;  // of the blocks recounted so far
    for (const std::uint64_t number : order_) {
      const BlockCounts& block = result_.blocks[number];
      const double elapsed = seconds_since(start);
      const double expected =
          work > 0.0 ? elapsed * (work + work_of(block)) / work : elapsed;
      if (options_.seconds && !found_.sample.empty() && expected > *options_.seconds) {
        break;
      }
      add_block(block, recount);
      work += work_of(block);
    }
    found_.seconds = seconds_since(start);
    return std::move(found_);
  }

 private:
  void describe() {
    found_.result = result_.path;
    found_.id = io::value_of(result_.record, io::result_id).value_or("");
    found_.partial = result_.state == io::ResultState::partial;
    found_.blocks = result_.blocks.size();
    for (const BlockCounts& block : result_.blocks) {
      found_.frames += block.frames;
    }
    found_.species_pairs = result_.layout.pairs.size();
    found_.seed = options_.seed;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      add_unless_known(found_.counted_by, counted_by(runs_[k]));
      for (const ComparedFile& file : recorded_[k].trajectories) {
        add_unless_known(found_.trajectories, std::pair{file.path, file.state});
      }
    }
  }

  void compare_stored_distributions() {
    found_.distribution_values = io::compare_distributions(
        result_, options_.external,
        [&](const std::string& place, double stored, double expected) {
          found_.differences.add({std::nullopt, "g(r), " + place, number_text(stored),
                                  number_text(expected)});
        });
  }

  template <class Value>
  static void add_unless_known(std::vector<Value>& values, const Value& value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
      values.push_back(value);
    }
  }

  static std::string counted_by(const CountedRun& run) {
    std::string text = "starhist " + run.recorded("version") + ", kernel " +
                       run.recorded("cpu variant");
    for (const auto& [name, value] : run.record) {
      text += name.starts_with("GPU ") ? ", " + value : "";
    }
    return text;
  }

  std::size_t run_of(const BlockCounts& block) const {
    const auto found =
        std::find_if(runs_.begin(), runs_.end(), [&](const CountedRun& run) {
          return block.index.get() >= run.begin && block.index.get() < run.end;
        });
    return static_cast<std::size_t>(found - runs_.begin());
  }

  /// The trajectory of a run. Few stay open, because a result may have thousands.
  ReopenedRun& opened(std::size_t run) {
    constexpr std::size_t most_open = 16;
    auto found = opened_.find(run);
    if (found == opened_.end()) {
      if (opened_.size() == most_open) {
        opened_.clear();
      }
      found =
          opened_
              .emplace(run, std::make_unique<ReopenedRun>(runs_[run], recorded_[run]))
              .first;
    }
    return *found->second;
  }

  /// Chooses the recounter if the user has not, and reports a recount that takes longer
  /// than the time limit.
  Recounter chosen() {
    if (options_.recounter == Recounter::cpu || options_.recounter == Recounter::gpu) {
      return options_.recounter;
    }
    const BlockCounts& first = result_.blocks[order_.front()];
    ReopenedRun& run = opened(run_of(first));
    double speed = 0.0;
    try {
      speed = definition_speed(run.layout(), run.read(first.first_frame));
    } catch (const InputError&) {
      return Recounter::definition;  // the recount reports the unusable frame
    }
    constexpr double usual_limit = 60.0;
    const double limit = options_.seconds.value_or(usual_limit);
    double work = work_of(first);
    if (!options_.seconds) {
      work = std::accumulate(order_.begin(), order_.end(), 0.0,
                             [&](double sum, std::uint64_t block) {
                               return sum + work_of(result_.blocks[block]);
                             });
    }
    if (speed == 0.0 || work <= limit * speed) {
      return Recounter::definition;
    }
    if (options_.recounter == Recounter::automatic && has_other_variant(runs_)) {
      return Recounter::cpu;
    }
    std::cerr << "starhist: with the definition "
              << (options_.seconds ? "one block takes" : "these blocks take")
              << " about " << grouped(static_cast<std::uint64_t>(work / speed))
              << " s (--with cpu is faster)\n";
    return Recounter::definition;
  }

  void add_block(const BlockCounts& block, Recount& recount) {
    found_.sample.insert(block.index.get());
    found_.frames_read += block.frames;
    found_.pairs +=
        std::accumulate(block.pairs.begin(), block.pairs.end(), std::uint64_t{0});
    found_.without_checksum += static_cast<std::uint64_t>(
        std::count_if(block.counted.begin(), block.counted.end(),
                      [](const CountedFrame& frame) { return frame.checksum == 0; }));
    ReopenedRun& run = opened(run_of(block));
    try {
      found_.numbers += compare_blocks(result_.layout, block, recount.count(block, run),
                                       run.species(), found_.differences);
    } catch (const InputError& error) {
      found_.differences.add({block.index.get(), "frames", "counted", error.what()});
    }
  }

  const VerifyOptions& options_;
  const io::ResultFile& result_;
  const std::vector<CountedRun>& runs_;
  const std::vector<RecordedRun>& recorded_;
  std::vector<std::uint64_t> order_;  ///< blocks to recount
  std::map<std::size_t, std::unique_ptr<ReopenedRun>> opened_;
  Verification found_;
};

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
          .summary = "recount blocks of a result and compare every number",
          .synopsis = "RESULT.h5 [options]",
          .description =
              R"(Reads random blocks of frames of a result again, counts them with the
definition or with another kernel than the one that made the result, and
compares every integer, and the stored g(r) with all counts. Checks first that
the trajectory is the one that was counted (checksums of files and frames) and
that the counts of each block and pair add up.
Particles, pairs, exclusions, boxes and bins are those that the result records.
Prints each difference with block, pair, bin and both counts.
Results of merge and of parts, and the OUT.h5.partial of a killed run, are
verified in the same way; results of vanhove are not supported.)",
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
  std::vector<io::ResultFile> results;
  results.push_back(read_verifiable(options));
  const std::vector<CountedRun> runs = counted_runs(results);
  const std::vector<RecordedRun> recorded = recorded_runs(runs, options.moved);
  check_frames_known(results.front());
  if (!options.report.empty()) {
    check_report_path(options, results.front(), recorded);
  }
  const Verification found =
      Verifier(options, results.front(), runs, recorded).verify();
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
