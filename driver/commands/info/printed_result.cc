#include "driver/commands/info/printed_result.hh"

#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>

#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/layout_text.hh"
#include "driver/commands/info/info_texts.hh"
#include "driver/report/record_lines.hh"
#include "driver/report/result_reports.hh"
#include "driver/report/trajectory_json.hh"
#include "driver/run/exclusions.hh"
#include "io/export/export_columns.hh"
#include "io/export/neighbours/coordination_table.hh"
#include "io/output/checkpoint.hh"
#include "io/output/output_lock.hh"
#include "io/result/result_reader.hh"

namespace starhist::driver {
namespace {

/// Largest number of pairs shown, the most frequent ones, unless all are requested.
constexpr std::size_t most_pairs = 20;

/// OUT of OUT.partial; empty for another name.
std::optional<std::string> output_of_partial(const std::string& path) {
  constexpr std::string_view suffix = ".partial";
  if (!path.ends_with(suffix)) {
    return std::nullopt;
  }
  return path.substr(0, path.size() - suffix.size());
}

/// Text on whether the run that writes a partial result is still active.
std::string partial_text(const std::string& path) {
  if (const auto output = output_of_partial(path)) {
    if (const auto holder = io::holder_of_output(*output)) {
      return ", partial (the run is in progress: " + *holder + ")";
    }
  }
  return ", partial (the run did not finish)";
}

/// Line about the checkpoint of OUT.partial; "" without one.
std::string checkpoint_text(const io::ResultFile& result) {
  const auto output = output_of_partial(result.path);
  const std::string file = io::checkpoint_of(output.value_or(""));
  std::error_code ignored;
  if (!output || !std::filesystem::exists(file, ignored)) {
    return "";
  }
  const std::string id = io::value_of(result.record, io::result_id).value_or("");
  const std::optional<io::Checkpoint> found = io::read_checkpoint(*output, id);
  std::string what = "incomplete, or from another result; it is not used";
  if (found && found->blocks_before != result.blocks.size()) {
    what = "from a block that is already in this file";
  } else if (found) {
    what = counted(found->block.frames, "frame") +
           " of an unfinished block, up to frame " +
           std::to_string(found->block.last_frame.get()) +
           " (starhist rdf --resume continues after it)";
  }
  return "checkpoint   " + file + ": " + what + '\n';
}

/// Prints a line for each pair of a result, with its numbers of pairs in and out of
/// range.
void print_pairs(const HistogramLayout& layout, const BlockCounts& sum, bool all) {
  const std::vector<double> numbers(sum.pairs.begin(), sum.pairs.end());
  const std::size_t most = all ? numbers.size() : most_pairs;
  const char* label = "pairs        ";
  if (numbers.size() > most) {
    std::cout << label << grouped(numbers.size()) << "; the most frequent"
              << " (--all lists all):\n";
    label = "             ";
  }
  for (const std::size_t p : largest(numbers, most)) {
    std::cout << label << pair_name(layout.pairs[p], layout.species) << ": "
              << grouped(sum.pairs[p]) << ", of these " << grouped(sum.out_of_range[p])
              << " beyond r_max";
    if (layout.bins.below > 0) {
      std::cout << ", " << grouped(sum.underflow[p]) << " below the first bin";
    }
    const std::string excluded = exclusion_sentence(layout.exclusion, sum.excluded[p]);
    std::cout << (excluded.empty() ? "" : "; " + excluded) << '\n';
    label = "             ";
  }
}

/// Prints the rules that are evaluated in each frame, and in how many frames they are
/// empty.
void print_selections(const HistogramLayout& layout, const BlockCounts& sum) {
  for (std::size_t s = 0; s < layout.selections.size(); ++s) {
    if (!layout.selections[s].empty()) {
      std::cout << "selection    " << layout.species[s] << " = " << layout.selections[s]
                << " (evaluated in each frame"
                << (sum.empty_frames[s] == 0
                        ? ""
                        : "; empty in " + counted(sum.empty_frames[s], "frame"))
                << ")\n";
    }
  }
}

void print_pair_result(const io::ResultFile& result, bool all) {
  std::cout << result.path << ": starhist result"
            << (result.state == io::ResultState::partial ? partial_text(result.path)
                                                         : "")
            << '\n';
  const HistogramLayout& layout = result.layout;
  const std::string unit = unit_suffix(layout.length_unit);
  std::cout << "species      "
            << (all ? join(layout.species, ", ") : listed(layout.species, most_species))
            << elements_text(layout.species, layout.elements) << "\nbins         "
            << layout.bins.count
            << (layout.bins.uniform() ? " of " + six_digits(layout.bins.width()) + unit
                                      : std::string(" of unequal width"))
            << (layout.bins.below > 0
                    ? " from " + number_text(layout.bins.r_min()) + unit
                    : "")
            << " up to " << number_text(layout.bins.r_max) << unit
            << (result.edge_shift == 0.0
                    ? ", counted by an older version, which assigned distances "
                      "within a billionth of a bin below an edge to the lower bin"
                    : "");
  if (layout.plane != Plane::none) {
    std::cout << "\nplane        " << to_string(layout.plane)
              << " (distances in the plane; g(r) by areas)";
  }
  if (layout.second) {
    std::cout << "\nsecond axis  " << second_axis_text(layout.second)
              << " (starhist export --quantity axis2)";
  }
  if (layout.region.shape != Region::Shape::box) {
    std::cout << "\nvolume       g(r) has " << region_text(layout.region) << unit
              << (layout.region.shape == Region::Shape::volume && !unit.empty() ? "^3"
                                                                                : "");
  }
  std::cout << external_text(result.external_files);
  std::cout << "\nblocks       " << result.blocks.size() << '\n';
  if (result.damaged) {
    std::cout << "lost blocks  all after these: the file is damaged\n";
  }
  std::cout << checkpoint_text(result);
  if (result.blocks.empty()) {
    return;
  }
  const BlockCounts sum = total(result.blocks);
  const io::FrameRange range = io::frame_range(result.blocks);
  std::cout << "frames       " << sum.frames << " (" << range.first << " to "
            << range.last << ")\n";
  print_selections(layout, sum);
  print_pairs(layout, sum, all);
  for (const auto& [name, value] : result.record) {
    std::cout << record_line(name, value);
  }
}

}  // namespace

void print_result(const std::string& path, io::ExternalFiles external,
                  const io::ShownUnits& units, bool as_json, bool all) {
  if (io::is_lag_result(path, external)) {
    io::LagResult lagged = io::read_lag_result(path, external);
    io::set_units(lagged, units);
    if (as_json) {
      std::cout << result_json(lagged.channels, "vanhove");
      return;
    }
    const bool partial = lagged.channels.state == io::ResultState::partial;
    std::cout << lag_result_text(lagged, partial ? partial_text(path) : "");
    return;
  }
  if (io::is_coordination_result(path, external)) {
    auto neighbours = io::read_coordination_result(path, external);
    io::set_units(neighbours, units);
    if (as_json) {
      std::cout << result_json(neighbours.file, "coordination");
      return;
    }
    const bool partial = neighbours.file.state == io::ResultState::partial;
    std::cout << coordination_text(neighbours, partial ? partial_text(path) : "");
    return;
  }
  io::ResultFile result = io::read_result(path, external);
  io::set_units(result, units);
  if (as_json) {
    std::cout << result_json(result, "rdf");
    return;
  }
  print_pair_result(result, all);
}

}  // namespace starhist::driver
