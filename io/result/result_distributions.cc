#include "io/result/result_distributions.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "codelets/core/analysis/radial_distribution.hh"
#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/result/result_contents.hh"
#include "io/result/result_layout.hh"
#include "io/result/stored_distributions.hh"

namespace starhist::io {
namespace {

/// Returns an unused link name for the label: '/' becomes '_', and '_' is appended
/// while the name exists. Two pairs may have the same label ("A-B" with "C", and "A"
/// with "B-C").
std::string free_name(hid_t parent, std::string label) {
  std::replace(label.begin(), label.end(), '/', '_');
  while (hdf5_exists(parent, label)) {
    label += "_";
  }
  return label;
}

std::vector<double> bin_centres(const UniformBins& bins, std::uint32_t count) {
  std::vector<double> centres(count);
  for (std::uint32_t k = 0; k < count; ++k) {
    centres[k] = analysis::bin_centre(bins, k);
  }
  return centres;
}

constexpr auto normalization = analysis::Normalization::pairs_over_volume;

/// g(r) of all frames of a run, per pair.
struct Distributions {
  const HistogramLayout& layout;
  const std::vector<BlockCounts>& total;  ///< a single block
  const analysis::ShellVolumes& shells;

  std::string label(PairId pair) const {
    return pair_name(layout.pairs[pair.index()], layout.species);
  }
  std::vector<double> g(PairId pair) const {
    auto values =
        analysis::radial_distribution(layout, total, shells, pair, normalization);
    values.resize(shells.defined());
    return values;
  }
  /// Returns the pairs that occur in at least one frame.
  std::vector<PairId> pairs() const {
    std::vector<PairId> pairs;
    for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
      if (total.front().pairs[p] > 0) {
        pairs.emplace_back(p);
      }
    }
    return pairs;
  }
};

void write_frame(hid_t group, const std::string& name, FrameIndex frame) {
  write_hdf5_numbers<std::uint64_t>(group, name, {frame.get()}, {});
}

/// Datasets that are equal for all pairs and stored only once: thousands of pairs would
/// need tens of thousands of small writes.
constexpr std::array shared_names{"type", "n_bins", "bins", "frame_start", "frame_end"};

void write_shared(hid_t group, const HistogramLayout& layout, const BlockCounts& total,
                  std::uint32_t defined) {
  write_hdf5_text(group, "type", "atomic");
  write_hdf5_numbers<std::uint32_t>(group, "n_bins", {defined}, {});
  const Hdf5Object bins =
      write_hdf5_numbers(group, "bins", bin_centres(layout.bins, defined), {defined});
  write_hdf5_unit(bins.get(), layout.length_unit);
  write_frame(group, "frame_start", total.first_frame);
  write_frame(group, "frame_end", total.last_frame);
}

void write_attributes(hid_t group) {
  write_hdf5_attribute(group, "type", std::string("ensemble_average"));
  write_hdf5_attribute(group, "normalization", to_string(normalization));
}

/// Writes one group per pair.
void write_groups(hid_t all, const Distributions& distributions) {
  std::optional<Hdf5Object> first;
  for (const PairId pair : distributions.pairs()) {
    const std::string label = distributions.label(pair);
    const std::vector<double> g = distributions.g(pair);
    Hdf5Object group = create_hdf5_group(all, free_name(all, label));
    write_attributes(group.get());
    write_hdf5_text(group.get(), "label", label);
    write_hdf5_numbers(group.get(), "value", g, {g.size()});
    if (first) {
      for (const char* name : shared_names) {
        link_hdf5_object(first->get(), name, group.get());
      }
    } else {
      write_shared(group.get(), distributions.layout, distributions.total.front(),
                   distributions.shells.defined());
      first = std::move(group);
    }
  }
}

/// Writes a table with one row per pair.
void write_table(hid_t all, const Distributions& distributions) {
  const Hdf5Object group = create_hdf5_group(all, result_layout::distribution_table);
  write_attributes(group.get());
  const std::uint32_t defined = distributions.shells.defined();
  write_shared(group.get(), distributions.layout, distributions.total.front(), defined);
  const std::vector<PairId> pairs = distributions.pairs();
  std::vector<std::string> labels;
  for (const PairId pair : pairs) {
    labels.push_back(distributions.label(pair));
  }
  write_hdf5_strings(group.get(), "label", labels);
  const Hdf5Object value = create_hdf5_dataset(
      group.get(), "value", hdf5_type<double>(), {pairs.size(), defined});
  constexpr std::size_t numbers_together = std::size_t{1} << 20U;  // 8 MiB
  std::vector<double> rows;
  std::size_t first = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::vector<double> g = distributions.g(pairs[k]);
    rows.insert(rows.end(), g.begin(), g.end());
    if (rows.size() + defined > numbers_together || k + 1 == pairs.size()) {
      write_hdf5_part(value.get(), {first, 0}, {k + 1 - first, defined}, rows);
      rows.clear();
      first = k + 1;
    }
  }
}

