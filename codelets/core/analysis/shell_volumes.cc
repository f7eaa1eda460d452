#include "codelets/core/analysis/shell_volumes.hh"

#include <algorithm>
#include <functional>
#include <numbers>
#include <string>

#include "codelets/core/base/error.hh"
#include "codelets/core/geometry/plane_cell.hh"
#include "codelets/core/geometry/wigner_seitz.hh"

namespace starhist::analysis {
namespace {

void check_volumes(const std::vector<BlockCounts>& blocks, Plane plane) {
  if (blocks.empty()) {
    throw InputError("g(r) needs at least one block of frames");
  }
  for (const BlockCounts& block : blocks) {
    if (!(block.volume > 0.0) || !(block.inverse_volume > 0.0)) {
      throw InputError(
          std::string("g(r) needs ") + (plane == Plane::none ? "a volume" : "an area") +
          ", but the boxes of block " + std::to_string(block.index.get()) +
          " are not periodic along " +
          (plane == Plane::none ? "all three axes" : "both axes of the plane") +
          " (counts and coordination numbers are available" +
          (plane == Plane::none ? "; to define a volume, count with --volume or "
                                  "--geometry)"
                                : ")"));
    }
  }
}

/// Volume, in a plane area, of the Wigner-Seitz cell's part within r.
std::function<double(double)> part_within(const Box& box, Plane plane) {
  if (plane == Plane::none) {
    return [cell = WignerSeitzCell(box)](double r) { return cell.ball_volume(r); };
  }
  return [cell = PlaneCell(box)](double r) { return cell.disc_area(r); };
}

/// Volumes of the cut shells of the bins from `first` on, up to the covering radius.
std::vector<double> cut_shells(const HistogramLayout& layout, std::uint32_t first,
                               const Box& box) {
  const UniformBins& bins = layout.bins;
  const auto within = part_within(box, layout.plane);
  std::vector<double> volumes;
  double inner = within(bins.edge(first));
  for (std::uint32_t k = first; k < bins.count; ++k) {
    if (bins.edge(k) >= box.covering_radius()) {
      break;
    }
    const double outer = within(bins.edge(k + 1));
    volumes.push_back(std::max(outer - inner, 0.0));
    inner = outer;
  }
  return volumes;
}

/// Shells in a slab or cylinder, for the first `count` bins.
std::vector<double> bounded_shells(const HistogramLayout& layout, std::uint32_t count) {
  std::vector<double> volumes;
  double inner = mean_ball_volume(layout.region, layout.bins.edge(0));
  for (std::uint32_t k = 0; k < count; ++k) {
    const double outer = mean_ball_volume(layout.region, layout.bins.edge(k + 1));
    volumes.push_back(outer - inner);
    inner = outer;
  }
  return volumes;
}

double width_of(const UniformBins& bins, std::uint32_t k) {
  return bins.uniform() ? bins.width() : bins.edge(k + 1) - bins.edge(k);
}

}  // namespace

double shell_volume(const UniformBins& bins, std::uint32_t k) {
  const double inner = bins.edge(k);
  const double outer = bins.edge(k + 1);
  // Factored difference of cubes, so that digits of thin shells do not cancel.
  return 4.0 / 3.0 * std::numbers::pi * width_of(bins, k) *
         (outer * outer + outer * inner + inner * inner);
}

double shell_volume(const UniformBins& bins, Plane plane, std::uint32_t k) {
  return plane == Plane::none
             ? shell_volume(bins, k)
             : std::numbers::pi * width_of(bins, k) * (bins.edge(k + 1) + bins.edge(k));
}

std::uint32_t normalizable_bins(const UniformBins& bins, double inscribed_radius) {
  constexpr double tolerance = 1e-6;
  const double reach = inscribed_radius * (1.0 + tolerance);
  std::uint32_t k = bins.count;
  while (k > 0 && bins.edge(k) > reach) {
    --k;
  }
  return k;
}

ShellVolumes::ShellVolumes(const HistogramLayout& layout,
                           const std::vector<BlockCounts>& blocks)
    : plane_(layout.plane), bins_(layout.bins) {
  const UniformBins& bins = layout.bins;
  check_volumes(blocks, plane_);
  double radius = blocks.front().inscribed_radius;
  bool has_boxes = true;
  for (const BlockCounts& block : blocks) {
    radius = std::min(radius, block.inscribed_radius);
    has_boxes = has_boxes && block.box.has_value();
  }
  whole_ = normalizable_bins(bins, radius);
  defined_ = whole_;
  if (layout.region.is_bounded()) {
    bounded_ = bounded_shells(layout, whole_);
  }
  if (!has_boxes || whole_ == bins.count) {
    return;
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (b > 0 && blocks[b].box == blocks[b - 1].box) {
      cut_.push_back(cut_.back());
      continue;
    }
    cut_.push_back(std::make_shared<const std::vector<double>>(
        cut_shells(layout, whole_, *blocks[b].box)));
    const auto end = whole_ + static_cast<std::uint32_t>(cut_.back()->size());
    defined_ = std::max(defined_, end);
  }
}

double ShellVolumes::of(std::size_t block, std::uint32_t k) const {
  if (k < whole_) {
    return !bounded_.empty() ? bounded_[k] : shell_volume(bins_, plane_, k);
  }
  const std::vector<double>& cut = *cut_[block];
  return k - whole_ < cut.size() ? cut[k - whole_] : 0.0;
}

}  // namespace starhist::analysis
