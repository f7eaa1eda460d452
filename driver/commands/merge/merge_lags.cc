#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/counted_runs.hh"
#include "driver/commands/merge/lag_times.hh"
#include "driver/commands/merge/merge_kinds.hh"
#include "driver/commands/merge/mergeable_layouts.hh"
#include "driver/commands/merge/merged_results.hh"
#include "driver/commands/merge/rearrange.hh"
#include "driver/options/trajectory_options.hh"
#include "io/output/result_writer.hh"
#include "io/result/lag_result.hh"

namespace starhist::driver {
namespace {

/// Results of starhist vanhove. Throws InputError if they cannot be merged.
std::vector<io::LagResult> read_lag_results(const std::vector<std::string>& paths,
                                            io::ExternalFiles external,
                                            const io::ShownUnits& units) {
  std::vector<io::LagResult> results;
  for (const std::string& path : paths) {
    results.push_back(io::read_lag_result(path, external));
    io::set_units(results.back(), units);
    const io::LagResult& a = results.front();
    const io::LagResult& b = results.back();
    check_same_names("species", a.channels, a.layout.pairs.species, b.channels,
                     b.layout.pairs.species);
    if (a.layout.lags != b.layout.lags) {
      throw InputError(
          "results with different lags cannot be merged: " + a.channels.path + " and " +
          b.channels.path + " (give both the same --lags)");
    }
    check_same_layout(a.channels, b.channels);
    report_unfinished(b.channels);
  }
  return results;
}

}  // namespace

ExitCode merge_lag_results(const ParsedOptions& parsed, const io::ShownUnits& units,
                           io::RepeatedFrames repeated) {
  const std::string output = parsed.get("output");
  std::vector<io::LagResult> results =
      read_lag_results(parsed.positional, external_files(parsed), units);
  std::vector<io::ResultFile> channels;
  for (io::LagResult& result : results) {
    check_external_conflicts(merge_manual(), parsed, result.channels.external_files);
    channels.push_back(std::move(result.channels));
  }
  check_same_lag_times(results, channels, counted_runs(channels));
  const std::vector<std::size_t> order = order_of_frames(channels);
  rearrange(channels, order);
  rearrange(results, order);
  const std::vector<std::string> absent = check_frames(channels, repeated);
  const bool are_parts =
      std::all_of(channels.begin(), channels.end(), [](const io::ResultFile& result) {
        return io::value_of(result.record, "option --part").has_value();
      });
  const std::string from = trajectories_text(channels);
  LagLayout layout = results.front().layout;
  layout.pairs.elements = common_elements(channels);
  io::ResultWriter writer(output, layout, make_record(channels, absent),
                          parsed.has("force"), channels.front().edge_shift);
  std::uint64_t blocks = 0;
  std::uint64_t frames = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    for (std::size_t b = 0; b < channels[k].blocks.size(); ++b) {
      LaggedBlock block{std::move(channels[k].blocks[b]),
                        std::move(results[k].displacements[b])};
      block.pairs.index = BlockIndex(blocks++);
      frames += block.pairs.frames;
      writer.append(block);
    }
  }
  writer.finish({});
  std::cerr << output << ": " << counted(frames, "frame") << " in "
            << counted(blocks, "block") << from
            << (are_parts ? "" : "; without pairs of frames from two results") << '\n';
  return code_of(absent);
}

}  // namespace starhist::driver
