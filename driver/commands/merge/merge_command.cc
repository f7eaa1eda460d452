#include <algorithm>
#include <cmath>
#include <iostream>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/merge/merge_kinds.hh"
#include "driver/commands/merge/mergeable_layouts.hh"
#include "driver/commands/merge/merged_results.hh"
#include "driver/commands/merge/rearrange.hh"
#include "driver/commands/result_input.hh"
#include "driver/options/manual.hh"
#include "driver/options/output_option.hh"
#include "driver/options/trajectory_options.hh"
#include "io/files/file_signature.hh"
#include "io/output/result_writer.hh"
#include "io/result/coordination_result.hh"
#include "io/result/lag_result.hh"
#include "io/result/passed_on_reader.hh"

namespace starhist::driver {
namespace {

/// Warns of results whose mean numbers of particles of a species differ by more than a
/// tenth: they may be of different systems. "" otherwise. Throws InputError if only one
/// has volumes.
std::string other_system_sentence(const io::ResultFile& a, const io::ResultFile& b) {
  if (a.blocks.empty() || b.blocks.empty()) {
    return "";
  }
  const BlockCounts all_a = total(a.blocks);
  const BlockCounts all_b = total(b.blocks);
  if ((all_a.volume > 0.0) != (all_b.volume > 0.0)) {
    throw InputError("results with and without periodic boxes cannot be merged: " +
                     (all_a.volume > 0.0 ? b : a).path +
                     " has no volume, so it was counted with open boundaries (count "
                     "both with the same --box and --open)");
  }
  const auto warning = [&](double sum_a, double sum_b, const std::string& before,
                           const std::string& after) {
    constexpr double most_different = 0.1;
    const double of_a = sum_a / all_a.frames;
    const double of_b = sum_b / all_b.frames;
    return std::abs(of_a - of_b) > most_different * std::max(of_a, of_b)
               ? "starhist: " + a.path + " has " + before + rounded_text(of_a) + after +
                     " per frame, " + b.path + " has " + rounded_text(of_b) +
                     ": if they are of different systems, the merged g(r) describes "
                     "neither\n"
               : "";
  };
  for (std::size_t s = 0; s < a.layout.species.size(); ++s) {
    std::string text = warning(static_cast<double>(all_a.particle_number[s]),
                               static_cast<double>(all_b.particle_number[s]), "",
                               " " + a.layout.species[s]);
    if (!text.empty()) {
      return text;
    }
  }
  const std::string& unit = a.layout.length_unit;
  return warning(all_a.volume, all_b.volume, "a volume of ",
                 unit.empty() ? "" : " " + unit + "^3");
}

/// Writes the passed-on data of the results' blocks, if all results have them.
void pass_on(const std::vector<io::ResultFile>& results, io::ExternalFiles external,
             io::ResultWriter& writer) {
  std::vector<io::PassedOnReader> readers;
  for (const io::ResultFile& result : results) {
    readers.emplace_back(result, external);
    if (readers.back().empty()) {
      return;
    }
  }
  for (std::size_t k = 0; k < results.size(); ++k) {
    for (std::uint64_t block = 0; block < results[k].blocks.size(); ++block) {
      writer.pass_on(readers[k].block(block));
    }
  }
}

/// `units`: for results that do not record theirs.
std::vector<io::ResultFile> read_results(const std::vector<std::string>& paths,
                                         io::ExternalFiles external,
                                         const io::ShownUnits& units) {
  std::vector<io::ResultFile> results;
  for (const std::string& path : paths) {
    results.push_back(read_result_input(path, external));
    io::set_units(results.back(), units);
  }
  agree_in_species(results);
  for (std::size_t n = 0; n < results.size(); ++n) {
    agree_in_order(results.front().layout, results[n]);
    const io::ResultFile& last = results[n];
    check_same_layout(results.front(), last);
    report_unfinished(last);
    std::cerr << other_system_sentence(results.front(), last);
  }
  return results;
}

}  // namespace

Manual merge_manual() {
  return {
      .command = "merge",
      .summary = "merge the blocks of several results into one file",
      .synopsis = "RESULT.h5 RESULT.h5 ... -o ALL.h5 [options]",
      .description =
          R"(Merges the blocks of several results into one file, in the order given: parts of
a trajectory that different jobs counted, or independent runs. Results of one
trajectory are sorted by their frames. The results must
agree in species, pairs, exclusion, bins, units and rules evaluated in each
frame; results of one trajectory also in box and selection. They must not share
frames, which are recognized by their content. Missing parts of --part and
frames missing between parts set exit code 3.
Results of vanhove must also agree in lags; pairs of frames from two results are
counted only in parts of --part. Results of coordination must also agree in
cut-offs; neighbours per frame and per particle are kept if all results record
them.
For a killed run, give its partial file: OUT.h5.partial.)",
      .options = {{OptionGroup::output,
                   "output,o",
                   "FILE",
                   "merged result file (HDF5)",
                   {.path = io::PathUse::grown}},
                  {OptionGroup::output, "force,f", "",
                   "replace an existing FILE and the FILE.partial of an earlier run"},
                  {OptionGroup::output,
                   "repeated",
                   "WHAT",
                   "frames that occur in several results: fail, or keep them (they "
                   "count twice)",
                   {.fallback = "fail", .choices = {"fail", "keep"}}},
                  unit_option(),
                  time_unit_option(),
                  allow_external_option()},
      .sections = {{"example",
                    R"(  starhist rdf traj.h5 --last 999 ... -o a.h5    # two jobs
  starhist rdf traj.h5 --first 1000 ... -o b.h5
  starhist merge a.h5 b.h5 -o all.h5
  starhist rdf traj.h5 --part 1/8 ... -o part1.h5    # one of eight jobs
  starhist merge part?.h5 -o all.h5
)"}},
      .elsewhere = {out_unit_elsewhere("a result")}};
}

ExitCode run_merge(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto given = parse_unless_help(merge_manual(), arguments, problems);
  if (!given) {
    return ExitCode::done;
  }
  const ParsedOptions& parsed = *given;
  if (parsed.positional.size() < 2) {
    problems.add("give two or more result files, not " +
                 std::to_string(parsed.positional.size()) + " (starhist merge " +
                 merge_manual().synopsis + ")");
  }
  const std::string output = parsed.get("output");
  if (output.empty()) {
    problems.add("--output is missing (-o ALL.h5)");
  }
  check_result_name(output, problems);
  io::RepeatedFrames repeated = io::RepeatedFrames::fail;
  problems.collect(
      [&] { repeated = io::parse_repeated_frames(parsed.get("repeated")); });
  io::ShownUnits units;
  problems.collect([&] { units = shown_units(parsed); });
  problems.throw_if_any("merge");
  for (const std::string& path : parsed.positional) {
    io::check_is_file(path);
  }

  const auto lagged = std::count_if(
      parsed.positional.begin(), parsed.positional.end(), [&](const std::string& path) {
        return io::is_lag_result(path, external_files(parsed));
      });
  if (lagged == static_cast<std::ptrdiff_t>(parsed.positional.size())) {
    return merge_lag_results(parsed, units, repeated);
  }
  const auto of_neighbours = std::count_if(
      parsed.positional.begin(), parsed.positional.end(), [&](const std::string& path) {
        return io::is_coordination_result(path, external_files(parsed));
      });
  if (of_neighbours == static_cast<std::ptrdiff_t>(parsed.positional.size())) {
    return merge_neighbours(parsed, units, repeated);
  }
  if (of_neighbours > 0) {
    throw InputError(
        "results of starhist coordination and of other commands cannot be merged (" +
        std::to_string(of_neighbours) + " of " +
        std::to_string(parsed.positional.size()) +
        " are of coordination): merge them separately");
  }
  if (lagged > 0) {
    throw InputError(
        "results of starhist vanhove and of starhist rdf cannot be merged (" +
        std::to_string(lagged) + " of " + std::to_string(parsed.positional.size()) +
        " are of vanhove): merge them separately");
  }
  std::vector<io::ResultFile> results =
      read_results(parsed.positional, external_files(parsed), units);
  rearrange(results, order_of_frames(results));
  const std::vector<std::string> absent = check_frames(results, repeated);
  report_empty_selections(results);
  for (const io::ResultFile& result : results) {
    check_external_conflicts(merge_manual(), parsed, result.external_files);
  }
  HistogramLayout layout = results.front().layout;
  layout.elements = common_elements(results);
  io::ResultWriter writer(output, layout, make_record(results, absent),
                          parsed.has("force"), results.front().edge_shift);
  const std::string from = trajectories_text(results);
  std::uint64_t blocks = 0;
  std::uint64_t frames = 0;
  for (io::ResultFile& result : results) {
    for (BlockCounts& block : result.blocks) {
      block.index = BlockIndex(blocks++);
      frames += block.frames;
      writer.append(block);
    }
  }
  pass_on(results, external_files(parsed), writer);
  writer.finish({});
  std::cerr << output << ": " << counted(frames, "frame") << " in "
            << counted(blocks, "block") << from << '\n';
  return code_of(absent);
}

}  // namespace starhist::driver
