#include "io/export/result_units.hh"

#include <algorithm>

#include "codelets/core/base/units.hh"

namespace starhist::io {
namespace {

Box converted(const Box& box, const LengthConversion& conversion) {
  std::array<Vec3, 3> edges = box.edges();
  for (Vec3& edge : edges) {
    edge = {conversion(edge.x), conversion(edge.y), conversion(edge.z)};
  }
  return box.is_planar() ? Box::in_plane(edges, box.plane())
                         : Box(edges, box.periodic());
}

void convert(BlockCounts& block, Plane plane, const LengthConversion& conversion) {
  const int power = dimension(plane);
  block.volume = conversion(block.volume, power);
  block.inverse_volume = conversion(block.inverse_volume, -power);
  block.inscribed_radius = conversion(block.inscribed_radius);
  if (block.box) {
    block.box = converted(*block.box, conversion);
  }
  for (double& density : block.pairs_over_volume) {
    density = conversion(density, -power);
  }
  for (double& density : block.pairs_over_space) {
    density = conversion(density, -3);
  }
  block.half_period = conversion(block.half_period);
}

}  // namespace

void set_units(ResultFile& result, const ShownUnits& units) {
  HistogramLayout& layout = result.layout;
  const std::string own =
      settled_length_unit(result.path, layout.length_unit, units.unit);
  layout.time_unit = settled_time_unit(result.path, layout.time_unit, units.time_unit);
  if (units.out_unit.empty() || units.out_unit == own) {
    layout.length_unit = own;
    return;
  }
  const LengthConversion conversion(result.path, own, units.out_unit);
  layout.length_unit = units.out_unit;
  if (layout.bins.uniform()) {
    layout.bins =
        make_bins(conversion(layout.bins.r_max), layout.bins.count, layout.bins.below);
  } else {
    std::vector<double> edges = bin_edges(layout.bins);
    std::transform(edges.begin(), edges.end(), edges.begin(), conversion);
    layout.bins = make_bins_between(edges);
  }
  layout.region.size = conversion(layout.region.size, size_dimension(layout.region));
  if (layout.second) {
    layout.second->limit = conversion(layout.second->limit);
  }
  for (BlockCounts& block : result.blocks) {
    convert(block, layout.plane, conversion);
  }
}

void set_units(LagResult& result, const ShownUnits& units) {
  const double before = result.layout.pairs.bins.r_max;
  set_units(result.channels, units);
  HistogramLayout& pairs = result.layout.pairs;
  pairs.bins = result.channels.layout.bins;
  pairs.length_unit = result.channels.layout.length_unit;
  pairs.time_unit = result.channels.layout.time_unit;
  const double factor = pairs.bins.r_max / before;
  for (auto& block : result.displacements) {
    for (DisplacementCounts& own : block) {
      own.squares *= factor * factor;
    }
  }
}

}  // namespace starhist::io
