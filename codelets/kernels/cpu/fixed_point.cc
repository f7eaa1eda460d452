#include "codelets/kernels/cpu/fixed_point.hh"

namespace starhist::kernels::cpu {
namespace {

void convert(const PositionSpan& span, std::size_t begin, std::size_t end,
             const FixedLattice& lattice, std::vector<std::int32_t> (&out)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    out[axis].resize(end - begin + coordinate_padding);
    std::int32_t* target = out[axis].data();
    for (std::size_t i = begin; i < end; ++i) {
      target[i - begin] = fixed_coordinate(lattice, axis, span[i]);
    }
  }
}

std::string metric_name(Metric metric) {
  switch (metric) {
    case Metric::isotropic:
      return "isotropic";
    case Metric::diagonal:
      return "diagonal";
    case Metric::triangular:
      return "triangular";
    case Metric::searched:
      return "searched";
  }
  return "unknown";
}

}  // namespace

void make_fixed_point(const PairBlock& block, FixedPoint& out) {
  Bounds bounds;
  bounds.add(block.first, block.row_begin, block.row_end);
  bounds.add(block.second, 0, block.second.count);
  out.lattice = make_fixed_lattice(*block.image, *block.bins, bounds);
  out.fine = out.lattice.usable ? std::nullopt
                                : make_double_metric(*block.image, *block.bins, bounds);
  if (!out.usable() && !(block.clustered && out.lattice.usable_with_images)) {
    return;
  }
  convert(block.second, 0, block.second.count, out.lattice, out.second);
  if (!block.like) {
    convert(block.first, block.row_begin, block.row_end, out.lattice, out.first);
  }
}

PairLoop make_pair_loop(const PairBlock& block, const FixedPoint& fixed) {
  PairLoop loop;
  loop.block = &block;
  loop.lattice = fixed.usable() ? &fixed.lattice : nullptr;
  loop.fine = fixed.fine ? &*fixed.fine : nullptr;
  loop.metric = fixed.lattice.metric;
  loop.row_origin = block.like ? 0 : block.row_begin;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    loop.row[axis] = (block.like ? fixed.second : fixed.first)[axis].data();
    loop.column[axis] = fixed.second[axis].data();
  }
  return loop;
}

std::string loop_name(const PairLoop& loop) {
  if (loop.lattice == nullptr) {
    return "by definition";
  }
  if (loop.images != nullptr) {
    return "images";
  }
  return metric_name(loop.metric) + (loop.fine != nullptr ? " in double" : "");
}

}  // namespace starhist::kernels::cpu