/// Compares stored values of g(r) with expected ones.
class StoredDistributions {
 public:
  StoredDistributions(Distributions expected, const DistributionSink& sink)
      : expected_(expected), sink_(sink) {}

  std::uint64_t compare(hid_t all) {
    const bool is_table =
        expected_.layout.pairs.size() > result_layout::most_distribution_groups;
    std::vector<double> table;
    if (is_table) {
      table = read(all, result_layout::distribution_table);
    }
    std::set<std::string> names;  // like free_name()
    std::size_t row = 0;
    for (const PairId pair : expected_.pairs()) {
      const std::string label = expected_.label(pair);
      std::string name = label;
      std::replace(name.begin(), name.end(), '/', '_');
      while (!is_table && !names.insert(name).second) {
        name += "_";
      }
      const std::vector<double> g = expected_.g(pair);
      const auto begin = static_cast<std::ptrdiff_t>(row * g.size());
      const auto end = begin + static_cast<std::ptrdiff_t>(g.size());
      if (!is_table) {
        compare(label, read(all, name), g);
      } else if (static_cast<std::size_t>(end) <= table.size()) {
        compare(label, {table.begin() + begin, table.begin() + end}, g);
      }
      ++row;
      if (row == 1) {
        const std::string first = is_table ? result_layout::distribution_table : name;
        compare("centres of bins", read(all, first, "bins"),
                bin_centres(expected_.layout.bins, expected_.shells.defined()));
      }
    }
    if (is_table) {
      compare_sizes("rows", table.size(), row * expected_.shells.defined());
    }
    return compared_;
  }

 private:
  static std::vector<double> read(hid_t all, const std::string& group,
                                  const std::string& dataset = "value") {
    return read_hdf5_numbers<double>(
        open_hdf5_dataset(all, group + "/" + dataset).get());
  }

  void compare_sizes(const std::string& label, std::size_t stored,
                     std::size_t expected) {
    if (stored != expected) {
      sink_(label + ", number of values", static_cast<double>(stored),
            static_cast<double>(expected));
    }
  }

  void compare(const std::string& label, const std::vector<double>& stored,
               const std::vector<double>& expected) {
    compare_sizes(label, stored.size(), expected.size());
    for (std::size_t k = 0; k < std::min(stored.size(), expected.size()); ++k) {
      ++compared_;
      const double size = std::max(std::abs(stored[k]), std::abs(expected[k]));
      if (!(std::abs(stored[k] - expected[k]) <= 1e-9 * size) || std::isinf(size)) {
        sink_(label + ", bin " + std::to_string(k), stored[k], expected[k]);
      }
    }
  }

  const Distributions expected_;
  const DistributionSink& sink_;
  std::uint64_t compared_ = 0;
};

}  // namespace

std::uint64_t compare_distributions(const ResultFile& result, ExternalFiles external,
                                    const DistributionSink& sink) {
  const Hdf5Object file = open_result(result.path, external);
  const bool all_have_volume =
      std::all_of(result.blocks.begin(), result.blocks.end(),
                  [](const BlockCounts& block) { return block.volume > 0.0; });
  if (!all_have_volume || result.blocks.empty() ||
      !hdf5_is_group(file.get(), result_layout::distributions)) {
    return 0;
  }
  const std::vector<BlockCounts> blocks{total(result.blocks)};
  const analysis::ShellVolumes shells(result.layout, blocks);
  const Hdf5Object all = open_hdf5_group(file.get(), result_layout::distributions);
  return StoredDistributions({result.layout, blocks, shells}, sink).compare(all.get());
}

void write_distributions(hid_t file, const HistogramLayout& layout, BlockCounts total) {
  std::vector<BlockCounts> blocks;
  blocks.push_back(std::move(total));
  const analysis::ShellVolumes shells(layout, blocks);
  if (shells.defined() == 0) {
    return;
  }
  const Hdf5Object all = create_hdf5_group(file, result_layout::distributions);
  const Distributions distributions{layout, blocks, shells};
  if (layout.pairs.size() > result_layout::most_distribution_groups) {
    write_table(all.get(), distributions);
  } else {
    write_groups(all.get(), distributions);
  }
}

}  // namespace starhist::io
