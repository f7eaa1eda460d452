#include "codelets/core/shell_volumes.hh"

#include <algorithm>

#include "codelets/core/radial_distribution.hh"
#include "codelets/core/wigner_seitz.hh"

namespace starhist {
namespace {

/// Of the bins from `first` on, up to the last that is not empty.
std::vector<double> cut_shells(const UniformBins& bins, std::uint32_t first,
                               const Box& box) {
  const WignerSeitzCell cell(box);
  std::vector<double> volumes;
  double inner = cell.ball_volume(bins.edge(first));
  for (std::uint32_t k = first; k < bins.count; ++k) {
    if (bins.edge(k) >= box.farthest_distance()) {
      break;
    }
    const double outer = cell.ball_volume(bins.edge(k + 1));
    volumes.push_back(std::max(outer - inner, 0.0));
    inner = outer;
  }
  return volumes;
}

}  // namespace

ShellVolumes::ShellVolumes(const UniformBins& bins,
                           const std::vector<BlockCounts>& blocks)
    : bins_(bins) {
  double radius = blocks.front().inscribed_radius;
  bool has_boxes = true;
  for (const BlockCounts& block : blocks) {
    radius = std::min(radius, block.inscribed_radius);
    has_boxes = has_boxes && block.box.has_value();
  }
  whole_ = normalizable_bins(bins, radius);
  defined_ = whole_;
  if (!has_boxes || whole_ == bins.count) {
    return;
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (b > 0 && blocks[b].box == blocks[b - 1].box) {
      cut_.push_back(cut_.back());
      continue;
    }
    cut_.push_back(std::make_shared<const std::vector<double>>(
        cut_shells(bins, whole_, *blocks[b].box)));
    const auto end = whole_ + static_cast<std::uint32_t>(cut_.back()->size());
    defined_ = std::max(defined_, end);
  }
}

double ShellVolumes::of(std::size_t block, std::uint32_t k) const {
  if (k < whole_) {
    return shell_volume(bins_, k);
  }
  const std::vector<double>& cut = *cut_[block];
  return k - whole_ < cut.size() ? cut[k - whole_] : 0.0;
}

}  // namespace starhist
