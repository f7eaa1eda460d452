#include "io/export/export_columns.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <ostream>

#include "codelets/core/analysis/block_length.hh"
#include "codelets/core/analysis/shell_volumes.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

PairId find_pair(const ResultFile& result, const SpeciesPair& wanted) {
  const auto& pairs = result.layout.pairs;
  const auto found = std::find(pairs.begin(), pairs.end(), wanted);
  if (found == pairs.end()) {
    std::vector<std::string> names;
    for (const SpeciesPair& pair : pairs) {
      names.push_back(pair_name(pair, result.layout.species));
    }
    throw InputError("pair " + pair_name(wanted, result.layout.species) +
                     " was not counted in " + result.path + " (it has " +
                     listed(names) + ")");
  }
  return PairId(static_cast<std::uint32_t>(found - pairs.begin()));
}

}  // namespace

ExportFact number_fact(const std::string& name, const std::string& value) {
  return {name, value, ExportFact::Kind::number};
}

ExportFact number_fact(const std::string& name, double value) {
  return number_fact(name, std::isfinite(value) ? number_text(value) : "null");
}

ExportFact time_unit_fact(const HistogramLayout& layout) {
  return {"time_unit", layout.time_unit.empty() ? "unknown" : layout.time_unit};
}

ExportColumn real_column(const std::string& name, std::vector<double> values) {
  const auto shared = std::make_shared<std::vector<double>>(std::move(values));
  return {name, [shared](std::uint32_t k) {
            const double value = (*shared)[k];
            return std::isfinite(value) ? number_text(value) : std::string();
          }};
}

ExportColumn time_column(std::vector<double> times) {
  const auto shared = std::make_shared<std::vector<double>>(std::move(times));
  return {"time", [shared](std::uint32_t k) {
            const double time = (*shared)[k];
            return std::isfinite(time) ? single_text(time) : std::string();
          }};
}

ExportColumn count_column(const std::string& name, std::vector<std::uint64_t> values) {
  const auto shared = std::make_shared<std::vector<std::uint64_t>>(std::move(values));
  return {name, [shared](std::uint32_t k) { return std::to_string((*shared)[k]); }};
}

std::string error_name(const std::string& curve) {
  return curve + " standard error";
}

FrameRange frame_range(const std::vector<BlockCounts>& blocks) {
  FrameRange range{blocks.front().first_frame.get(), blocks.front().last_frame.get()};
  for (const BlockCounts& block : blocks) {
    range.first = std::min(range.first, block.first_frame.get());
    range.last = std::max(range.last, block.last_frame.get());
  }
  return range;
}

std::vector<std::string> recorded_warnings(const RunRecord& record) {
  std::vector<std::string> warnings;
  for (const auto& [name, text] : record) {
    const std::string last = name.substr(0, name.find_last_not_of("0123456789") + 1);
    const bool is_warning =
        last == warning_entry || (name.starts_with("result ") &&
                                  last.ends_with(" " + std::string(warning_entry)));
    if (is_warning &&
        std::find(warnings.begin(), warnings.end(), text) == warnings.end()) {
      warnings.push_back(text);
    }
  }
  return warnings;
}

std::vector<ExportFact> source_facts(const ResultFile& result,
                                     const std::string& quantity) {
  const std::string& unit = result.layout.length_unit;
  const UniformBins bins = result.layout.bins;
  std::uint64_t frames = 0;
  for (const BlockCounts& block : result.blocks) {
    frames += block.frames;
  }
  const FrameRange range = frame_range(result.blocks);
  std::vector<ExportFact> facts = {
      {"quantity", quantity},
      {"source", result.path},
      {"length_unit", unit.empty() ? "unknown" : unit},
      number_fact("r_max", bins.r_max),
      number_fact("bin_count", std::to_string(bins.count)),
      number_fact("frames", std::to_string(frames)),
      number_fact("first_frame", std::to_string(range.first)),
      number_fact("last_frame", std::to_string(range.last))};
  if (result.state == ResultState::partial) {
    facts.push_back({"state", "partial"});
  }
  if (const auto missing = value_of(result.record, missing_parts_entry)) {
    facts.push_back({"missing_parts", *missing});
  }
  const std::vector<std::string> warnings = recorded_warnings(result.record);
  if (!warnings.empty()) {
    const std::size_t more = warnings.size() - 1;
    facts.push_back(
        {"warning",
         warnings.front() + (more == 0 ? ""
                                       : "; and " + std::to_string(more) +
                                             " more (starhist info lists all)")});
  }
  if (bins.below > 0) {
    facts.push_back(number_fact("r_min", bins.r_min()));
  }
  if (!bins.uniform()) {
    facts.push_back({"bins", "edges"});
  }
  if (result.layout.exclusion != Exclusion::none) {
    facts.push_back({"excluded", to_string(result.layout.exclusion)});
  }
  if (result.layout.plane != Plane::none) {
    facts.push_back({"plane", to_string(result.layout.plane)});
  }
  const Region& region = result.layout.region;
  if (region.is_bounded()) {
    facts.push_back({"geometry", to_string(region.shape)});
    facts.push_back(number_fact("extent", region.size));
  } else if (region.shape == Region::Shape::volume) {
    facts.push_back({"geometry", to_string(region.shape)});
    facts.push_back(number_fact("volume", region.size));
  }
  return facts;
}

