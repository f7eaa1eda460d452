#include "io/result/result_distributions.hh"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "codelets/core/analysis/radial_distribution.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_text.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {
namespace {

/// A link name for the label: '/' becomes '_', and '_' is appended if the name exists,
/// as two pairs may have the same label ("A-B" with "C", and "A" with "B-C").
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

void write_frame(hid_t group, const std::string& name, FrameIndex frame) {
  write_hdf5_numbers<std::uint64_t>(group, name, {frame.get()}, {});
}

/// What is the same in all pairs, and stored once: thousands of pairs would need tens
/// of thousands of small writes.
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

}  // namespace

void write_distributions(hid_t file, const HistogramLayout& layout,
                         const BlockCounts& total) {
  const std::vector<BlockCounts> blocks{total};
  const analysis::ShellVolumes shells(layout.bins, blocks);
  const std::uint32_t defined = shells.defined();
  if (defined == 0) {
    return;
  }
  constexpr auto normalization = analysis::Normalization::pairs_over_volume;
  const Hdf5Object all = create_hdf5_group(file, result_layout::distributions);
  std::optional<Hdf5Object> first;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    if (total.pairs[p] == 0) {
      continue;
    }
    const std::string label = pair_name(layout.pairs[p], layout.species);
    auto g =
        analysis::radial_distribution(layout, blocks, shells, PairId(p), normalization);
    g.resize(defined);
    Hdf5Object group = create_hdf5_group(all.get(), free_name(all.get(), label));
    write_hdf5_attribute(group.get(), "type", std::string("ensemble_average"));
    write_hdf5_attribute(group.get(), "normalization", to_string(normalization));
    write_hdf5_text(group.get(), "label", label);
    write_hdf5_numbers(group.get(), "value", g, {defined});
    if (first) {
      for (const char* name : shared_names) {
        link_hdf5_object(first->get(), name, group.get());
      }
    } else {
      write_shared(group.get(), layout, total, defined);
      first = std::move(group);
    }
  }
}

}  // namespace starhist::io
