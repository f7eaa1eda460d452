#include "io/export/result_units.hh"

#include "io/reader/units.hh"

namespace starhist::io {
namespace {

Box converted(const Box& box, const LengthScale& scale) {
  std::array<Vec3, 3> edges = box.edges();
  for (Vec3& edge : edges) {
    edge = {scale(edge.x), scale(edge.y), scale(edge.z)};
  }
  return {edges, box.periodic()};
}

void convert(BlockCounts& block, const LengthScale& scale) {
  block.volume = scale(block.volume, 3);
  block.inverse_volume = scale(block.inverse_volume, -3);
  block.inscribed_radius = scale(block.inscribed_radius);
  if (block.box) {
    block.box = converted(*block.box, scale);
  }
  for (double& density : block.pairs_over_volume) {
    density = scale(density, -3);
  }
}

}  // namespace

void set_units(ResultFile& result, const ShownUnits& units) {
  HistogramLayout& layout = result.layout;
  const std::string own =
      settled_length_unit(result.path, unit_spelling(layout.length_unit), units.unit);
  if (units.out_unit.empty() || units.out_unit == own) {
    layout.length_unit = own;
    return;
  }
  const LengthScale scale(result.path, own, units.out_unit);
  layout.length_unit = units.out_unit;
  layout.bins =
      make_bins(scale(layout.bins.r_max), layout.bins.count, layout.bins.below);
  for (BlockCounts& block : result.blocks) {
    convert(block, scale);
  }
}

}  // namespace starhist::io