void check_in_space(const ResultFile& result, const std::string& quantity) {
  if (result.layout.plane != Plane::none) {
    throw InputError(result.path + ": has distances in the plane " +
                     to_string(result.layout.plane) + ", but " + quantity +
                     " is defined for distances in space: count without --plane");
  }
  const Region& region = result.layout.region;
  if (region.shape != Region::Shape::box) {
    throw InputError(result.path + ": g(r) has " + region_text(region) + ", but " +
                     quantity +
                     " is defined for boxes that are periodic along all axes: count "
                     "without --open, --volume and --geometry");
  }
}

void check_counted_from_zero(const ResultFile& result) {
  if (result.layout.bins.below > 0) {
    throw InputError(result.path + ": counts start at r = " +
                     number_text(result.layout.bins.r_min()) +
                     ", but counts from r = 0 are needed (count without --r-min)");
  }
}

void check_bins_of_equal_width(const ResultFile& result, const std::string& quantity) {
  if (!result.layout.bins.uniform()) {
    throw InputError(result.path + ": has " + std::to_string(result.layout.bins.count) +
                     " bins of unequal width, but " + quantity +
                     " needs bins of equal width: count with --bins N or --bin-width");
  }
}

void check_all_pairs_counted(const ResultFile& result) {
  const BlockCounts sum = total(result.blocks);
  for (std::size_t p = 0; p < result.layout.pairs.size(); ++p) {
    if (sum.excluded[p] > 0) {
      throw InputError(
          result.path + ": of " +
          pair_name(result.layout.pairs[p], result.layout.species) + " " +
          std::to_string(sum.excluded[p]) +
          " pairs were left out, but all are needed (count without --exclude-same, "
          "--only-same and species that share particles)");
    }
  }
}

void check_has_blocks(const ResultFile& result) {
  if (result.blocks.empty()) {
    throw InputError(result.path + " contains no block of frames yet");
  }
}

std::vector<PairId> find_pairs(const ResultFile& result,
                               const std::vector<SpeciesPair>& wanted) {
  std::vector<PairId> ids;
  if (wanted.empty()) {
    for (std::size_t pair = 0; pair < result.layout.pairs.size(); ++pair) {
      ids.emplace_back(static_cast<std::uint32_t>(pair));
    }
  }
  for (const SpeciesPair& pair : wanted) {
    ids.push_back(find_pair(result, pair));
  }
  return ids;
}

void check_blocks_for_errors(const ResultFile& result) {
  if (result.blocks.size() < 2) {
    throw InputError(result.path +
                     " contains one block, but errors need at least two (count with a "
                     "smaller --block, for some tens of blocks in all)");
  }
}

ExportFact errors_fact(std::size_t groups, std::size_t blocks) {
  return {"errors", "jackknife over " + std::to_string(groups) +
                        (groups == blocks ? " blocks" : " groups of blocks")};
}

void add_error_caveat(const ResultFile& result, const std::vector<SpeciesPair>& wanted,
                      ExportTable& table, std::vector<std::string>& notes) {
  const std::string caveat =
      analysis::error_caveat(result.layout, result.blocks, find_pairs(result, wanted));
  add_caveat("errors_caveat", caveat, table, notes);
}

void add_isotropic_caveat(const HistogramLayout& layout,
                          const std::vector<BlockCounts>& blocks, std::uint32_t end,
                          ExportTable& table, std::vector<std::string>& notes) {
  double half = std::numeric_limits<double>::infinity();
  bool has_boxes = true;
  for (const BlockCounts& block : blocks) {
    half = std::min(half, block.inscribed_radius);
    has_boxes = has_boxes && block.box;
  }
  const std::uint32_t whole = analysis::normalizable_bins(layout.bins, half);
  if (!has_boxes || layout.region.is_bounded() || whole >= end) {
    return;
  }
  const std::string r = decimal_text(layout.bins.edge(whole));
  const std::string caveat =
      "g(r) beyond r = " + r + unit_suffix(layout.length_unit) +
      ", half the box, is right only for isotropic systems such as liquids (the box "
      "contains only parts of these shells): for a crystal, repeat the cell before "
      "counting";
  add_caveat("isotropic_caveat", caveat, table, notes);
}

void add_caveat(const std::string& name, const std::string& caveat, ExportTable& table,
                std::vector<std::string>& notes) {
  if (!caveat.empty()) {
    table.facts.push_back({name, caveat});
    notes.push_back(caveat);
  }
}

void add_curve(ExportTable& table, const std::string& name, std::vector<double> values,
               std::vector<double> errors, bool with_errors) {
  table.curves.push_back(real_column(name, std::move(values)));
  if (with_errors) {
    table.curves.push_back(real_column(error_name(name), std::move(errors)));
  }
}

std::size_t find_name(std::span<const char* const> names, const std::string& name,
                      const std::string& problem, const std::string& end) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw InputError(problem + join({names.begin(), names.end()}, ", ") + end);
  }
  return static_cast<std::size_t>(found - names.begin());
}

void check_written(std::ostream& out, const std::string& content) {
  if (!out.flush()) {
    throw RunError(content +
                   " could not be written completely (is the disk full?): make room, "
                   "or write to another disk");
  }
}

std::string with_unit(const std::string& symbol, const std::string& unit) {
  return unit.empty() ? symbol : symbol + " (" + unit + ")";
}

}  // namespace starhist::io
