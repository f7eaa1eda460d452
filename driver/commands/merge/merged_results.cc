#include "driver/commands/merge/merged_results.hh"

#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/merge/missing_frames.hh"
#include "driver/commands/merge/same_settings.hh"
#include "driver/commands/merge/shared_frames.hh"
#include "driver/report/summary_text.hh"
#include "driver/run/run_checks.hh"
#include "driver/run/version.hh"
#include "io/export/export_columns.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/read_from.hh"
#include "io/result/external_record.hh"

namespace starhist::driver {

std::vector<std::size_t> order_of_frames(const std::vector<io::ResultFile>& results) {
  using Key = std::pair<std::size_t, std::uint64_t>;
  std::map<std::size_t, std::size_t> place;  // of a trajectory
  std::map<const io::ResultFile*, Key> keys;
  for (const CountedRun& run : counted_runs(results)) {
    const std::size_t of_result =
        place.emplace(run.trajectory, place.size()).first->second;
    const std::vector<std::uint64_t> frames = run.frame_numbers();
    keys.emplace(run.result, Key{of_result, frames.empty() ? 0 : frames.front()});
  }
  std::vector<std::size_t> order(results.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return keys[&results[a]] < keys[&results[b]];
  });
  return order;
}

std::string trajectories_text(const std::vector<io::ResultFile>& results) {
  std::set<std::size_t> trajectories;
  for (const CountedRun& run : counted_runs(results)) {
    trajectories.insert(run.trajectory);
  }
  return trajectories.size() < 2
             ? ""
             : " of " + std::to_string(trajectories.size()) + " trajectories";
}

std::vector<std::string> check_frames(const std::vector<io::ResultFile>& results,
                                      io::RepeatedFrames repeated) {
  const std::vector<CountedRun> runs = counted_runs(results);
  check_same_settings(runs);
  std::set<std::string> reported;
  for (const io::ResultFile& result : results) {
    if (!reported.insert(result.path).second) {
      continue;  // given twice
    }
    if (std::any_of(runs.begin(), runs.end(), [&](const CountedRun& run) {
          return run.result == &result && !run.has_checksums;
        })) {
      std::cerr
          << "starhist: " << result.path
          << " has no frame checksums (as results of the C library and of old "
             "versions): frames that it shares with another result are recognized "
             "only if both read the same file, or have identical blocks\n";
    }
  }
  const std::string shared = shared_frame(runs);
  if (!shared.empty() && repeated == io::RepeatedFrames::fail) {
    throw InputError(
        shared +
        " would count twice: give each result once, and only results that share "
        "no frames (see starhist rdf --first, --last, --part); starhist merge "
        "--repeated keep counts shared frames twice");
  }
  if (!shared.empty()) {
    std::cerr << "starhist: " << shared << " counts twice\n";
  }
  if (const std::string similar = shared.empty() ? similar_frame(runs) : "";
      !similar.empty()) {
    std::cerr << "starhist: warning: " << similar << '\n';
  }
  MissingFrames missing = missing_frames(runs);
  for (const std::string& message : missing.messages) {
    std::cerr << "starhist: " << message << '\n';
  }
  return std::move(missing.parts);
}

void report_empty_selections(const std::vector<io::ResultFile>& results) {
  const HistogramLayout& layout = results.front().layout;
  std::vector<std::uint64_t> empty(layout.selections.size());
  std::uint64_t frames = 0;
  for (const io::ResultFile& result : results) {
    for (const BlockCounts& block : result.blocks) {
      frames += block.frames;
      for (std::size_t s = 0; s < empty.size(); ++s) {
        empty[s] += block.empty_frames[s];
      }
    }
  }
  check_selections(layout, empty, frames);
  for (const auto& [species, without] : empty_selections(layout, empty)) {
    std::cerr << "starhist: " << empty_selection_sentence(species, without, frames)
              << '\n';
  }
}

io::RunRecord make_record(const std::vector<io::ResultFile>& results,
                          const std::vector<std::string>& missing) {
  io::RunRecord record{{"program", "starhist merge"}, {"version", version()}};
  if (!missing.empty()) {
    record.emplace_back(io::missing_parts_entry, join(missing, "; "));
  }
  for (std::size_t k = 0; k < results.size(); ++k) {
    const std::string name = "result " + std::to_string(k + 1);
    record.emplace_back(name, results[k].path);
    record.emplace_back(name + merged_blocks, std::to_string(results[k].blocks.size()));
    io::add_external_files(results[k].external_files, name + " ", record);
    for (const auto& [key, value] : results[k].record) {
      record.emplace_back(name + " " + key, value);
    }
  }
  return record;
}

ExitCode code_of(const std::vector<std::string>& missing_parts) {
  return missing_parts.empty() ? ExitCode::done : ExitCode::frames_left_out;
}

void report_unfinished(const io::ResultFile& result) {
  if (result.state == io::ResultState::partial) {
    std::cerr << "starhist: " << result.path << " is from an unfinished run: its "
              << counted(result.blocks.size(), "block")
              << (result.blocks.size() == 1 ? " is" : " are") << " merged\n";
  }
}

std::vector<SpeciesElement> common_elements(
    const std::vector<io::ResultFile>& results) {
  std::vector<SpeciesElement> common;
  const HistogramLayout& first = results.front().layout;
  for (std::size_t s = 0; s < first.species.size(); ++s) {
    SpeciesElement element = io::element_of(first, s);
    std::string without;
    bool any = false;
    for (const io::ResultFile& result : results) {
      const SpeciesElement own = io::element_of(result.layout, s);
      any = any || !own.element.empty();
      without = own.element.empty() ? result.path : without;
      io::add_phrase(own.source, element.source);
    }
    if (any && !without.empty()) {
      std::cerr << "starhist: " << without << " does not record the element of "
                << first.species[s]
                << ", so the merged result does not either (give it to starhist "
                   "analyze with --element)\n";
      element = {};
    }
    common.push_back(element);
  }
  return common;
}

}  // namespace starhist::driver
